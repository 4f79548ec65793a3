/// The screen, the blank share and the speed over time.
struct ScrollFigure: Sendable {
  let pair: RunPair

  private static let left = 46.0
  private static let width = Figure.column - left - 12

  var figure: Figure {
    Figure(
      id: "scroll", title: "Screen over time",
      reading:
        "Time runs to the right. Each vertical line of the first strip is the screen at one time. Rows are level bands "
        + "while the list is at rest, and slopes while it moves. Orange is a missing image.",
      panels: pair.panels(panel), layout: .pair, legend: (pair.runs.last?.recording.statesShown ?? []))
  }

  private func panel(of run: RunPair.Run) -> Figure.Panel {
    let recording = run.recording
    let seconds = 0...pair.duration.seconds
    let samples = recording.series.samples
    func plot(_ top: Double, _ height: Double, _ y: ClosedRange<Double>, isInverted: Bool = false) -> Plot {
      Plot(
        Box(left: Self.left, top: top, width: Self.width, height: height), x: seconds, y: y,
        isInverted: isInverted)
    }
    let screen = plot(24, 150, 0...Double(max(recording.viewport[1], 1)), isInverted: true)
    let blank = plot(212, 70, 0...100)
    let speeds = samples.map { abs($0.velocity) }
    let speed = plot(320, 60, 0...max(Self.common(speeds), 1))
    var drawing: Markup = ""
    for (plot, title) in [
      (screen, "screen, from top to bottom"), (blank, "blank share of the image area"),
      (speed, "speed in px/s, up or down; jumps are cut off"),
    ] {
      drawing += plot.ground + plot.title(left: title)
    }
    drawing += blank.seconds(withLabels: false) + blank.rows(at: [0, 50, 100]) { "\(Int($0)) %" }
    drawing += speed.seconds() + speed.rows(about: 2) { Quantity.grouped($0) }
    drawing += screen.zooming(
      ScreenStrip(recording: recording, plot: screen).drawing(), id: "strip-" + run.key)
    drawing += blank.zooming(
      area(samples.map { ($0.blankShare ?? 0) * 100 }, recording, blank, "blank"), id: "blank-" + run.key)
    drawing += speed.zooming(area(speeds, recording, speed, "speed"), id: "speed-" + run.key)
    let average = samples.reduce((0.0, 0.0)) { ($0.0 + $1.blank, $0.1 + $1.area) }
    return Figure.Panel(
      drawing: drawing, width: Figure.column, height: speed.box.bottom + 30,
      description: "The screen over time with the blank share and the speed. On average "
        + "\(Quantity.percent(average.1 > 0 ? average.0 / average.1 : 0)) of the image area was blank.",
      axis: TimeAxis(
        run: run.key, seconds: screen.x.domain, left: Self.left, top: screen.box.top, width: Self.width,
        height: speed.box.bottom - screen.box.top))
  }

  /// Returns the upper end of the speed axis: 1.2 times the 95th percentile of the speeds above 0. The
  /// maximum would not do: a jump to the top is so fast that flicks would be invisible.
  private static func common(_ speeds: [Double]) -> Double {
    let moving = speeds.filter { $0 > 0 }.sorted()
    guard !moving.isEmpty else { return 0 }
    return moving[min(moving.count - 1, moving.count * 95 / 100)] * 1.2
  }

  /// Returns a filled step curve of one value per sample.
  private func area(_ values: [Double], _ recording: Recording, _ plot: Plot, _ style: String) -> Markup {
    guard !values.isEmpty else { return "" }
    var path = Path()
    path.move(plot.box.left, plot.y(0))
    for (index, value) in values.enumerated() {
      let start = plot.x((Int64(index) * recording.series.step).seconds)
      let end = plot.x((Int64(index + 1) * recording.series.step).seconds)
      path.line(start, plot.y(value))
      path.line(end, plot.y(value))
    }
    path.line(plot.x(recording.duration.seconds), plot.y(0))
    path.close()
    return path.element("area " + style)
  }
}
