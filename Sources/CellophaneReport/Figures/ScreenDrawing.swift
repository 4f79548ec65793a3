/// A small drawing of the screen at one time of a run.
struct ScreenDrawing: Sendable {
  /// The width and the height of the drawing.
  let size: (width: Double, height: Double)
  /// The screen with its rows.
  let drawing: Markup
  /// The number of missing images.
  let caption: String

  /// The width of the drawing, in px. The height is that of the screen, at most ``tallest`` times as much.
  private static let width = 100.0
  private static let tallest = 4.0

  init(_ recording: Recording, at time: Int64) {
    let shape = Double(recording.viewport[1]) / Double(max(1, recording.viewport[0]))
    size = (Self.width, Self.width * min(max(shape, 0.1), Self.tallest))
    let scale = Self.width / Double(max(1, recording.viewport[0]))
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
      return (isAlone ? Self.words(beside: cell.bounds, y: y, scale) : "")
        + #"<rect class="tile \#(state.style)" style="--tint:\#(tint)" x="\#(Double(cell.bounds.left) * scale)" "#
        + #"y="\#(y)" width="\#(Double(cell.bounds.width) * scale)" height="\#(Double(cell.bounds.height) * scale)"/>"#
    }.joined()
    caption =
      cells.isEmpty ? "in motion" : missing == 0 ? "complete" : "\(missing) of \(cells.count) missing"
    drawing =
      #"<rect class="screen" width="\#(size.width)" height="\#(size.height)"/>\#(tiles)"#
      + #"<rect class="bezel" width="\#(size.width)" height="\#(size.height)"/>"#
  }

  /// Returns two bars that represent the text of a row, or nothing if less than the width of its image is
  /// free.
  private static func words(beside bounds: Recording.Bounds, y: Double, _ scale: Double) -> Markup {
    let left = Double(bounds.left + bounds.width) * scale + 6
    let free = Self.width - left - 6
    guard free > Double(bounds.width) * scale else { return "" }
    let height = Double(bounds.height) * scale
    return
      #"<path class="words" d="M\#(left) \#(y + height * 0.3)h\#(free * 0.8)M\#(left) \#(y + height * 0.62)h\#(free * 0.55)"/>"#
  }
}
