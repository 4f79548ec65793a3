internal import Testing

@testable internal import CellophaneBrowser

@Suite("Frames on a terminal")
struct PainterTests {
  private static func frame(_ lines: [String], columns: Int = 10) -> Frame {
    var grid = Grid(columns: columns, lines: lines.count)
    for (index, line) in lines.enumerated() { grid.write(line, line: index, column: 0) }
    return Frame(grid: grid)
  }

  /// Returns `text` with visible escapes, without the sequences around each frame.
  private static func visible(_ text: String) -> String {
    var text = text
    for mark in [Escape.begin, Escape.end] { text.replace(mark, with: "") }
    return text.replacing("\u{1B}", with: "^")
  }

  @Test("only changes are written")
  func changes() {
    var painter = Painter(usesColor: true)
    #expect(
      Self.visible(painter.paint(Self.frame(["abc", "def"]))) == "^[0m^[2J^[1;1Habc^[2;1Hdef^[0m^[?25l")
    #expect(painter.paint(Self.frame(["abc", "def"])) == "")
    #expect(Self.visible(painter.paint(Self.frame(["abc", "dxf"]))) == "^[2;2Hx^[0m")
    #expect(Self.visible(painter.paint(Self.frame(["ab", "dxfg"]))) == "^[1;3H ^[2;4Hg^[0m")
    painter.invalidate()
    #expect(Self.visible(painter.paint(Self.frame(["ab"]))).hasPrefix("^[0m^[2J^[1;1Hab"))
    // A new size draws the whole screen.
    #expect(Self.visible(painter.paint(Self.frame(["ab"], columns: 9))).hasPrefix("^[0m^[2J^[1;1Hab"))
  }

  @Test("styles are written where they change, and colors only if enabled")
  func styles() {
    var frame = Self.frame(["", ""])
    frame.grid.write("ab", line: 0, column: 0, style: Style(foreground: .palette(1), isBold: true))
    frame.grid.write(
      "c", line: 0, column: 2, style: Style(background: TerminalColor(value: 0x102030, isDirect: true)))
    frame.grid.write(
      "d", line: 0, column: 3, style: Style(foreground: .palette(9), background: .palette(200)))
    var painter = Painter(usesColor: true)
    #expect(
      Self.visible(painter.paint(frame))
        == "^[0m^[2J^[1;1H^[0;1;31mab^[0;48;2;16;32;48mc^[91;48;5;200md^[0m^[?25l")
    painter = Painter(usesColor: false)
    #expect(Self.visible(painter.paint(frame)) == "^[0m^[2J^[1;1H^[0;1mab^[0mcd^[0m^[?25l")
  }

  @Test("the cursor is placed again after characters of ambiguous width")
  func wide() {
    var painter = Painter(usesColor: true)
    let text = Self.visible(painter.paint(Self.frame(["漢x", "é👍y"])))
    #expect(text == "^[0m^[2J^[1;1H漢^[1;3Hx^[2;1Hé👍^[2;4Hy^[0m^[?25l")
    // A replaced wide character leaves no remainder.
    #expect(Self.visible(painter.paint(Self.frame(["ax", "é👍y"]))) == "^[1;1Hax ^[0m")
  }

  @Test("text outside of the screen is dropped, and a wide character is not cut")
  func edges() {
    var grid = Grid(columns: 4, lines: 2)
    for (line, column) in [(-1, 0), (2, 0), (0, -1), (0, 4)] { grid.write("xyz", line: line, column: column) }
    #expect(grid == Grid(columns: 4, lines: 2))
    #expect(grid.write("abcdef", line: 0, column: 1) == 4 && grid.text(line: 0) == " ab…")
    #expect(grid.write("漢字漢", line: 1, column: 0) == 3 && grid.text(line: 1) == "漢…")
    #expect(grid.write("abc", line: 1, column: 0, room: 2) == 2)
  }

  @Test("the cursor is visible only in an input field")
  func cursor() {
    var painter = Painter(usesColor: true)
    var frame = Self.frame(["ab"])
    _ = painter.paint(frame)
    frame.cursor = (0, 2)
    #expect(Self.visible(painter.paint(frame)) == "^[1;3H^[?25h" && painter.paint(frame) == "")
    frame.cursor = nil
    #expect(Self.visible(painter.paint(frame)) == "^[?25l" && painter.paint(frame) == "")
  }

  private static func sixels(_ line: Int, version: Int = 1) -> PixelImage {
    PixelImage(line: line, column: 1, lines: 2, columns: 3, version: version, form: .sixels("<\(version)>"))
  }

  private static func kitty(_ line: Int, version: Int = 1, number: Int = 7) -> PixelImage {
    PixelImage(
      line: line, column: 1, lines: 2, columns: 3, version: version,
      form: .kitty(number: number, top: 0, width: 30, height: 40))
  }

  @Test("moved sixels are drawn again, and the text at their previous position too")
  func sixels() {
    var painter = Painter(usesColor: true)
    var frame = Self.frame(["ab", "cdef", "", "", ""])
    frame.pictures = [Self.sixels(1)]
    #expect(Self.visible(painter.paint(frame)) == "^[0m^[2J^[1;1Hab^[2;1Hcdef^[0m^[2;2H<1>^[?25l")
    #expect(painter.paint(frame) == "")
    frame.pictures = [Self.sixels(3)]
    #expect(Self.visible(painter.paint(frame)) == "^[2;2Hdef^[3;2H   ^[0m^[4;2H<1>")
    // Another image at the same position.
    frame.pictures = [Self.sixels(3, version: 2)]
    #expect(Self.visible(painter.paint(frame)) == "^[4;2H   ^[5;2H   ^[0m^[4;2H<2>")
  }

  @Test("images of kitty are moved, and deleted when they are no longer shown")
  func kitty() {
    var painter = Painter(usesColor: true)
    var frame = Self.frame(["", "", "", "", ""])
    frame.pictures = [Self.kitty(0), Self.kitty(2, version: 2, number: 8)]
    let shown = Self.visible(painter.paint(frame))
    #expect(shown.contains("^_Ga=d,d=a,q=2^\\"))
    #expect(shown.contains("^[1;2H^_Ga=p,q=2,i=7,p=1,C=1,x=0,y=0,w=30,h=40,c=3,r=2^\\"))
    frame.pictures = [Self.kitty(1)]
    #expect(
      Self.visible(painter.paint(frame))
        == "^_Ga=d,d=i,q=2,i=8,p=1^\\^[2;2H^_Ga=p,q=2,i=7,p=1,C=1,x=0,y=0,w=30,h=40,c=3,r=2^\\")
  }

  @Test("a file is sent to kitty in pieces of at most 4 096 bytes")
  func sending() {
    for count in [1, 3_071, 3_072, 3_073, 10_000] {
      let file = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      let pieces = KittyGraphics.send(file, as: 3).split(separator: "\u{1B}\\")
      let bodies = pieces.compactMap { $0.split(separator: ";").last }
      #expect(bodies.allSatisfy { $0.count <= 4_096 } && pieces.count == (count + 3_071) / 3_072)
      #expect(pieces.first?.hasPrefix("\u{1B}_Ga=t,f=100,q=2,i=3,m=") == true)
      #expect(pieces.dropLast().allSatisfy { $0.contains("m=1;") } && pieces.last?.contains("m=0;") == true)
    }
  }
}
