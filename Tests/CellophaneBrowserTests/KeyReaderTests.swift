internal import Testing

@testable internal import CellophaneBrowser

@Suite("Keys of a terminal")
struct KeyReaderTests {
  /// The bytes that a terminal sends, and their keys.
  private static let table: [(bytes: String, keys: [Key])] = [
    ("q", [.text("q")]), ("jk", [.text("j"), .text("k")]), (" ", [.text(" ")]),
    ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
    ("\u{1B}OA\u{1B}OB\u{1B}OH\u{1B}OF", [.up, .down, .home, .end]),
    ("\u{1B}[5~\u{1B}[6~\u{1B}[3~", [.pageUp, .pageDown, .delete]),
    ("\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~", [.home, .end, .home, .end, .home, .end]),
    // With Shift, Alt, Ctrl.
    ("\u{1B}[1;2A\u{1B}[1;5B\u{1B}[5;3~", [.up, .down, .pageUp]),
    ("\r\n\t\u{7F}\u{08}", [.enter, .enter, .tab, .backspace, .backspace]),
    ("\u{03}\u{12}\u{1A}", [.control("c"), .control("r"), .control("z")]),
    ("\u{00}\u{1C}x", [.text("x")]),
    // The wheel, with and without modifiers. Buttons, movements and horizontal scrolling are ignored.
    (
      "\u{1B}[<64;10;5M\u{1B}[<65;10;5M\u{1B}[<68;1;1M\u{1B}[<81;1;1M",
      [.wheelUp, .wheelDown, .wheelUp, .wheelDown]
    ),
    ("\u{1B}[<0;10;5M\u{1B}[<0;10;5m\u{1B}[<35;1;1M\u{1B}[<66;1;1M\u{1B}[<M\u{1B}[<;1M", []),
    ("äé€😀漢", [.text("ä"), .text("é"), .text("€"), .text("😀"), .text("漢")]),
    ("e\u{301}", [.text("e"), .text("\u{301}")]),
    // Unknown sequences.
    ("\u{1B}[99~\u{1B}[?1;2c\u{1B}[Zx\u{1B}OPy", [.text("x"), .text("y")]),
    // Esc before another Esc, or before a letter (Alt), is a key.
    ("\u{1B}\u{1B}[A", [.escape, .up]), ("\u{1B}q", [.escape, .text("q")]),
    // Incomplete sequences.
    ("\u{1B}[1;\u{1B}[A", [.up]), ("\u{1B}[5ä", [.text("ä")]),
    ("\u{1B}[200~a\u{1B}[A\nq\u{1B}[201~q", [.paste("a\u{1B}[A\nq"), .text("q")]),
    ("\u{1B}[200~\u{1B}[201~", [.paste("")]),
  ]

  @Test("bytes are read as keys, in pieces of any size", arguments: 1...7)
  func pieces(length: Int) {
    for (bytes, keys) in Self.table {
      var reader = KeyReader()
      var read: [Key] = []
      let all = Array(bytes.utf8)
      for start in stride(from: 0, to: all.count, by: length) {
        read += reader.read(all[start..<min(start + length, all.count)])
      }
      #expect(read == keys && !reader.isWaiting, "\(bytes.debugDescription) in \(length)")
    }
  }

  @Test("invalid UTF-8 is ignored, and the following bytes are read")
  func damaged() {
    for bytes in [
      [0xFF], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xC0, 0x80], [0x80], [0xED, 0xA0, 0x80],
    ]
      as [[UInt8]]
    {
      var reader = KeyReader()
      #expect(reader.read(bytes + Array("x".utf8)) == [.text("x")], "\(bytes)")
      #expect(!reader.isWaiting)
    }
  }

  @Test("Esc is a key if no sequence follows")
  func escape() {
    var reader = KeyReader()
    #expect(reader.read([0x1B]) == [] && reader.isWaiting)
    #expect(reader.flush() == [.escape] && !reader.isWaiting)
    #expect(reader.read([0x1B]) == [] && reader.read(Array("[A".utf8)) == [.up])
    // The beginning of a sequence, or of a character, is not a key.
    for bytes in ["\u{1B}[", "\u{1B}[1;", "\u{1B}O"] {
      #expect(reader.read(Array(bytes.utf8)) == [] && reader.flush() == [] && !reader.isWaiting, "\(bytes)")
    }
    #expect(reader.read([0xE2, 0x82]) == [] && reader.flush() == [] && !reader.isWaiting)
  }

  @Test("an endless sequence is ended")
  func endless() {
    var reader = KeyReader()
    let keys = reader.read(Array("\u{1B}[".utf8) + [UInt8](repeating: UInt8(ascii: "1"), count: 10_000))
    #expect(!keys.isEmpty || !reader.isWaiting)
    #expect(reader.read(Array("x\u{1B}[A".utf8)).suffix(1) == [.up])
  }

  @Test("a long paste is truncated, and contains no keys")
  func longPaste() {
    var reader = KeyReader()
    var keys = reader.read(Array("\u{1B}[200~".utf8))
    for _ in 0..<1_000 { keys += reader.read(Array("0123456789".utf8)) }
    #expect(keys == [] && reader.flush() == [])
    keys = reader.read(Array("\u{1B}[201~q".utf8))
    #expect(keys.count == 2 && keys.last == .text("q"))
    if case .paste(let text) = keys.first { #expect(text.count == 4_096) } else { Issue.record("\(keys)") }
  }
}
