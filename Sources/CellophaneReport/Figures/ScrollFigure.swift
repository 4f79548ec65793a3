/// The screen, the blank share, the speed and the scroll position over time.
struct ScrollFigure: Sendable {
  let recording: Recording
  /// The end of the time axis, in s; nil for that of the recording.
  var seconds: Double?

  var figure: Figure {
    let seconds = 0...max(seconds ?? recording.duration.seconds, 0.001)
    let left = 64.0
    let width = Figure.width - left - 16
    let screen = Plot(
      Box(left: left, top: 24, width: width, height: 150), x: seconds,
      y: 0...Double(max(recording.viewport[1], 1)), isInverted: true)
    let blank = Plot(Box(left: left, top: 214, width: width, height: 80), x: seconds, y: 0...100)
    let speeds = recording.series.samples.map { abs($0.velocity) }
    let speed = Plot(
      Box(left: left, top: 334, width: width, height: 80), x: seconds, y: 0...max(Self.common(speeds), 1))
    let offsets = recording.series.samples.map(\.offset)
    let position = Plot(
      Box(left: left, top: 454, width: width, height: 80), x: seconds, y: 0...max(offsets.max() ?? 1, 1),
      isInverted: true)
    var drawing = screen.ground + ScreenStrip(recording: recording, plot: screen).drawing()
    drawing += screen.title(left: "screen, from top to bottom")
    drawing += blank.ground + blank.columns(about: 10, nil) + blank.rows(at: [0, 50, 100]) { "\(Int($0)) %" }
    drawing += blank.title(left: "blank share of the image area")
    drawing += area(recording.series.samples.map { ($0.blankShare ?? 0) * 100 }, blank, "blank")
    drawing += speed.ground + speed.columns(about: 10, nil)
    drawing +=
      speed.rows(about: 2) { Quantity.grouped($0) }
      + speed.title(left: "speed in px/s, up or down; jumps are cut off")
    drawing += area(speeds, speed, "speed")
    drawing += position.ground + position.columns(about: 10) { Quantity.short($0) + " s" }
    drawing +=
      position.rows(about: 2) { Quantity.grouped($0) } + position.title(left: "scroll position in px")
    drawing += curve(offsets, position, "edge")
    let average = recording.series.samples.reduce((0.0, 0.0)) { ($0.0 + $1.blank, $0.1 + $1.area) }
    return Figure(
      id: "scroll", title: "Screen over time",
      reading:
        "Time runs to the right. Each vertical line of the first strip is the screen at one time. Rows are level bands "
        + "while the list is at rest, and slopes while it moves. Orange is a missing image.",
      panels: [
        Figure.Panel(
          drawing: drawing, height: 576,
          description: "The screen over time with the blank share, the speed and the position. On average "
            + "\(Quantity.percent(average.1 > 0 ? average.0 / average.1 : 0)) of the image area was blank.")
      ], legend: recording.statesShown)
  }

  /// Returns the upper end of the speed axis: 1.2 times the 95th percentile of the speeds above 0. The
  /// maximum would not do: a jump to the top is so fast that flicks would be invisible.
  private static func common(_ speeds: [Double]) -> Double {
    let moving = speeds.filter { $0 > 0 }.sorted()
    guard !moving.isEmpty else { return 0 }
    return moving[min(moving.count - 1, moving.count * 95 / 100)] * 1.2
  }

  /// Returns a filled step curve of one value per sample.
  private func area(_ values: [Double], _ plot: Plot, _ style: String) -> Markup {
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

  /// Returns a curve through one value per sample.
  private func curve(_ values: [Double], _ plot: Plot, _ style: String) -> Markup {
    var path = Path()
    for (index, value) in values.enumerated() {
      let x = plot.x((Int64(index) * recording.series.step).seconds)
      index == 0 ? path.move(x, plot.y(value)) : path.line(x, plot.y(value))
    }
    return path.element(style)
  }
}
