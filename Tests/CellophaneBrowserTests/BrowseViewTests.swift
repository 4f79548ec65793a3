internal import Cellophane
internal import Testing

@testable internal import CellophaneBrowser

@Suite("View of the browser")
struct BrowseViewTests {
  private static let capabilities = TerminalCapabilities(form: .blocks, depth: .direct)

  /// Returns a drawing of an image with a white upper half and a black lower half.
  private static func drawing(
    _ geometry: BrowseGeometry, _ capabilities: TerminalCapabilities = capabilities
  ) throws -> ImageDrawing {
    let (width, height) = (geometry.pixels.width, geometry.pixels.height)
    let pixels = (0..<width * height).flatMap { pixel -> [UInt8] in
      pixel / width < height / 2 ? [255, 255, 255, 255] : [0, 0, 0, 255]
    }
    let image = try Image(width: width, height: height, pixels: pixels)
    return ImageDrawing(image, slot: 0, version: 1, geometry: geometry, capabilities: capabilities)
  }

  private static func item(_ row: Int, _ picture: BrowseView.Picture, heading: String? = nil)
    -> BrowseView.Row
  {
    BrowseView.Row(
      row: row, heading: heading, content: .item(title: "heron \(row)", url: "http://a/\(row).png", picture))
  }

  /// Returns a view with rows in each state; the first one has a heading.
  private static func view(
    columns: Int, lines: Int, firstLine: Int = 0, search: BrowseView.Search? = nil,
    _ capabilities: TerminalCapabilities = capabilities
  ) throws -> BrowseView {
    let geometry = BrowseGeometry(TerminalSize(columns: columns, lines: lines))
    let drawing = try drawing(geometry, capabilities)
    return BrowseView(
      geometry: geometry,
      lines: ListLines(sections: Array(repeating: "birds", count: 5), rowLines: geometry.rowLines),
      firstLine: firstLine, isMoving: false, name: "here",
      rows: [
        item(0, .shown(drawing, from: .network), heading: "birds"), item(1, .loading),
        item(2, .preview(drawing)), item(3, .failed("no such host", isRetryable: true)), item(4, .none),
        BrowseView.Row(row: 5, content: .end("end of 5 items", isFailure: false)),
      ], search: search, status: BrowseView.Status(items: 5, total: 9, hits: 1, running: 2, transfers: 3))
  }

  private static func lines(_ view: BrowseView) -> [String] {
    let grid = view.frame().grid
    return (0..<grid.lines).map { grid.text(line: $0) }
  }

  @Test("the view shows rows in every state, headings, the title line and the status line")
  func drawing() throws {
    let lines = Self.lines(try Self.view(columns: 60, lines: 14))
    #expect(lines[0].hasPrefix(" Cellophane  here") && lines[0].hasSuffix("/ search  r retry  q quit"))
    #expect(lines[1] == " birds")
    #expect(lines[2] == "           heron 0" && lines[3] == "           from the network")
    #expect(lines[4] == "           http://a/0.png" && lines[6] == "")
    #expect(
      lines[7] == " ░░░░░░░░  heron 1" && lines[8] == " ░░░░░░░░  loading …" && lines[10].hasSuffix("░"))
    #expect(lines[12].hasSuffix("heron 2"))
    #expect(lines[13] == " cached 1  no image 0 of 0  transfers 3, 2 active, 0 cancel…")
    let below = Self.lines(try Self.view(columns: 60, lines: 14, firstLine: 14))
    #expect(below[3] == " ××××××××  heron 3" && below[4].hasSuffix("failed, press r to retry: no such host"))
    #expect(below[8] == "           heron 4" && below[9] == "           no image")
    let end = Self.lines(try Self.view(columns: 60, lines: 14, firstLine: 15))
    #expect(end[12] == " end of 5 items")
  }

  @Test("the last line of a failed row shows the advice, if the row has four lines")
  func advice() throws {
    func lines(of lines: Int) -> [String] {
      let geometry = BrowseGeometry(TerminalSize(columns: 60, lines: lines))
      let picture = BrowseView.Picture.failed(
        "answered 404: http://a", isRetryable: false, advice: "check the URL")
      let view = BrowseView(
        geometry: geometry, lines: ListLines(sections: [nil], rowLines: geometry.rowLines), firstLine: 0,
        isMoving: false, name: "", rows: [Self.item(0, picture)], status: BrowseView.Status())
      return Self.lines(view)
    }
    #expect(
      lines(of: 14)[1...4].map { $0.trimmingPrefix(/[ ×]*/) } == [
        "heron 0", "failed: answered 404: http://a", "http://a/0.png", "check the URL",
      ])
    #expect(lines(of: 24)[4].hasSuffix("  check the URL"))
    #expect(!lines(of: 8).contains { $0.contains("check the URL") })
  }

  @Test("a failed row says after which pause a retry makes sense")
  func pause() throws {
    let geometry = BrowseGeometry(TerminalSize(columns: 80, lines: 14))
    let picture = BrowseView.Picture.failed(
      "answered 429: http://a", isRetryable: true, retryAfter: .milliseconds(599_100))
    let view = BrowseView(
      geometry: geometry, lines: ListLines(sections: [nil], rowLines: geometry.rowLines), firstLine: 0,
      isMoving: false, name: "", rows: [Self.item(0, picture)], status: BrowseView.Status())
    #expect(
      Self.lines(view)[2].hasSuffix("failed, press r in 10 min to retry: answered 429: http://a"))
  }

  @Test("an image that is partly outside of the screen is clipped")
  func clipping() throws {
    func colors(_ first: Int) throws -> [Int32] {
      let view = try Self.view(columns: 60, lines: 14, firstLine: first)
      let grid = view.frame().grid
      return (1..<5).map { grid[$0, 4].style.background.value }
    }
    // The heading, two white lines and a black one; then without the heading; then without the first white line.
    let whole = try colors(0)
    #expect(whole[0] == -1 && whole[1] == whole[2] && whole[2] != whole[3])
    #expect(try colors(1).prefix(3) == whole.suffix(3))
    #expect(try colors(2).prefix(2) == whole.suffix(2))
  }

  @Test(
    "the view fits every size of a terminal", arguments: [1, 2, 5, 12, 20, 40, 80, 200],
    [1, 2, 3, 4, 5, 9, 24, 60])
  func sizes(columns: Int, lines: Int) throws {
    for form in PixelForm.allCases {
      for search in [nil, BrowseView.Search(text: "漢字 heron", isOpen: true, outcome: "searching …")] {
        for first in [0, 1, 3] {
          let view = try Self.view(
            columns: columns, lines: lines, firstLine: first, search: search,
            TerminalCapabilities(form: form, depth: .direct))
          let frame = view.frame()
          #expect(frame.grid.columns == columns && frame.grid.lines == lines)
          for picture in frame.pictures {
            #expect(view.geometry.list.contains(picture.line) && picture.column + picture.columns <= columns)
            #expect(picture.line + picture.lines <= view.geometry.list.upperBound && picture.lines > 0)
          }
          if let cursor = frame.cursor { #expect(cursor.line < lines && cursor.column < columns) }
          #expect((frame.cursor != nil) == (search != nil))
        }
      }
    }
  }

  @Test("the search field is at the top, or on the last line of a small screen, with its end visible")
  func search() throws {
    let search = BrowseView.Search(text: "amber heron", isOpen: true, outcome: "12 found  Esc clears")
    let wide = try Self.view(columns: 60, lines: 14, search: search)
    #expect(
      Self.lines(wide)[0].hasPrefix(" /amber heron ") && Self.lines(wide)[0].hasSuffix("12 found  Esc clears")
    )
    #expect(wide.frame().cursor.map { $0 == (0, 13) } == true)
    let narrow = try Self.view(columns: 8, lines: 3, search: search)
    #expect(Self.lines(narrow)[2] == " /heron" && narrow.frame().cursor.map { $0 == (2, 7) } == true)
  }

  @Test("half blocks show two pixels per character, also with a palette or without colors")
  func blocks() throws {
    let geometry = BrowseGeometry(TerminalSize(columns: 60, lines: 14))
    let colored = try Self.drawing(geometry)
    #expect(colored.cells.count == 8 * 4 && colored.cells.allSatisfy { $0.style.background.isDirect })
    let plain = try Self.drawing(geometry, TerminalCapabilities(form: .blocks, depth: .none))
    #expect(
      Set(plain.cells.prefix(16).map(\.glyph)) == ["█"] && Set(plain.cells.suffix(16).map(\.glyph)) == [" "])
    let indexed = try Self.drawing(geometry, TerminalCapabilities(form: .blocks, depth: .indexed))
    #expect(indexed.cells.allSatisfy { !$0.style.background.isDirect && $0.style.background.value < 256 })
  }

  @Test("sixels are well-formed and have the size of the visible part")
  func sixels() throws {
    let geometry = BrowseGeometry(
      TerminalSize(columns: 60, lines: 14, cell: PixelSize(width: 10, height: 20)))
    let drawing = try Self.drawing(geometry, TerminalCapabilities(form: .sixel, depth: .direct))
    #expect(geometry.picture.columns == 8 && geometry.pixels == PixelSize(width: 80, height: 80))
    // The heights are multiples of six, the height of a band.
    for (part, height) in [(0..<4, 78), (1..<4, 60), (0..<1, 18)] {
      guard case .sixels(let text) = drawing.pixels(part, line: 1, column: 1)?.form else {
        Issue.record("no sixels of \(part)")
        continue
      }
      #expect(text.hasPrefix("\u{1B}P") && text.hasSuffix("\u{1B}\\"), "\(part)")
      #expect(text.contains("\"1;1;80;\(height)"), "\(text.prefix(40).debugDescription)")
      #expect(text.dropFirst().dropLast(2).allSatisfy { $0.isASCII && $0 >= " " })
    }
    #expect(drawing.hasPixels(1..<4) && !drawing.hasPixels(2..<4))
  }

  @Test("a moving list encodes one image per frame, and no partly visible one")
  func budget() throws {
    let capabilities = TerminalCapabilities(form: .sixel, depth: .direct)
    let geometry = BrowseGeometry(TerminalSize(columns: 60, lines: 24))
    let drawings = try (0..<4).map { _ in try Self.drawing(geometry, capabilities) }
    func shown(_ isMoving: Bool, firstLine: Int = 0) -> Int {
      BrowseView(
        geometry: geometry,
        lines: ListLines(sections: Array(repeating: nil, count: 4), rowLines: geometry.rowLines),
        firstLine: firstLine, isMoving: isMoving, name: "",
        rows: drawings.enumerated().map { Self.item($0, .shown($1, from: .disk)) },
        status: BrowseView.Status()
      ).frame().pictures.count
    }
    // Three complete rows, and one line of the fourth.
    #expect((0..<4).map { _ in shown(true) } == [1, 2, 3, 3] && shown(false) == 4 && shown(true) == 4)
    #expect(shown(true, firstLine: 1) == 2 && shown(false, firstLine: 1) == 4)
  }

  @Test("the geometry fits terminals of every height, and images are large enough for a row code")
  func geometry() {
    for (lines, list) in [(1, 0..<1), (2, 0..<1), (3, 0..<2), (4, 1..<3), (30, 1..<29)] {
      #expect(BrowseGeometry(TerminalSize(columns: 80, lines: lines)).list == list)
    }
    let tiny = BrowseGeometry(TerminalSize(columns: 3, lines: 30))
    #expect(tiny.picture.columns == 0 && tiny.textColumn == 0)
    // A row code is readable in images of every size.
    for lines in 1...60 {
      let pixels = BrowseGeometry(TerminalSize(columns: 80, lines: lines)).pixels
      #expect(pixels.width >= 32 && pixels.height >= 32)
    }
  }
}
