/// How the memory cache's size and policy decide how often it answers.
struct CacheFigure: Sendable {
  let curve: CacheCurve
  /// The size of the memory cache that was played, in bytes.
  let size: Int
  /// Its policy.
  let policy: String

  var figure: Figure {
    let highest = Double(curve.sizes.last ?? 1)
    let plot = Plot(
      Box(left: 64, top: 26, width: Figure.width - 64 - 190, height: 360),
      x: Double(curve.sizes.first ?? 1)...highest, y: 0...100, xKind: .logarithmic)
    var drawing = plot.ground + plot.columns(about: 6, Quantity.roundBytes)
    drawing += plot.rows(at: [0, 25, 50, 75, 100]) { "\(Int($0)) %" }
    drawing +=
      plot.title(left: "requests answered by the cache") + plot.title(below: "size of the memory cache")
    drawing += impossible(plot)
    if plot.x.domain.contains(Double(size)) {
      let x = plot.x(Double(size))
      drawing += #"<path class="mark" d="M\#(x) \#(plot.box.top)v\#(plot.box.height)"/>"#
      drawing +=
        #"<text class="tick middle" x="\#(x)" y="\#(plot.box.top - 6)">this run, \#(Quantity.bytes(Double(size)))</text>"#
    }
    var ends: [(name: String, style: String, ratio: Double)] = []
    for (index, line) in curve.lines.enumerated() {
      let style = line.policy == policy ? "line own" : "line other-\(index)"
      drawing += path(line.hitRatio, plot, style)
      ends.append((line.policy, style, middle(of: line.hitRatio)))
    }
    drawing += labels(ends, plot)
    return Figure(
      id: "cache", title: "What another cache would have done",
      reading:
        "Each line is a rule for what a full cache throws away first, on this run's own requests, from a cache "
        + "of four pictures to one that keeps all. No rule can enter the hatched region, not even one that knows the future.",
      panels: [
        Figure.Panel(
          drawing: drawing, height: 430,
          description:
            "Hit ratio by size of the memory cache for \(curve.lines.count) policies and the upper bound.")
      ],
      remarks: [
        "\(Quantity.grouped(Double(curve.requests))) requests for \(Quantity.grouped(Double(curve.keys))) pictures, as "
          + "the slots made them, without prefetching. "
          + (curve.belady == nil
            ? "The bound is PFOO-L: pictures differ in size."
            : "The bound is Belady's: all pictures cost the same.")
      ],
      table: Table(
        caption: "The share of requests answered, by size",
        head: ["size"] + curve.lines.map(\.policy) + ["bound"],
        rows: curve.sizes.indices.map { index in
          [Quantity.bytes(Double(curve.sizes[index]))]
            + (curve.lines.map(\.hitRatio) + [limit]).map { Quantity.percent($0[index]) }
        }))
  }

  /// What no cache reaches.
  private var limit: [Double] { curve.belady ?? curve.bound }

  private func impossible(_ plot: Plot) -> Markup {
    var region = Path()
    region.move(plot.box.left, plot.box.top)
    for (size, ratio) in zip(curve.sizes, limit) { region.line(plot.x(Double(size)), plot.y(ratio * 100)) }
    region.line(plot.box.right, plot.box.top)
    region.close()
    return region.element("impossible") + path(limit, plot, "line bound")
  }

  private func path(_ ratios: [Double], _ plot: Plot, _ style: String) -> Markup {
    var path = Path()
    for (index, point) in zip(curve.sizes, ratios).enumerated() {
      let (x, y) = (plot.x(Double(point.0)), plot.y(point.1 * 100))
      index == 0 ? path.move(x, y) : path.line(x, y)
    }
    return path.element(style)
  }

  private func middle(of ratios: [Double]) -> Double { ratios.reduce(0, +) / Double(max(1, ratios.count)) }

  /// The names of the lines, beside the plot, the best above.
  private func labels(_ lines: [(name: String, style: String, ratio: Double)], _ plot: Plot) -> Markup {
    let x = plot.box.right + 18
    let all = [(name: "the bound", style: "line bound", ratio: 2.0)] + lines
    return all.sorted { $0.ratio > $1.ratio }.enumerated().map { index, line -> Markup in
      let y = plot.box.top + 14 + Double(index) * 22
      let name = line.name == policy ? "\(line.name), this run" : line.name
      return #"<path class="\#(line.style)" d="M\#(x) \#(y)h26"/>"#
        + #"<text class="label" x="\#(x + 34)" y="\#(y + 4)">\#(name)</text>"#
    }.joined()
  }
}
