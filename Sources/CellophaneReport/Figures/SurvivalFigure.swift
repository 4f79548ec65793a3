/// The share of rows without their image by the time since they entered the screen.
struct SurvivalFigure: Sendable {
  private let curves: [SurvivalCurve]

  /// Creates the figure from the curves that have waits. The curve of the oracle has none: it is a bound of
  /// the blank share and has no rows.
  init(curves: [SurvivalCurve]) { self.curves = curves.filter { $0.longest != nil } }

  /// The start of the time axis, in ms: less than a frame.
  private static let shortest = 10.0

  var figure: Figure? {
    guard let longest = curves.compactMap(\.longest).max(), longest > Self.shortest else { return nil }
    let plot = Plot(
      Box(left: 46, top: 26, width: Figure.column - 58, height: 260), x: Self.shortest...longest,
      y: 0...100, xKind: .logarithmic)
    var drawing = plot.ground + plot.columns(about: 4) { Quantity.wait($0) }
    drawing += plot.rows(at: [0, 25, 50, 75, 100]) { "\(Int($0)) %" }
    drawing += plot.title(left: "rows without their image")
    drawing += plot.title(below: "time since the row entered the screen")
    for (index, curve) in curves.enumerated() {
      drawing += path(curve, plot, Self.style(of: index))
    }
    return Figure(
      id: "survival", title: "Time to image",
      reading:
        "Each curve is the share of rows that lack their image after a time; lower is better. At its left end are "
        + "the rows without an image in their first frame. Rows that left the screen without their image lack it to the "
        + "end, so a curve may end above 0.",
      panels: [
        Figure.Panel(
          drawing: drawing, width: Figure.column, height: 332,
          description: curves.map {
            "\($0.title): \(Quantity.percent($0.surviving(after: 0))) of the rows lacked their image at first, "
              + "\(Quantity.percent($0.surviving(after: 100))) after 100 ms, "
              + "\(Quantity.percent($0.surviving(after: 1000))) after 1 s."
          }.joined(separator: " "))
      ], layout: .single,
      legend: curves.enumerated().map { ("line " + Self.style(of: $0), $1.title) },
      remarks: [
        "The curves count all rows. A mean of only the finished waits would omit the rows that never had their image."
      ],
      table: Table(
        caption: "Share of rows without their image", head: ["after"] + curves.map(\.title),
        rows: [0, 50, 100, 250, 500, 1_000, 2_000, 5_000].map { wait in
          [Quantity.wait(wait)] + curves.map { Quantity.percent($0.surviving(after: wait)) }
        }))
  }

  private static func style(of index: Int) -> String { ["own", "naive", "third"][min(index, 2)] }

  private func path(_ curve: SurvivalCurve, _ plot: Plot, _ style: String) -> Markup {
    var path = Path()
    var last = curve.surviving(after: Self.shortest)
    path.move(plot.box.left, plot.y(last * 100))
    for (wait, surviving) in zip(curve.waits, curve.surviving) where wait > Self.shortest {
      path.line(plot.x(wait), plot.y(last * 100))
      path.line(plot.x(wait), plot.y(surviving * 100))
      last = surviving
    }
    path.line(plot.x(max(curve.longest ?? 0, Self.shortest)), plot.y(last * 100))
    return path.element("line " + style)
  }
}

extension SurvivalCurve {
  /// The name of the loader in figures.
  fileprivate var title: String { LoaderUnderTest(rawValue: loader)?.title ?? loader }
}
