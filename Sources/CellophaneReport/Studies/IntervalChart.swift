/// A dot chart of a metric: one row per case, with the 95 % interval.
struct IntervalChart: Sendable {
  let result: StudyResult
  let number: StudyNumber

  private static let rowHeight = 22.0
  /// The maximum number of rows of a drawing: as many as a printed page holds.
  private static let maxRows = 36
  private static let maxCharacters = 40

  /// Drawings of all cases over the same scale; empty if no case has a value.
  var panels: [Figure.Panel] {
    guard let domain else { return [] }
    let names = result.cases.map { StudyResult.name(of: $0).clipped(to: Self.maxCharacters) }
    // 8.6: the width of a character of the larger labels on a phone, in px.
    let left = max(90, Double((names + [axis]).map(\.count).max() ?? 0) * 8.6 + 14)
    return stride(from: 0, to: result.cases.count, by: Self.maxRows).map { start in
      let range = start..<min(start + Self.maxRows, result.cases.count)
      let box = Box(
        left: left, top: 42, width: Figure.width - left - 150, height: Double(range.count) * Self.rowHeight)
      let plot = Plot(box, x: domain, y: 0...1)
      var drawing: Markup = #"<text class="subtitle" x="0" y="14">\#(title)</text>"#
      drawing += #"<text class="axis end" x="\#(box.left - 8)" y="34">\#(axis)</text>"#
      drawing += plot.ground + plot.columns(about: 6, number.format)
      if let first = result.cases.first?.metrics[number.path]?.mean, result.comparesCases {
        drawing += #"<path class="mark" d="M\#(plot.x(first)) \#(box.top)v\#(box.height)"/>"#
      }
      for (row, index) in range.enumerated() {
        let y = box.top + (Double(row) + 0.5) * Self.rowHeight
        drawing += #"<text class="tick end" x="\#(box.left - 8)" y="\#(y + 4)">\#(names[index])</text>"#
        drawing += marks(of: result.cases[index], at: y, plot)
      }
      return Figure.Panel(
        drawing: drawing, height: box.bottom + 32, description: description(of: result.cases[range]))
    }
  }

  private var title: String {
    number.meaning + ", by " + result.parameters.map(SettingLabels.option).joined(separator: ", ")
  }

  private var axis: String { result.parameters.joined(separator: "/").clipped(to: Self.maxCharacters) }

  /// The range of all values and intervals, with a margin.
  private var domain: ClosedRange<Double>? {
    let numbers = result.cases.compactMap { $0.metrics[number.path] }
    let ends = numbers.flatMap { [$0.mean, $0.interval?.low, $0.interval?.high].compactMap(\.self) }
    guard let low = ends.min(), let high = ends.max() else { return nil }
    let margin = max((high - low) * 0.06, abs(high) * 0.02, 1e-9)
    return (low >= 0 ? max(0, low - margin) : low - margin)...(high + margin)
  }

  /// Returns the text, the interval and the dot of a case.
  private func marks(of one: StudyResult.Case, at y: Double, _ plot: Plot) -> Markup {
    let claim = result.claim(of: one, number)
    let style =
      switch claim {
      case .better: "better"
      case .worse: "worse"
      case .less, .more: "other"
      case nil: result.comparesCases ? "unproven" : "other"
      }
    var drawing: Markup =
      #"<text class="tick\#(claim == nil ? "" : " strong")" x="\#(plot.box.right + 10)" y="\#(y + 4)">\#(result.cell(one, number))</text>"#
    guard let found = one.metrics[number.path], let mean = found.mean else { return drawing }
    if let interval = found.interval {
      // An unknown end lies beyond all measured values: the interval reaches the edge of the plot and has no
      // cap there.
      let low = interval.low.map { plot.x($0) } ?? plot.box.left
      let high = interval.high.map { plot.x($0) } ?? plot.box.right
      let ends = [interval.low, interval.high].compactMap(\.self).map { end -> Markup in
        "M\(plot.x(end)) \(y - 4)v8"
      }.joined()
      drawing += #"<path class="interval" d="M\#(low) \#(y)H\#(high)\#(ends)"/>"#
    }
    return drawing + #"<circle class="dot \#(style)" cx="\#(plot.x(mean))" cy="\#(y)" r="4.5"/>"#
  }

  private func description(of cases: ArraySlice<StudyResult.Case>) -> String {
    number.meaning + ": "
      + cases.map { "\(StudyResult.name(of: $0)) \(result.cell($0, number))" }.joined(separator: ", ") + "."
  }
}
