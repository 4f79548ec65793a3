/// What the screen showed in some moments, small.
struct Filmstrip: Sendable {
  let recording: Recording

  /// Screens in a row of the strip.
  private static let count = 8
  private static let gap = 16.0

  /// How it is to be read.
  private var reading: String {
    "Each frame is the screen at that time. A tinted tile is a picture that was there, each row with a tint of its own; "
      + (recording.hasPreviews ? "a pale one is a preview; " : "") + "an orange outline is an empty place."
  }

  var figure: Figure {
    let (drawing, height, count) = drawn
    return Figure(
      id: "film", title: "What the screen showed", reading: reading,
      panels: [
        Figure.Panel(
          drawing: drawing, height: height,
          description: "Pictures of the screen at \(count) moments of the run.")
      ])
  }

  /// The strip as a picture of its own, which says what it is of.
  ///
  /// - Parameter lead: What was played.
  func picture(of lead: String) -> String {
    let (drawing, height, _) = drawn
    // Two lines of words above, two below.
    let whole = height + 96
    // Halves of the sentence fit on a line each.
    let lines = reading.split(separator: ";", maxSplits: 1)
    let words = zip(lines, [height + 56, height + 76]).map { line, y -> Markup in
      #"<text class="label" x="16" y="\#(y)">\#(line)</text>"#
    }.joined()
    let picture: Markup = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 \(whole)" width="960" height="\(whole)" role="img" \
      aria-label="\(lead)" font-family="system-ui,sans-serif">
      <style>\(Page.style)</style><rect width="960" height="\(whole)" fill="var(--bg)"/>
      <text class="subtitle" x="16" y="24">\(lead)</text>
      <g transform="translate(0 36)">\(drawing)</g>\(words)
      </svg>

      """
    return picture.text
  }

  /// The drawing, its height, and of how many moments it is.
  private var drawn: (drawing: Markup, height: Double, count: Int) {
    var drawing: Markup = ""
    var top = 8.0
    // The beginning, while everything comes for the first time, then the whole.
    let start = [0, 100, 200, 400, 700, 1_000, 1_500, 2_500].map { Int64($0) * 1_000 }.filter {
      $0 < recording.end
    }
    let rest = (0..<Self.count).map { recording.end * (Int64($0) * 2 + 1) / Int64(2 * Self.count) }
    for (title, times) in [("The beginning", start), ("The run, at equal distances", rest)] {
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
    // A screen that is very high would fill the page.
    let height = min(width * shape, 320)
    return (height / shape, height)
  }

  /// Stands for the text of a row whose picture leaves room for some and has no other beside it.
  private func words(beside place: Recording.Place, y: Double, _ scale: Double) -> Markup {
    let left = Double(place.left + place.width) * scale + 6
    let free = Double(recording.viewport[0]) * scale - left - 6
    guard free > Double(place.width) * scale else { return "" }
    let height = Double(place.height) * scale
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
      let y = (Double(cell.place.top) - offset) * scale
      // The golden angle: neighbours differ, and the same row looks the same each time.
      let tint = Markup.number((Double(cell.row) * 137.5).truncatingRemainder(dividingBy: 360))
      let isAlone = !cells.contains { $0.place.top == cell.place.top && $0.place.left != cell.place.left }
      return (isAlone ? words(beside: cell.place, y: y, scale) : "")
        + #"<rect class="tile \#(state.style)" style="--tint:\#(tint)" x="\#(Double(cell.place.left) * scale)" "#
        + #"y="\#(y)" width="\#(Double(cell.place.width) * scale)" height="\#(Double(cell.place.height) * scale)"/>"#
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
  /// What the screen showed at some moments of the first replica, as an SVG picture that needs nothing else; nil without
  /// a recording.
  public func filmstrip() -> String? {
    recording.map {
      Filmstrip(recording: $0).picture(
        of:
          "What a \(config.gesture.profile.name) saw of \(Quantity.grouped(Double(config.list.rows))) rows, seed \(config.seed)"
      )
    }
  }
}
