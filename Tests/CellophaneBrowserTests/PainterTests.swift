internal import Testing

@testable internal import CellophaneBrowser

@Suite("Frames on a terminal")
struct PainterTests {
  private static func frame(_ lines: [String], columns: Int = 10) -> Frame {
    var grid = Grid(columns: columns, lines: lines.count)
    for (index, line) in lines.enumerated() { grid.write(line, line: index, column: 0) }
    return Frame(grid: grid)
  }

  /// `text` with its escapes in view, without what is around each frame.
  private static func words(_ text: String) -> String {
    var text = text
    for mark in [Escape.begin, Escape.end] { text.replace(mark, with: "") }
    return text.replacing("\u{1B}", with: "^")
  }

  @Test("Nothing is told when nothing has changed, and only what has")
  func changes() {
    var painter = Painter(usesColor: true)
    #expect(Self.words(painter.paint(Self.frame(["abc", "def"]))) == "^[0m^[2J^[1;1Habc^[2;1Hdef^[0m^[?25l")
    #expect(painter.paint(Self.frame(["abc", "def"])) == "")
    #expect(Self.words(painter.paint(Self.frame(["abc", "dxf"]))) == "^[2;2Hx^[0m")
    #expect(Self.words(painter.paint(Self.frame(["ab", "dxfg"]))) == "^[1;3H ^[2;4Hg^[0m")
    painter.invalidate()
    #expect(Self.words(painter.paint(Self.frame(["ab"]))).hasPrefix("^[0m^[2J^[1;1Hab"))
    // Another size is another screen.
    #expect(Self.words(painter.paint(Self.frame(["ab"], columns: 9))).hasPrefix("^[0m^[2J^[1;1Hab"))
  }

  @Test("Looks are told where they change; without colors none is")
  func styles() {
    var frame = Self.frame(["", ""])
    frame.grid.write("ab", line: 0, column: 0, style: Style(foreground: .palette(1), isBold: true))
    frame.grid.write(
      "c", line: 0, column: 2, style: Style(background: TerminalColor(value: 0x102030, isDirect: true)))
    frame.grid.write(
      "d", line: 0, column: 3, style: Style(foreground: .palette(9), background: .palette(200)))
    var painter = Painter(usesColor: true)
    #expect(
      Self.words(painter.paint(frame))
        == "^[0m^[2J^[1;1H^[0;1;31mab^[0;48;2;16;32;48mc^[91;48;5;200md^[0m^[?25l")
    painter = Painter(usesColor: false)
    #expect(Self.words(painter.paint(frame)) == "^[0m^[2J^[1;1H^[0;1mab^[0mcd^[0m^[?25l")
  }

  @Test("Behind what terminals measure differently the place is told again")
  func wide() {
    var painter = Painter(usesColor: true)
    let text = Self.words(painter.paint(Self.frame(["漢x", "é👍y"])))
    #expect(text == "^[0m^[2J^[1;1H漢^[1;3Hx^[2;1Hé👍^[2;4Hy^[0m^[?25l")
    // What took two columns leaves nothing behind.
    #expect(Self.words(painter.paint(Self.frame(["ax", "é👍y"]))) == "^[1;1Hax ^[0m")
  }

  @Test("Nothing is written beside the screen, and a wide character is not cut")
  func edges() {
    var grid = Grid(columns: 4, lines: 2)
    for (line, column) in [(-1, 0), (2, 0), (0, -1), (0, 4)] { grid.write("xyz", line: line, column: column) }
    #expect(grid == Grid(columns: 4, lines: 2))
    #expect(grid.write("abcdef", line: 0, column: 1) == 4 && grid.text(line: 0) == " ab…")
    #expect(grid.write("漢字漢", line: 1, column: 0) == 3 && grid.text(line: 1) == "漢…")
    #expect(grid.write("abc", line: 1, column: 0, room: 2) == 2)
  }

  @Test("The cursor is where somebody types, and nowhere else")
  func cursor() {
    var painter = Painter(usesColor: true)
    var frame = Self.frame(["ab"])
    _ = painter.paint(frame)
    frame.cursor = (0, 2)
    #expect(Self.words(painter.paint(frame)) == "^[1;3H^[?25h" && painter.paint(frame) == "")
    frame.cursor = nil
    #expect(Self.words(painter.paint(frame)) == "^[?25l" && painter.paint(frame) == "")
  }

  private static func sixels(_ line: Int, version: Int = 1) -> PixelImage {
    PixelImage(line: line, column: 1, lines: 2, columns: 3, version: version, form: .sixels("<\(version)>"))
  }

  private static func kitty(_ line: Int, version: Int = 1, number: Int = 7) -> PixelImage {
    PixelImage(
      line: line, column: 1, lines: 2, columns: 3, version: version,
      form: .kitty(number: number, top: 0, width: 30, height: 40))
  }

  @Test("Sixels are drawn anew where they appear, and what is behind them where they were")
  func sixels() {
    var painter = Painter(usesColor: true)
    var frame = Self.frame(["ab", "cdef", "", "", ""])
    frame.pictures = [Self.sixels(1)]
    #expect(Self.words(painter.paint(frame)) == "^[0m^[2J^[1;1Hab^[2;1Hcdef^[0m^[2;2H<1>^[?25l")
    #expect(painter.paint(frame) == "")
    frame.pictures = [Self.sixels(3)]
    #expect(Self.words(painter.paint(frame)) == "^[2;2Hdef^[3;2H   ^[0m^[4;2H<1>")
    // Another picture at the same place.
    frame.pictures = [Self.sixels(3, version: 2)]
    #expect(Self.words(painter.paint(frame)) == "^[4;2H   ^[5;2H   ^[0m^[4;2H<2>")
  }

  @Test("Kitty's pictures move, and go when they are no longer shown")
  func kitty() {
    var painter = Painter(usesColor: true)
    var frame = Self.frame(["", "", "", "", ""])
    frame.pictures = [Self.kitty(0), Self.kitty(2, version: 2, number: 8)]
    let shown = Self.words(painter.paint(frame))
    #expect(shown.contains("^_Ga=d,d=a,q=2^\\"))
    #expect(shown.contains("^[1;2H^_Ga=p,q=2,i=7,p=1,C=1,x=0,y=0,w=30,h=40,c=3,r=2^\\"))
    frame.pictures = [Self.kitty(1)]
    #expect(
      Self.words(painter.paint(frame))
        == "^_Ga=d,d=i,q=2,i=8,p=1^\\^[2;2H^_Ga=p,q=2,i=7,p=1,C=1,x=0,y=0,w=30,h=40,c=3,r=2^\\")
  }

  @Test("A file is given to kitty in pieces that it takes")
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
