internal import CellophaneResults

/// A frame of the simulation as lines of text, with a small screen on the left and numbers on the right.
struct LiveScreen {
  let frame: LiveFrame
  /// The blank shares of the last intervals.
  let history: [Double]
  /// The blank share of the run so far.
  let blankSoFar: Double
  /// The duration of the run.
  let duration: Duration
  /// The numbers of finished and of all replicas.
  let replicas: (over: Int, all: Int)
  /// The title line.
  let title: String
  /// True if slots show previews.
  let showsPreviews: Bool
  let usesColor: Bool

  /// The smallest terminal for the screen and the numbers. Smaller ones show only the numbers.
  private static let smallest = (columns: 56, lines: 11)
  /// The maximum height of the small screen. It is enough to show the gaps between the rows of most lists.
  private static let mostRows = 32

  /// Returns at most `lines` lines of at most `columns` characters.
  func lines(columns: Int, lines: Int) -> [String] {
    guard columns >= Self.smallest.columns, lines >= Self.smallest.lines else {
      return Array(numbers(columns: columns).filter { !$0.isEmpty }.prefix(max(0, lines - 1)))
    }
    let rows = min(Self.mostRows, lines - 4)
    // A character is about twice as high as it is wide.
    let width = min(max(12, Int(Double(rows) * 2 * frame.width / frame.height)), columns - 34)
    let screen = screen(rows: rows, columns: width)
    let numbers = numbers(columns: columns - width - 5)
    var text = [fit(title, columns)]
    text.append("┌" + String(repeating: "─", count: width) + "┐")
    for (index, row) in screen.enumerated() {
      text.append("│" + row + "│  " + (numbers.indices.contains(index) ? numbers[index] : ""))
    }
    text.append("└" + String(repeating: "─", count: width) + "┘")
    return text
  }

  private func fit(_ line: String, _ columns: Int) -> String { String(line.prefix(columns)) }

  // MARK: The screen

  private enum Dot: Hashable { case empty, text, blank, preview, image }

  private func screen(rows: Int, columns: Int) -> [String] {
    (0..<rows).map { row in
      let dots = (0..<columns).map { column in
        dot(
          x: (Double(column) + 0.5) / Double(columns) * frame.width,
          y: (Double(row) + 0.5) / Double(rows) * frame.height)
      }
      return painted(dots)
    }
  }

  private func dot(x: Double, y: Double) -> Dot {
    guard let cell = frame.cells.first(where: { $0.top <= y && y < $0.top + $0.height }) else {
      return .empty
    }
    let inside = frame.cells.first {
      $0.top <= y && y < $0.top + $0.height && $0.left <= x && x < $0.left + $0.width
    }
    if let inside {
      switch inside.content {
      case .blank: return .blank
      case .preview: return .preview
      case .picture: return .image
      }
    }
    // The text of a row is drawn beside its image, unless there is another image.
    let isAlone = !frame.cells.contains { $0.top == cell.top && $0.left != cell.left }
    let isText =
      isAlone && x > cell.left + cell.width + 16 && x < frame.width * 0.85 && cell.width * 2 < frame.width
    return isText && abs(y - cell.top - cell.height / 2) < cell.height * 0.3 ? .text : .empty
  }

  /// Returns the dots as characters, with a color sequence where the color changes.
  private func painted(_ dots: [Dot]) -> String {
    var text = ""
    var last: Dot?
    for dot in dots {
      if usesColor, dot != last { text += Self.color(dot) }
      text += Self.character(dot)
      last = dot
    }
    return usesColor ? text + Self.plain : text
  }

  private static func character(_ dot: Dot) -> String {
    switch dot {
    case .empty: " "
    case .text: "─"
    case .blank: "·"
    case .preview: "▒"
    case .image: "█"
    }
  }

  private static let plain = "\u{1B}[0m"

  private static func color(_ dot: Dot) -> String {
    switch dot {
    case .empty: plain
    case .text: "\u{1B}[0;90m"
    case .blank: "\u{1B}[0;33m"
    case .preview: "\u{1B}[0;36m"
    case .image: "\u{1B}[0;34m"
    }
  }

  // MARK: The numbers

  private func numbers(columns: Int) -> [String] {
    let share = frame.area > 0 ? frame.blank / frame.area : 0
    let done = min(1, max(0, frame.time / duration))
    let rows = frame.cells.map(\.row)
    let direction = frame.velocity > 0 ? "down" : "up"
    let speed = frame.velocity == 0 ? "at rest" : "\(Int(abs(frame.velocity))) px/s \(direction)"
    return [
      "time        \(Text.decimal(frame.time / .seconds(1))) of \(Text.decimal(duration / .seconds(1))) s",
      bar(done, columns: min(28, columns)),
      "",
      "blank now   " + Self.percent(share),
      "average     " + Self.percent(blankSoFar),
      "over time   " + Self.sparkline(history.suffix(max(0, min(28, columns - 12)))),
      "",
      "speed       " + speed,
      "rows        " + (rows.min().map { "\($0) to \(rows.max() ?? $0)" } ?? "none"),
      "transfers   \(frame.inFlight) "
        + String(repeating: "■", count: min(frame.inFlight, max(0, columns - 16))),
      replicas.all > 1 ? "replicas    \(replicas.over) of \(replicas.all) done" : "",
      "█ image  " + (showsPreviews ? "▒ preview  " : "") + "· blank",
    ].map { fit($0, columns) }
  }

  private func bar(_ share: Double, columns: Int) -> String {
    let full = Int((share * Double(columns)).rounded())
    return String(repeating: "━", count: full) + String(repeating: "╌", count: columns - full)
  }

  private static func percent(_ share: Double) -> String { Text.decimal(share * 100) + " %" }

  /// Returns shares as a row of bars. A share above 0 always has a visible bar.
  static func sparkline(_ shares: some Sequence<Double>) -> String {
    let bars = Array("▁▂▃▄▅▆▇█")
    return String(
      shares.map { share in share <= 0 ? " " : bars[min(bars.count - 1, Int(share * Double(bars.count)))] })
  }
}
