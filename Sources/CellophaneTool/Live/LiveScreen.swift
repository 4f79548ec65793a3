internal import CellophaneResults

/// A frame of the simulation as lines of text: the screen of the naive loader, that of Cellophane, and numbers.
struct LiveScreen {
  /// The frame of the naive loader at the same time.
  struct Other {
    /// The frame and the blank share up to it; nil if the run has not reached this time.
    let frame: LiveFrame?
    let blankSoFar: Double?
  }

  let frame: LiveFrame
  /// The naive loader; nil if it is not played.
  var naive: Other?
  /// The blank shares of the last intervals.
  let history: [Double]
  /// The blank share of the run so far.
  let blankSoFar: Double
  /// The duration of the run.
  let duration: Duration
  /// The numbers of finished and of all replicas.
  let replicas: (over: Int, all: Int)
  /// The name of the loader under test.
  var loader = "cellophane"
  /// The title line.
  let title: String
  /// True if slots show previews.
  let showsPreviews: Bool
  let usesColor: Bool

  /// The smallest terminal for the screen and the numbers. Smaller ones show only the numbers.
  private static let smallest = (columns: 56, lines: 11)
  /// The columns of the numbers and of the frames around the screens.
  private static let rest = 36
  /// The fewest columns of a screen.
  private static let narrowest = 12
  /// The maximum height of the small screen. It is enough to show the gaps between the rows of most lists.
  private static let mostRows = 32

  /// Returns at most `lines` lines of at most `columns` characters.
  func lines(columns: Int, lines: Int) -> [String] {
    guard columns >= Self.smallest.columns, lines >= Self.smallest.lines else {
      return Array(numbers(columns: columns).filter { !$0.isEmpty }.prefix(max(0, lines - 1)))
    }
    let rows = min(Self.mostRows, lines - 4)
    // A character is about twice as high as it is wide.
    let natural = max(Self.narrowest, Int(Double(rows) * 2 * frame.width / frame.height))
    // A second screen has two more borders and a gap.
    let half = (columns - Self.rest - 3) / 2
    let isPair = naive != nil && half >= Self.narrowest
    let width = min(natural, isPair ? half : columns - Self.rest)
    let shown = isPair ? [("naive", naive?.frame), (loader, frame)] : [(loader, frame)]
    let screens = shown.map { screen(of: $0.1, rows: rows, columns: width) }
    let numbers = numbers(columns: columns - shown.count * (width + 3) - 2)
    var text = [fit(title, columns)]
    text.append(shown.map { Self.border($0.0, width) }.joined(separator: " "))
    for index in 0..<rows {
      let row = screens.map { "│" + $0[index] + "│" }.joined(separator: " ")
      text.append(row + "  " + (numbers.indices.contains(index) ? numbers[index] : ""))
    }
    text.append(shown.map { _ in "└" + String(repeating: "─", count: width) + "┘" }.joined(separator: " "))
    return text
  }

  /// Returns the upper border of a screen of `width` columns with its `name`.
  private static func border(_ name: String, _ width: Int) -> String {
    let line = "─" + String((" " + name + " ").prefix(width - 1))
    return "┌" + line + String(repeating: "─", count: width - line.count) + "┐"
  }

  private func fit(_ line: String, _ columns: Int) -> String { String(line.prefix(columns)) }

  // MARK: The screen

  private enum Dot: Hashable { case empty, text, blank, preview, image }

  /// Returns the screen of `frame`, which is empty without one.
  private func screen(of frame: LiveFrame?, rows: Int, columns: Int) -> [String] {
    (0..<rows).map { row in
      let dots = (0..<columns).map { column -> Dot in
        guard let frame else { return .empty }
        return Self.dot(
          of: frame, x: (Double(column) + 0.5) / Double(columns) * frame.width,
          y: (Double(row) + 0.5) / Double(rows) * frame.height)
      }
      return painted(dots)
    }
  }

  private static func dot(of frame: LiveFrame, x: Double, y: Double) -> Dot {
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
    let done = min(1, max(0, frame.time / duration))
    let rows = frame.cells.map(\.row)
    let direction = frame.velocity > 0 ? "down" : "up"
    let speed = frame.velocity == 0 ? "at rest" : "\(Int(abs(frame.velocity))) px/s \(direction)"
    let lines =
      [
        "time        \(Text.decimal(frame.time / .seconds(1))) of \(Text.decimal(duration / .seconds(1))) s",
        bar(done, columns: min(28, columns)),
        "",
      ]
      + blank
      + [
        "over time   " + Self.sparkline(history.suffix(max(0, min(28, columns - 12)))),
        "",
        "speed       " + speed,
        "rows        " + (rows.min().map { "\($0) to \(rows.max() ?? $0)" } ?? "none"),
        "transfers   \(frame.inFlight) "
          + String(repeating: "■", count: min(frame.inFlight, max(0, columns - 16))),
        replicas.all > 1 ? "replicas    \(replicas.over) of \(replicas.all) done" : "",
        "█ image  " + (showsPreviews ? "▒ preview  " : "") + "· blank",
      ]
    return lines.map { fit($0, columns) }
  }

  /// The blank shares of this frame and so far: of Cellophane, or of both loaders.
  private var blank: [String] {
    let (now, average) = (Self.share(of: frame), Self.percent(blankSoFar))
    guard let naive else { return ["blank now   " + now, "average     " + average] }
    let other = (naive.frame.map(Self.share) ?? "–", naive.blankSoFar.map(Self.percent) ?? "–")
    return [("blank", "naive", loader), ("now", other.0, now), ("average", other.1, average)].map {
      $0.0.padding(8) + $0.1.paddedLeft(9) + $0.2.paddedLeft(12)
    }
  }

  private static func share(of frame: LiveFrame) -> String {
    percent(frame.area > 0 ? frame.blank / frame.area : 0)
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

extension String {
  /// Returns the text with spaces after it, or before it, up to `width` characters.
  fileprivate func padding(_ width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
  fileprivate func paddedLeft(_ width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
