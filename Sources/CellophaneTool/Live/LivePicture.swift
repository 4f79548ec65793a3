internal import CellophaneSimulation

/// A frame as lines of text: the screen in small at the left, numbers beside it.
struct LivePicture {
  let frame: LiveFrame
  /// The shares of the picture area that were blank, one for each of the last moments.
  let history: [Double]
  /// The share over the run so far.
  let blankSoFar: Double
  /// How long the run is.
  let duration: Duration
  /// How many replicas are over, of how many.
  let replicas: (over: Int, all: Int)
  /// What is played, in a line.
  let title: String
  /// Whether slots show what has arrived of a picture.
  let showsPreviews: Bool
  let usesColour: Bool

  /// The smallest terminal that the screen and the numbers fit in beside each other; on smaller ones there are numbers.
  private static let smallest = (columns: 56, lines: 11)
  /// The most lines of the small screen: with as many there are gaps between the rows of most lists.
  private static let mostRows = 32

  /// The lines, none longer than `columns`, at most `lines` of them.
  func lines(columns: Int, lines: Int) -> [String] {
    guard columns >= Self.smallest.columns, lines >= Self.smallest.lines else {
      return Array(facts(columns: columns).filter { !$0.isEmpty }.prefix(max(0, lines - 1)))
    }
    let rows = min(Self.mostRows, lines - 4)
    // A character is about twice as high as it is wide.
    let width = min(max(12, Int(Double(rows) * 2 * frame.width / frame.height)), columns - 34)
    let screen = screen(rows: rows, columns: width)
    let facts = facts(columns: columns - width - 5)
    var text = [fit(title, columns)]
    text.append("┌" + String(repeating: "─", count: width) + "┐")
    for (index, row) in screen.enumerated() {
      text.append("│" + row + "│  " + (facts.indices.contains(index) ? facts[index] : ""))
    }
    text.append("└" + String(repeating: "─", count: width) + "┘")
    return text
  }

  private func fit(_ line: String, _ columns: Int) -> String { String(line.prefix(columns)) }

  // MARK: The screen

  private enum Dot: Hashable { case nothing, words, blank, preview, picture }

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
      return .nothing
    }
    let inside = frame.cells.first {
      $0.top <= y && y < $0.top + $0.height && $0.left <= x && x < $0.left + $0.width
    }
    if let inside {
      switch inside.content {
      case .blank: return .blank
      case .preview: return .preview
      case .picture: return .picture
      }
    }
    // The text of a row beside its picture, where no other is beside it.
    let isAlone = !frame.cells.contains { $0.top == cell.top && $0.left != cell.left }
    let isText =
      isAlone && x > cell.left + cell.width + 16 && x < frame.width * 0.85 && cell.width * 2 < frame.width
    return isText && abs(y - cell.top - cell.height / 2) < cell.height * 0.3 ? .words : .nothing
  }

  /// The dots as characters, with a change of colour only where there is one.
  private func painted(_ dots: [Dot]) -> String {
    var text = ""
    var last: Dot?
    for dot in dots {
      if usesColour, dot != last { text += Self.colour(dot) }
      text += Self.character(dot)
      last = dot
    }
    return usesColour ? text + Self.plain : text
  }

  private static func character(_ dot: Dot) -> String {
    switch dot {
    case .nothing: " "
    case .words: "─"
    case .blank: "·"
    case .preview: "▒"
    case .picture: "█"
    }
  }

  private static let plain = "\u{1B}[0m"

  private static func colour(_ dot: Dot) -> String {
    switch dot {
    case .nothing: plain
    case .words: "\u{1B}[0;90m"
    case .blank: "\u{1B}[0;33m"
    case .preview: "\u{1B}[0;36m"
    case .picture: "\u{1B}[0;34m"
    }
  }

  // MARK: The numbers

  private func facts(columns: Int) -> [String] {
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
      "so far      " + Self.percent(blankSoFar),
      Self.sparkline(history.suffix(min(28, columns))),
      "",
      "speed       " + speed,
      "rows        " + (rows.min().map { "\($0) to \(rows.max() ?? $0)" } ?? "none"),
      "transfers   \(frame.inFlight) "
        + String(repeating: "■", count: min(frame.inFlight, max(0, columns - 16))),
      replicas.all > 1 ? "replicas    \(replicas.over) of \(replicas.all) over" : "",
      "█ picture  " + (showsPreviews ? "▒ preview  " : "") + "· blank",
    ].map { fit($0, columns) }
  }

  private func bar(_ share: Double, columns: Int) -> String {
    let full = Int((share * Double(columns)).rounded())
    return String(repeating: "━", count: full) + String(repeating: "╌", count: columns - full)
  }

  private static func percent(_ share: Double) -> String { Text.decimal(share * 100) + " %" }

  /// Shares as a row of bars; one that is not 0 is never empty.
  static func sparkline(_ shares: some Sequence<Double>) -> String {
    let bars = Array("▁▂▃▄▅▆▇█")
    return String(
      shares.map { share in share <= 0 ? " " : bars[min(bars.count - 1, Int(share * Double(bars.count)))] })
  }
}
