/// One number of every case on a line of its own, with its 95 % interval.
struct IntervalChart: Sendable {
  let result: StudyResult
  let number: StudyNumber

  private static let line = 22.0
  /// The most lines of one drawing: a page of paper has room for as many.
  private static let mostLines = 36
  private static let mostCharacters = 34

  /// Drawings of all cases over the same scale; none where the number is known of none.
  var panels: [Figure.Panel] {
    guard let domain else { return [] }
    let names = result.cases.map { StudyResult.name(of: $0).clipped(to: Self.mostCharacters) }
    let left = max(90, Double(names.map(\.count).max() ?? 0) * 6.6 + 14)
    return stride(from: 0, to: result.cases.count, by: Self.mostLines).map { start in
      let range = start..<min(start + Self.mostLines, result.cases.count)
      let box = Box(
        left: left, top: 42, width: Figure.width - left - 150, height: Double(range.count) * Self.line)
      let plot = Plot(box, x: domain, y: 0...1)
      var drawing: Markup = #"<text class="subtitle" x="0" y="14">\#(title)</text>"#
      drawing += #"<text class="axis end" x="\#(box.left - 8)" y="34">\#(axis)</text>"#
      drawing += plot.ground + plot.columns(about: 6, number.format)
      if let first = result.cases.first?.metrics[number.path]?.mean, result.kind == .sweep {
        drawing += #"<path class="mark" d="M\#(plot.x(first)) \#(box.top)v\#(box.height)"/>"#
      }
      for (line, index) in range.enumerated() {
        let y = box.top + (Double(line) + 0.5) * Self.line
        drawing += #"<text class="tick end" x="\#(box.left - 8)" y="\#(y + 4)">\#(names[index])</text>"#
        drawing += self.line(of: result.cases[index], at: y, plot)
      }
      return Figure.Panel(
        drawing: drawing, height: box.bottom + 32, description: description(of: result.cases[range]))
    }
  }

  private var title: String {
    number.meaning + ", by " + result.parameters.map(SettingWords.option).joined(separator: ", ")
  }

  private var axis: String { result.parameters.joined(separator: "/").clipped(to: Self.mostCharacters) }

  /// From the lowest end of an interval to the highest, and a little more.
  private var domain: ClosedRange<Double>? {
    let numbers = result.cases.compactMap { $0.metrics[number.path] }
    let ends = numbers.flatMap { [$0.mean, $0.interval?.low, $0.interval?.high].compactMap(\.self) }
    guard let low = ends.min(), let high = ends.max() else { return nil }
    let margin = max((high - low) * 0.06, abs(high) * 0.02, 1e-9)
    return (low >= 0 ? max(0, low - margin) : low - margin)...(high + margin)
  }

  private func line(of one: StudyResult.Case, at y: Double, _ plot: Plot) -> Markup {
    let claim = result.claim(of: one, number)
    let style =
      switch claim {
      case .better: "better"
      case .worse: "worse"
      case .less, .more: "other"
      case nil: result.kind == .sweep ? "unproven" : "other"
      }
    var drawing: Markup =
      #"<text class="tick\#(claim == nil ? "" : " strong")" x="\#(plot.box.right + 10)" y="\#(y + 4)">\#(result.cell(one, number))</text>"#
    guard let found = one.metrics[number.path], let mean = found.mean else { return drawing }
    if let interval = found.interval {
      // An end that is not known lies beyond everything measured: the line goes on to the edge, and has no end there.
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
