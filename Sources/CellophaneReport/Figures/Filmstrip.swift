/// Small drawings of the screen at several times of a run.
struct Filmstrip: Sendable {
  let recording: Recording

  /// The number of screens in a row of the strip.
  private static let count = 8
  private static let gap = 16.0

  /// The explanation of the frames, as the two text lines of the SVG image.
  private var explanation: [String] {
    [
      "Each frame is the screen at the time below it. A dashed orange outline is a missing image.",
      "A tinted tile is an image; every row has its own tint."
        + (recording.hasPreviews ? " A pale tile is a preview." : ""),
    ]
  }

  var figure: Figure {
    let (drawing, height, count) = drawn
    return Figure(
      id: "film", title: "Filmstrip", reading: explanation.joined(separator: " "),
      panels: [
        Figure.Panel(
          drawing: drawing, height: height,
          description: "The screen at \(count) times of the run.")
      ])
  }

  /// Returns the strip as an SVG image with its title and its explanation.
  func image(title: String) -> String {
    let (drawing, height, _) = drawn
    // 96: 36 px for the title, 60 for the explanation.
    let total = height + 96
    let caption = zip(explanation, [height + 56, height + 76]).map { text, y -> Markup in
      #"<text class="label" x="16" y="\#(y)">\#(text)</text>"#
    }.joined()
    let image: Markup = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 \(total)" width="960" height="\(total)" role="img" \
      aria-label="\(title)" font-family="system-ui,sans-serif">
      <style>\(Page.style)</style><rect width="960" height="\(total)" fill="var(--bg)"/>
      <text class="subtitle" x="16" y="24">\(title)</text>
      <g transform="translate(0 36)">\(drawing)</g>\(caption)
      </svg>

      """
    return image.text
  }

  /// The drawing, its height and the number of its frames.
  private var drawn: (drawing: Markup, height: Double, count: Int) {
    var drawing: Markup = ""
    var top = 8.0
    // The start, when no image is cached, needs more frames than the rest.
    let start = [0, 100, 200, 400, 700, 1_000, 1_500, 2_500].map { Int64($0) * 1_000 }.filter {
      $0 < recording.end
    }
    let rest = (0..<Self.count).map { recording.end * (Int64($0) * 2 + 1) / Int64(2 * Self.count) }
    for (title, times) in [("The start", start), ("The complete run, at equal intervals", rest)] {
      drawing += #"<text class="subtitle" x="16" y="\#(top + 12)">\#(title)</text>"#
      top += 26
      let size = screenSize
      for (index, time) in times.enumerated() {
        drawing += screen(at: time, left: 16 + Double(index) * (size.width + Self.gap), top: top)
      }
      top += size.height + 60
    }
    return (drawing, top, start.count + rest.count)
  }

  private var screenSize: (width: Double, height: Double) {
    let width = (Figure.width - 32 - Self.gap * Double(Self.count - 1)) / Double(Self.count)
    let shape = Double(recording.viewport[1]) / Double(max(1, recording.viewport[0]))
    // 320 px: a very tall screen would fill the page.
    let height = min(width * shape, 320)
    return (height / shape, height)
  }

  /// Returns two bars that represent the text of a row, or nothing if less than the width of its image is
  /// free.
  private func words(beside bounds: Recording.Bounds, y: Double, _ scale: Double) -> Markup {
    let left = Double(bounds.left + bounds.width) * scale + 6
    let free = Double(recording.viewport[0]) * scale - left - 6
    guard free > Double(bounds.width) * scale else { return "" }
    let height = Double(bounds.height) * scale
    return
      #"<path class="words" d="M\#(left) \#(y + height * 0.3)h\#(free * 0.8)M\#(left) \#(y + height * 0.62)h\#(free * 0.55)"/>"#
  }

  private func screen(at time: Int64, left: Double, top: Double) -> Markup {
    let (width, height) = screenSize
    let scale = width / Double(max(1, recording.viewport[0]))
    let offset = recording.series.offset(at: time)
    let cells = recording.appearances.filter { $0.start <= time && time < $0.end }
    var missing = 0
    let tiles = cells.map { cell -> Markup in
      let state = cell.states.last { $0.start <= time }?.state ?? .blank
      if state == .blank { missing += 1 }
      let y = (Double(cell.bounds.top) - offset) * scale
      // The golden angle: adjacent rows differ, and a row has the same tint in every frame.
      let tint = Markup.number((Double(cell.row) * 137.5).truncatingRemainder(dividingBy: 360))
      let isAlone = !cells.contains { $0.bounds.top == cell.bounds.top && $0.bounds.left != cell.bounds.left }
      return (isAlone ? words(beside: cell.bounds, y: y, scale) : "")
        + #"<rect class="tile \#(state.style)" style="--tint:\#(tint)" x="\#(Double(cell.bounds.left) * scale)" "#
        + #"y="\#(y)" width="\#(Double(cell.bounds.width) * scale)" height="\#(Double(cell.bounds.height) * scale)"/>"#
    }.joined()
    let caption =
      cells.isEmpty ? "in motion" : missing == 0 ? "complete" : "\(missing) of \(cells.count) missing"
    return
      #"<svg x="\#(left)" y="\#(top)" width="\#(width)" height="\#(height)" viewBox="0 0 \#(width) \#(height)">"#
      + #"<rect class="screen" width="\#(width)" height="\#(height)"/>\#(tiles)</svg>"#
      + #"<rect class="bezel" x="\#(left)" y="\#(top)" width="\#(width)" height="\#(height)" rx="6"/>"#
      + #"<text class="label middle" x="\#(left + width / 2)" y="\#(top + height + 16)">\#(time.secondsText)</text>"#
      + #"<text class="tick middle" x="\#(left + width / 2)" y="\#(top + height + 31)">\#(caption)</text>"#
  }
}

extension SimulationResult {
  /// Returns the screen at several times of the first replica as a self-contained SVG image, or nil without a
  /// recording.
  package func filmstrip() -> String? {
    recording.map {
      Filmstrip(recording: $0).image(
        title: "\(Quantity.grouped(Double(config.list.rows))) rows, profile \(config.gesture.profile.name), "
          + "seed \(config.seed)")
    }
  }
}
