/// The rows of a list over time: when each was on the screen, its state, and its transfers.
struct SpaceTimeDiagram: Sendable {
  let recording: Recording
  /// The time range of the diagram, in µs.
  let window: Range<Int64>
  let box: Box
  /// The name of the recording, for identifiers that are unique in the page.
  private let key: String

  /// The range of the list in the diagram, in px.
  private let reach: ClosedRange<Double>
  private let plot: Plot
  private let rows: RowAxis

  /// Creates the diagram of one of `pair` in `window`. All of them have the same axes.
  init(_ run: RunPair.Run, of pair: RunPair, window: Range<Int64>, in box: Box) {
    self.init(run.recording, key: run.key, window: window, reach: pair.reach(in: window), in: box)
  }

  init(
    _ recording: Recording, key: String, window: Range<Int64>, reach: ClosedRange<Double>, in box: Box
  ) {
    self.recording = recording
    self.key = key
    self.window = window
    self.box = box
    self.reach = reach
    rows = RowAxis(recording)
    plot = Plot(
      box, x: window.lowerBound.seconds...window.upperBound.seconds, y: reach, isInverted: true)
  }

  /// The height of the lowest row, in px of the drawing.
  var rowHeight: Double {
    let rows = recording.appearances.lazy.filter {
      $0.start < window.upperBound && $0.end > window.lowerBound
    }
    let height = rows.map { Double($0.bounds.height) }.min() ?? 0
    return height * box.height / (reach.upperBound - reach.lowerBound)
  }

  /// Whether the rows are high enough to contain their transfers.
  private var isDetailed: Bool { rowHeight >= Self.detailedHeight }

  /// The minimum height of a row with details. 5 px: about two thirds for its state, one third for its
  /// transfer.
  static let detailedHeight = 5.0

  /// Returns the horizontal coordinate of `time`.
  func x(_ time: Int64) -> Double { plot.x(time.seconds) }

  func drawing() -> Markup {
    var content = viewport
    content += isDetailed ? detailedAppearances : plainAppearances
    content += isDetailed ? detailedTransfers : plainTransfers
    content += edges
    var drawing = plot.ground + plot.seconds()
    drawing += plot.rows(at: rows.ticks(in: reach, about: Int(box.height / 50)))
    drawing += plot.title(left: "row")
    return drawing + plot.zooming(content, id: "\(key)-\(window.lowerBound)-\(window.upperBound)")
  }

  /// The axes for the script of a page.
  var axis: TimeAxis {
    TimeAxis(
      run: key, seconds: plot.x.domain, left: box.left, top: box.top, width: box.width, height: box.height,
      reach: plot.y.domain)
  }

  // MARK: The viewport

  /// The times at which the edges of the viewport are sampled: one per pixel.
  private var times: [Int64] {
    let length = window.upperBound - window.lowerBound
    let count = Int64(box.width)
    return (0...count).map { window.lowerBound + length * $0 / count }
  }

  private var viewport: Markup {
    let height = Double(recording.viewport[1])
    var path = Path()
    let edge = times.map { (plot.x($0.seconds), recording.series.offset(at: $0)) }
    for (index, point) in edge.enumerated() {
      index == 0 ? path.move(point.0, plot.y(point.1)) : path.line(point.0, plot.y(point.1))
    }
    for point in edge.reversed() { path.line(point.0, plot.y(point.1 + height)) }
    path.close()
    return path.element("viewport")
  }

  private var edges: Markup {
    [0, Double(recording.viewport[1])].map { height -> Markup in
      var path = Path()
      for (index, time) in times.enumerated() {
        let y = plot.y(recording.series.offset(at: time) + height)
        index == 0 ? path.move(plot.x(time.seconds), y) : path.line(plot.x(time.seconds), y)
      }
      return path.element("edge")
    }.joined()
  }

  // MARK: Appearances

  private var visible: [Recording.Appearance] {
    recording.appearances.filter { $0.start < window.upperBound && $0.end > window.lowerBound }
  }

  /// One path per state, because a complete run has thousands of spans.
  private var plainAppearances: Markup {
    var paths: [RowState: Path] = [:]
    for appearance in visible {
      let (top, bottom) = lane(of: appearance.bounds)
      // At least one pixel high, so that a missing image stays visible.
      let middle = (top + bottom) / 2
      let half = max(bottom - top, 1) / 2
      for span in appearance.states {
        paths[span.state, default: Path()].rectangle(
          plot.x(span.start.seconds), middle - half, plot.x(span.end.seconds), middle + half)
      }
    }
    return [.shown, .preview, .blank].map { (paths[$0] ?? Path()).element($0.style) }.joined()
  }

  private var detailedAppearances: Markup {
    visible.map { appearance -> Markup in
      let (top, bottom) = lane(of: appearance.bounds)
      let height = (bottom - top) * 0.62
      let spans = appearance.states.map { span -> Markup in
        let left = plot.x(span.start.seconds)
        return #"<rect class="\#(span.state.style)" x="\#(left)" y="\#(top)" "#
          + #"width="\#(max(plot.x(span.end.seconds) - left, 0.5))" height="\#(height)"/>"#
      }.joined()
      return "<g><title>\(appearance.sentence)</title>\(spans)</g>"
    }.joined()
  }

  // MARK: Transfers

  private var fetches: [Recording.Transfer] {
    recording.transfers.filter { $0.start < window.upperBound && $0.end > window.lowerBound }
  }

  private var plainTransfers: Markup {
    var paths: [String: Path] = [:]
    for transfer in fetches {
      let (top, bottom) = lane(of: transfer.bounds)
      let middle = (top + bottom) / 2
      paths[transfer.outcome.style, default: Path()].rectangle(
        plot.x(transfer.start.seconds), middle - 0.4, plot.x(transfer.end.seconds), middle + 0.4)
    }
    return ["fetch", "cancelled", "failed"].map { (paths[$0] ?? Path()).element($0 + " thin") }.joined()
  }

  private var detailedTransfers: Markup {
    fetches.map { transfer -> Markup in
      let (top, bottom) = lane(of: transfer.bounds)
      let y = top + (bottom - top) * 0.68
      let height = (bottom - top) * 0.24
      let bar = TransferBar(transfer, plot.x, top: y, height: height)
      return "<g><title>\(transfer.sentence)</title>\(bar.markup)</g>"
    }.joined()
  }

  /// Returns the vertical range of an image in the drawing.
  private func lane(of bounds: Recording.Bounds) -> (top: Double, bottom: Double) {
    let share = rows.share(of: bounds)
    return (plot.y(share.lowerBound), plot.y(share.upperBound))
  }
}
