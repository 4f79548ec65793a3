internal import Testing

@testable internal import CellophaneBrowser

@Suite("Width of text on a terminal")
struct TextColumnsTests {
  @Test(
    "characters have their width in columns",
    arguments: [
      ("", 0), ("abc", 3), ("ä", 1), ("e\u{301}", 1), ("漢字", 4), ("한글", 4), ("カナ", 4), ("ｶﾅ", 2),
      ("😀", 2), ("👍🏽", 2), ("👩‍👩‍👧", 2), ("❤\u{FE0F}", 2), ("❤", 1), ("🇩🇪", 2), ("…", 1), ("\u{301}", 0),
      ("é漢x", 4), ("\u{1B}", 0),
    ])
  func width(text: String, columns: Int) { #expect(text.columns == columns) }

  @Test("text that does not fit ends with an ellipsis, and no character is cut")
  func fitting() {
    for (text, room, fitted) in [
      ("heron", 5, "heron"), ("heron", 4, "her…"), ("heron", 1, "…"), ("heron", 0, ""), ("", 0, ""),
      ("漢字漢", 6, "漢字漢"), ("漢字漢", 5, "漢字…"), ("漢字漢", 4, "漢…"), ("漢字", 2, "…"),
      ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
    ] as [(String, Int, String)] {
      #expect(text.fitted(room) == fitted && text.fitted(room).columns <= room, "\(text) in \(room)")
    }
    for (text, room, end) in [("heron", 3, "ron"), ("漢字漢", 5, "字漢"), ("漢", 1, ""), ("ab", 9, "ab")]
      as [(String, Int, String)]
    {
      #expect(text.lastFitting(room) == end, "\(text) in \(room)")
    }
  }

  @Test("control characters are removed from text")
  func printable() {
    for (text, shown) in [
      ("a\u{1B}[2Jb", "a [2Jb"), ("a\u{9B}31mb", "a 31mb"), ("a\r\nb\u{7}", "a  b "), ("x\u{2028}y", "x y"),
      // Characters that change the direction of text, or are invisible.
      ("a\u{202E}b\u{2066}c\u{200F}d\u{FEFF}", "abcd"), ("\u{E000}", "\u{FFFD}"), ("👩‍👩‍👧", "👩‍👩‍👧"), ("ä 漢", "ä 漢"),
    ] as [(String, String)] {
      #expect(text.printable == shown, "\(text.debugDescription)")
    }
  }
}
