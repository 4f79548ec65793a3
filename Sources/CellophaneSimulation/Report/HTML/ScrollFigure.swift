/// How the list moved, and what came of it: the screen, the blank share, the speed, against time.
struct ScrollFigure: Sendable {
  let recording: Recording

  var figure: Figure {
    let seconds = 0...max(recording.duration.seconds, 0.001)
    let left = 64.0
    let width = Figure.width - left - 16
    let screen = Plot(
      Box(left: left, top: 24, width: width, height: 150), x: seconds,
      y: 0...Double(max(recording.viewport[1], 1)), isTurned: true)
    let blank = Plot(Box(left: left, top: 214, width: width, height: 80), x: seconds, y: 0...100)
    let speeds = recording.series.samples.map { abs($0.velocity) }
    let speed = Plot(
      Box(left: left, top: 334, width: width, height: 80), x: seconds, y: 0...max(Self.common(speeds), 1))
    let offsets = recording.series.samples.map(\.offset)
    let way = Plot(
      Box(left: left, top: 454, width: width, height: 80), x: seconds, y: 0...max(offsets.max() ?? 1, 1),
      isTurned: true)
    var drawing = screen.ground + ScreenStrip(recording: recording, plot: screen).drawing()
    drawing += screen.title(left: "the screen, from its top to its bottom")
    drawing += blank.ground + blank.columns(about: 10, nil) + blank.rows(at: [0, 50, 100]) { "\(Int($0)) %" }
    drawing += blank.title(left: "share of the picture area that was blank")
    drawing += area(recording.series.samples.map { ($0.blankShare ?? 0) * 100 }, blank, "blank")
    drawing += speed.ground + speed.columns(about: 10, nil)
    drawing +=
      speed.rows(about: 2) { Quantity.grouped($0) }
      + speed.title(left: "speed in px/s, either way; jumps are cut off")
    drawing += area(speeds, speed, "speed")
    drawing += way.ground + way.columns(about: 10) { Quantity.short($0) + " s" }
    drawing +=
      way.rows(about: 2) { Quantity.grouped($0) } + way.title(left: "how far the list was scrolled, in px")
    drawing += line(offsets, way, "edge")
    let average = recording.series.samples.reduce((0.0, 0.0)) { ($0.0 + $1.blank, $0.1 + $1.area) }
    return Figure(
      id: "scroll", title: "The screen, moment by moment",
      reading:
        "Time goes to the right. Each upright line of the first strip is the screen in that moment: rows that "
        + "rest are level bands, rows that move are slopes. Orange is a picture that was missing.",
      panels: [
        Figure.Panel(
          drawing: drawing, height: 576,
          description: "The screen over time with the blank share, the speed and the position. On average "
            + "\(Quantity.percent(average.1 > 0 ? average.0 / average.1 : 0)) of the picture area was blank.")
      ], legend: recording.statesShown)
  }

  /// What hardly a value exceeds: a jump to the top is so much faster than any flick that nothing else would be seen.
  private static func common(_ speeds: [Double]) -> Double {
    let moving = speeds.filter { $0 > 0 }.sorted()
    guard !moving.isEmpty else { return 0 }
    return moving[min(moving.count - 1, moving.count * 95 / 100)] * 1.2
  }

  /// A filled line through the beginnings of the steps.
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

  private func line(_ values: [Double], _ plot: Plot, _ style: String) -> Markup {
    var path = Path()
    for (index, value) in values.enumerated() {
      let x = plot.x((Int64(index) * recording.series.step).seconds)
      index == 0 ? path.move(x, plot.y(value)) : path.line(x, plot.y(value))
    }
    return path.element(style)
  }
}
