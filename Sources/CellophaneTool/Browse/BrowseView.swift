internal import Cellophane
internal import CellophaneScreens

/// What is to be seen at one moment.
struct BrowseView {
  /// A row of which some part is visible.
  struct Row {
    let row: Int
    /// Of the section that begins with it.
    var heading: String?
    let content: Content
  }

  enum Content {
    case item(title: String, url: String, Picture)
    /// What comes behind the last item.
    case end(String, isFailure: Bool)
  }

  enum Picture {
    case none
    case loading
    case preview(PictureDrawing)
    case shown(PictureDrawing, from: Source)
    case failed(String, isRetryable: Bool)
  }

  /// The search, when there is one.
  struct Search {
    var text: String
    /// True while somebody types.
    var isOpen: Bool
    /// What became of it, in words.
    var outcome: String
  }

  /// What the loader does, and has done.
  struct Status: Equatable {
    var items = 0
    /// How many there are in all; nil where nobody knows.
    var total: Int?
    var hits = 0
    var running = 0
    var transfers = 0
    var cancelled = 0
    /// Visible rows without a picture, of those that have one.
    var blank = 0
    var pictures = 0
    /// Pictures that stood at another row than theirs; nil where nobody counts.
    var wrong: Int?
  }

  let geometry: BrowseGeometry
  let lines: ListLines
  /// The line of the list that is drawn first.
  let firstLine: Int
  let isMoving: Bool
  /// What is browsed.
  let name: String
  let rows: [Row]
  var search: Search?
  var status: Status
}

extension BrowseView {
  private static let failure = Style(foreground: .palette(1))
  private static let heading = Style(foreground: .palette(6), isBold: true)

  /// The view as characters, and pixels.
  func frame() -> Frame {
    var frame = Frame(grid: Grid(columns: geometry.size.columns, lines: geometry.size.lines))
    // Of a list that moves, one new picture a frame and none that is half out: half blocks do for a moment.
    var budget = isMoving ? 1 : rows.count
    for row in rows { draw(row, in: &frame, &budget) }
    drawTop(in: &frame)
    if let bottom = geometry.bottom, frame.cursor?.line != bottom {
      frame.grid.fill(line: bottom, style: .bar)
      frame.grid.write(" " + status.text, line: bottom, column: 0, style: .bar)
    }
    return frame
  }

  // MARK: The lines around the list

  private func drawTop(in frame: inout Frame) {
    // Where there is no line for it, the search takes that of the status.
    let isOpen = search?.isOpen == true
    guard let line = geometry.top ?? (isOpen ? geometry.bottom ?? 0 : nil) else { return }
    let columns = geometry.size.columns
    frame.grid.fill(line: line, style: .bar)
    guard let search else {
      let end = frame.grid.write(" Cellophane  " + name, line: line, column: 0, style: .bar)
      return hint("/ search  r retry  q quit", behind: end, line: line, in: &frame)
    }
    // One column for the cursor behind it.
    let text = search.text.lastFitting(max(0, columns - 3))
    let end = frame.grid.write(" /" + text, line: line, column: 0, style: .bar)
    if isOpen { frame.cursor = (line, min(end, max(0, columns - 1))) }
    hint(search.outcome, behind: end + 1, line: line, in: &frame)
  }

  /// Writes `text` at the end of a line, when there is room for it.
  private func hint(_ text: String, behind end: Int, line: Int, in frame: inout Frame) {
    let room = geometry.size.columns - end - 3
    let text = text.fitted(max(0, room))
    let width = text.columns
    frame.grid.write(text, line: line, column: geometry.size.columns - width - 1, style: .bar)
  }

  // MARK: Rows

  /// The line of the screen for a line of the list; nil when it is not visible.
  private func place(_ line: Int) -> Int? {
    let place = geometry.list.lowerBound + line - firstLine
    return geometry.list.contains(place) ? place : nil
  }

  private func write(_ text: String, line: Int, column: Int, style: Style, in frame: inout Frame) {
    guard let place = place(line) else { return }
    frame.grid.write(text, line: place, column: column, style: style)
  }

  private func draw(_ row: Row, in frame: inout Frame, _ budget: inout Int) {
    var top = lines.top(of: row.row)
    if lines.isHeaded(row.row) {
      write(" " + (row.heading ?? ""), line: top, column: 0, style: Self.heading, in: &frame)
      top += 1
    }
    switch row.content {
    case .end(let text, let isFailure):
      write(" " + text, line: top, column: 0, style: isFailure ? Self.failure : .dim, in: &frame)
    case .item(let title, let url, let picture):
      drawBox(picture, top: top, in: &frame, &budget)
      let column = geometry.textColumn
      let (text, style) = picture.words
      write(title, line: top, column: column, style: .bold, in: &frame)
      if geometry.picture.lines >= 2 { write(text, line: top + 1, column: column, style: style, in: &frame) }
      if geometry.picture.lines >= 4 { write(url, line: top + 2, column: column, style: .dim, in: &frame) }
    }
  }

  private func drawBox(_ picture: Picture, top: Int, in frame: inout Frame, _ budget: inout Int) {
    let (columns, height) = geometry.picture
    guard columns > 0 else { return }
    let isVisible = (0..<height).filter { place(top + $0) != nil }
    guard let first = isVisible.first, let last = isVisible.last, let line = place(top + first) else {
      return
    }
    guard let drawing = picture.drawing else {
      for part in isVisible {
        let filling = String(repeating: picture.filling, count: columns)
        write(filling, line: top + part, column: 1, style: .dim, in: &frame)
      }
      return
    }
    let part = first..<last + 1
    let isMade = drawing.hasPixels(part)
    if isMade || budget > 0 && (!isMoving || part.count == height),
      let pixels = drawing.pixels(part, line: line, column: 1)
    {
      if !isMade { budget -= 1 }
      frame.pictures.append(pixels)
      return
    }
    for part in first...last {
      for column in 0..<columns {
        frame.grid.put(
          drawing.cells[part * columns + column], line: line + part - first, column: 1 + column)
      }
    }
  }
}

extension BrowseView.Picture {
  /// What was drawn of it.
  var drawing: PictureDrawing? {
    switch self {
    case .preview(let drawing), .shown(let drawing, _): drawing
    case .none, .loading, .failed: nil
    }
  }

  /// What stands in its place.
  fileprivate var filling: String {
    switch self {
    case .loading: "░"
    case .failed: "×"
    case .none, .preview, .shown: " "
    }
  }

  /// What became of it, and how that looks.
  fileprivate var words: (String, Style) {
    switch self {
    case .none: ("no picture", .dim)
    case .loading: ("loading …", .dim)
    case .preview: ("arriving …", .dim)
    case .shown(_, let source): ("from \(source.words)", .dim)
    case .failed(let message, let isRetryable):
      ("failed\(isRetryable ? ", r retries" : ""): \(message)", Style(foreground: .palette(1)))
    }
  }
}

extension Source {
  fileprivate var words: String {
    switch self {
    case .memory: "memory"
    case .disk: "disk"
    case .network: "the network"
    }
  }
}

extension BrowseView.Status {
  /// What the last line says; what matters most comes first, for narrow terminals.
  var text: String {
    var parts = [
      "hits \(hits)", "transfers \(running) of \(transfers)", "cancelled \(cancelled)",
      "blank \(blank) of \(pictures)",
    ]
    if let wrong { parts.append("wrong \(wrong)") }
    parts.append(total.map { "items \(items) of \($0)" } ?? "items \(items)")
    return parts.joined(separator: "  ")
  }
}
