/// A tornado chart: for each parameter two bars, the changes of the blank share if it is 50 % smaller and 50
/// % larger.
struct TornadoChart: Sendable {
  let tornado: StudyTornado

  private static let rowHeight = 34.0

  /// The drawing, or nil if no change is known.
  var panel: Figure.Panel? {
    let changes = tornado.rows.flatMap { [$0.half, $0.oneAndAHalf].compactMap(\.self) }
    let ends = changes.flatMap { [$0.mean, $0.interval?.low, $0.interval?.high].compactMap(\.self) }
    guard let largest = ends.map(abs).max(), largest > 0 else { return nil }
    let names = tornado.rows.map { (SettingLabels.words(ofScaled: $0.name) ?? $0.name).clipped(to: 44) }
    let left = Double(names.map(\.count).max() ?? 0) * 6.6 + 14
    let box = Box(
      left: left, top: 44, width: Figure.width - left - 190, height: Double(names.count) * Self.rowHeight)
    let plot = Plot(box, x: -largest * 1.04...largest * 1.04, y: 0...1)
    var drawing: Markup = #"<text class="axis" x="\#(box.left)" y="14">less blank ←</text>"#
    drawing += #"<text class="axis end" x="\#(box.right)" y="14">→ more blank</text>"#
    drawing += plot.columns(about: 6) { $0 == 0 ? "0" : StudyTornado.signed($0) }
    for (title, x) in [("-50 %", 90.0), ("+50 %", 182)] {
      drawing += #"<text class="axis end" x="\#(box.right + x)" y="\#(box.top - 8)">\#(title)</text>"#
    }
    for (index, row) in tornado.rows.enumerated() {
      let top = box.top + Double(index) * Self.rowHeight
      let middle = top + Self.rowHeight / 2 + 4
      drawing += #"<path class="grid" d="M0 \#(top + Self.rowHeight)H\#(Figure.width)"/>"#
      drawing += #"<text class="tick end" x="\#(box.left - 8)" y="\#(middle)">\#(names[index])</text>"#
      for (change, style, y, x) in [(row.half, "half", 5.0, 90.0), (row.oneAndAHalf, "half-more", 18, 182)] {
        drawing += bar(of: change, style, top: top + y, plot)
        let text = tornado.text(change)
        drawing += #"<text class="tick end" x="\#(box.right + x)" y="\#(middle)">\#(text)</text>"#
      }
    }
    drawing += #"<path class="zero" d="M\#(plot.x(0)) \#(box.top)v\#(box.height)"/>"#
    drawing +=
      #"<text class="axis end" x="\#(box.right)" y="\#(box.bottom + 36)">change of the blank share, in percentage points (pp)</text>"#
    return Figure.Panel(drawing: drawing, height: box.bottom + 44, description: description)
  }

  private func bar(of change: MetricDifference?, _ style: String, top: Double, _ plot: Plot) -> Markup {
    guard let change, let mean = change.mean else { return "" }
    let (zero, end) = (plot.x(0), plot.x(mean))
    let faint = tornado.isShown(change) ? "" : " faint"
    let bar: Markup =
      #"<rect class="\#(style)\#(faint)" x="\#(min(zero, end))" y="\#(top)" width="\#(abs(end - zero))" height="11"/>"#
    guard let interval = change.interval else { return bar }
    let low = interval.low.map { plot.x($0) } ?? plot.box.left
    let high = interval.high.map { plot.x($0) } ?? plot.box.right
    return bar + #"<path class="interval" d="M\#(low) \#(top + 5.5)H\#(high)"/>"#
  }

  private var description: String {
    "Change of the blank share at -50 % and +50 % of each parameter, the largest first: "
      + tornado.rows.map {
        "\($0.name) \(tornado.text($0.half)) and \(tornado.text($0.oneAndAHalf))"
      }.joined(separator: "; ") + "."
  }

  /// The changes as a table.
  var table: Table {
    Table(
      caption: "Change of the blank share by parameter", head: ["parameter", "-50 %", "+50 %"],
      rows: tornado.rows.map { row in
        [SettingLabels.scaled(row.name)] + [row.half, row.oneAndAHalf].map { tornado.text($0) }
      })
  }
}
