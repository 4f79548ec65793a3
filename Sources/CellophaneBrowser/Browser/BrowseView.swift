internal import Cellophane
internal import CellophaneScreens

/// The content of the screen at one moment.
struct BrowseView {
  /// A visible row.
  struct Row {
    let row: Int
    /// The title of the section that begins with this row.
    var heading: String?
    let content: Content
  }

  enum Content {
    case item(title: String, url: String, Picture)
    /// The row after the last item, with the state of the list.
    case end(String, isFailure: Bool)
  }

  /// The state of an item's image.
  enum Picture {
    case none
    case loading
    case preview(ImageDrawing)
    case shown(ImageDrawing, from: Source)
    /// The reason, the time until a retry makes sense if there is one, and the remedy if one is known.
    case failed(String, isRetryable: Bool, retryAfter: Duration? = nil, advice: String? = nil)
  }

  /// A search.
  struct Search {
    var text: String
    /// True while the user types.
    var isOpen: Bool
    /// The message about its result.
    var outcome: String
  }

  /// The numbers of the status line.
  struct Status: Equatable {
    var items = 0
    /// The total number of items; nil if it is not known.
    var total: Int?
    var hits = 0
    var running = 0
    var transfers = 0
    var cancelled = 0
    /// The visible rows without an image.
    var blank = 0
    /// The visible rows.
    var pictures = 0
    /// The images shown in wrong rows; nil if they are not counted.
    var wrong: Int?
  }

  let geometry: BrowseGeometry
  let lines: ListLines
  /// The first visible line of the list.
  let firstLine: Int
  let isMoving: Bool
  /// The name of the list or origin.
  let name: String
  let rows: [Row]
  var search: Search?
  var status: Status
}

extension BrowseView {
  private static let failure = Style(foreground: .palette(1))
  private static let heading = Style(foreground: .palette(6), isBold: true)

  /// Returns the view as characters and images.
  func frame() -> Frame {
    var frame = Frame(grid: Grid(columns: geometry.size.columns, lines: geometry.size.lines))
    // While the list moves, each frame encodes at most one image, and no clipped one. Half blocks replace the others.
    var budget = isMoving ? 1 : rows.count
    for row in rows { draw(row, in: &frame, &budget) }
    drawTop(in: &frame)
    if let bottom = geometry.bottom, frame.cursor?.line != bottom {
      frame.grid.fill(line: bottom, style: .bar)
      frame.grid.write(" " + status.text, line: bottom, column: 0, style: .bar)
    }
    return frame
  }

  // MARK: Title and status

  private func drawTop(in frame: inout Frame) {
    // Without a title line, an open search uses the status line.
    let isOpen = search?.isOpen == true
    guard let line = geometry.top ?? (isOpen ? geometry.bottom ?? 0 : nil) else { return }
    let columns = geometry.size.columns
    frame.grid.fill(line: line, style: .bar)
    guard let search else {
      let end = frame.grid.write(" Cellophane  " + name, line: line, column: 0, style: .bar)
      return hint("/ search  r retry  q quit", after: end, line: line, in: &frame)
    }
    // One column is for the cursor after the text.
    let label = isOpen ? " /" : " search: "
    let text = search.text.lastFitting(max(0, columns - 1 - label.count))
    let end = frame.grid.write(label + text, line: line, column: 0, style: .bar)
    if isOpen { frame.cursor = (line, min(end, max(0, columns - 1))) }
    hint(search.outcome, after: end + 1, line: line, in: &frame)
  }

  /// Writes `text` at the end of a line, as far as it fits after column `end`.
  private func hint(_ text: String, after end: Int, line: Int, in frame: inout Frame) {
    let room = geometry.size.columns - end - 3
    let text = text.fitted(max(0, room))
    let width = text.columns
    frame.grid.write(text, line: line, column: geometry.size.columns - width - 1, style: .bar)
  }

  // MARK: Rows

  /// Returns the line of the screen for a line of the list; nil if it is not visible.
  private func screenLine(_ line: Int) -> Int? {
    let screenLine = geometry.list.lowerBound + line - firstLine
    return geometry.list.contains(screenLine) ? screenLine : nil
  }

  private func write(_ text: String, line: Int, column: Int, style: Style, in frame: inout Frame) {
    guard let line = screenLine(line) else { return }
    frame.grid.write(text, line: line, column: column, style: style)
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
      guard geometry.picture.lines >= 4 else { return }
      write(url, line: top + 2, column: column, style: .dim, in: &frame)
      if let advice = picture.advice {
        write(advice, line: top + 3, column: column, style: style, in: &frame)
      }
    }
  }

  private func drawBox(_ picture: Picture, top: Int, in frame: inout Frame, _ budget: inout Int) {
    let (columns, height) = geometry.picture
    guard columns > 0 else { return }
    let visible = (0..<height).filter { screenLine(top + $0) != nil }
    guard let first = visible.first, let last = visible.last, let line = screenLine(top + first) else {
      return
    }
    guard let drawing = picture.drawing else {
      for part in visible {
        let filling = String(repeating: picture.filling, count: columns)
        write(filling, line: top + part, column: 1, style: .dim, in: &frame)
      }
      return
    }
    let part = first..<last + 1
    let isEncoded = drawing.hasPixels(part)
    if isEncoded || budget > 0 && (!isMoving || part.count == height),
      let pixels = drawing.pixels(part, line: line, column: 1)
    {
      if !isEncoded { budget -= 1 }
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
  /// The drawing of the image or preview, if any.
  var drawing: ImageDrawing? {
    switch self {
    case .preview(let drawing), .shown(let drawing, _): drawing
    case .none, .loading, .failed: nil
    }
  }

  /// The remedy for a failure, if one is known.
  fileprivate var advice: String? {
    if case .failed(_, _, _, let advice) = self { advice } else { nil }
  }

  /// The character that fills the area without an image.
  fileprivate var filling: String {
    switch self {
    case .loading: "░"
    case .failed: "×"
    case .none, .preview, .shown: " "
    }
  }

  /// The state in words, and their style.
  fileprivate var words: (String, Style) {
    switch self {
    case .none: ("no image", .dim)
    case .loading: ("loading …", .dim)
    case .preview: ("preview, loading …", .dim)
    case .shown(_, let source): ("from \(source.words)", .dim)
    case .failed(let message, let isRetryable, let pause, _):
      ("failed\(isRetryable ? Self.retryHint(pause) : ""): \(message)", Style(foreground: .palette(1)))
    }
  }
}

extension BrowseView.Picture {
  /// Returns the part of a failure about a retry, `pause` after the failure.
  private static func retryHint(_ pause: Duration?) -> String {
    // Rounded up: an earlier retry would repeat the failure without a request.
    let time = pause.map { " in " + Duration.seconds(($0 / .seconds(1)).rounded(.up)).inWords } ?? ""
    return ", press r\(time) to retry"
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
  /// The status line. The most important numbers come first, for narrow terminals.
  var text: String {
    var parts = ["cached \(hits)", "no image \(blank) of \(pictures)"]
    if let wrong { parts.append("wrong \(wrong)") }
    parts.append("transfers \(transfers), \(running) active, \(cancelled) cancelled")
    parts.append(total.map { "items \(items) of \($0)" } ?? "items \(items)")
    return parts.joined(separator: "  ")
  }
}
