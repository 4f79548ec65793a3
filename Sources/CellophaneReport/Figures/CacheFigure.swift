/// The hit rate of the memory cache by size and eviction policy.
struct CacheFigure: Sendable {
  let curve: CacheCurve
  /// The size of the memory cache in the run, in bytes.
  let size: Int
  /// The eviction policy of the run.
  let policy: String

  var figure: Figure {
    let highest = Double(curve.sizes.last ?? 1)
    let plot = Plot(
      Box(left: 46, top: 40, width: Figure.column - 58, height: 260),
      x: Double(curve.sizes.first ?? 1)...highest, y: 0...100, xKind: .logarithmic)
    var drawing = plot.ground + plot.columns(about: 4, Quantity.roundBytes)
    drawing += plot.rows(at: [0, 25, 50, 75, 100]) { "\(Int($0)) %" }
    drawing +=
      plot.title(left: "hit rate of the memory cache") + plot.title(below: "size of the memory cache")
    drawing += impossible(plot)
    if plot.x.domain.contains(Double(size)) {
      let x = plot.x(Double(size))
      // The text stays within the drawing.
      let (anchor, shift) =
        x > plot.box.right - 60 ? ("end", plot.box.right - x) : x < 60 ? ("", -6) : ("middle", 0)
      drawing += #"<path class="mark" d="M\#(x) \#(plot.box.top)v\#(plot.box.height)"/>"#
      drawing +=
        #"<text class="tick \#(anchor)" x="\#(x + shift)" y="\#(plot.box.top - 22)">this run, \#(Quantity.bytes(Double(size)))</text>"#
    }
    var lines: [(swatch: String, meaning: String, ratio: Double)] = [("line bound", "the bound", 2)]
    for (index, line) in curve.rows.enumerated() {
      let isOwn = line.policy == policy
      let style = isOwn ? "line own" : "line other-\(index)"
      drawing += path(line.hitRatio, plot, style)
      lines.append((style, isOwn ? "\(line.policy), this run" : line.policy, middle(of: line.hitRatio)))
    }
    return Figure(
      id: "cache", title: "Hit rate of other memory caches",
      reading:
        "Each curve is an eviction policy, played with the requests of this run. The smallest cache is eight times the "
        + "largest image, because a cache refuses images above an eighth of its size. The largest keeps all. No policy can "
        + "reach the hatched region, not even one that knows all future requests.",
      panels: [
        Figure.Panel(
          drawing: drawing, width: Figure.column, height: 346,
          description:
            "Hit rate by size of the memory cache for \(curve.rows.count) policies and the upper bound.")
      ], layout: .single,
      // The highest mean hit rate first, as in the drawing.
      legend: lines.sorted { $0.ratio > $1.ratio }.map { ($0.swatch, $0.meaning) },
      remarks: [
        "\(Quantity.grouped(Double(curve.requests))) requests of the slots for "
          + "\(Quantity.grouped(Double(curve.keys))) images, without prefetching. "
          + (curve.belady == nil
            ? "The bound is PFOO-L, because the images differ in size."
            : "The bound is Belady's optimum, because all images have the same size.")
      ],
      table: Table(
        caption: "Hit rate by size of the memory cache",
        head: ["size"] + curve.rows.map(\.policy) + ["bound"],
        rows: curve.sizes.indices.map { index in
          [Quantity.bytes(Double(curve.sizes[index]))]
            + (curve.rows.map(\.hitRatio) + [limit]).map { Quantity.percent($0[index]) }
        }))
  }

  /// The upper bound of the hit rate for each size.
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
}
