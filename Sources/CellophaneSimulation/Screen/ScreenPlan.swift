internal import Cellophane

/// What a ``Screen`` plays; the same for every loader.
struct ScreenPlan: Sendable {
  let layout: ListLayout
  let trajectory: ScrollTrajectory
  /// The requests of the rows from the first on, at least as many as the trajectory brings in.
  let requests: [ImageRequest]
  /// How many frames a second.
  let refreshRate: Int
  let duration: Duration

  /// The time between two vsyncs.
  var interval: Duration { .seconds(1) / refreshRate }
  /// The number of vsyncs.
  var frames: Int { Int((duration.seconds * Double(refreshRate)).rounded(.up)) }

  /// When vsync `index` is, exactly: a sum of intervals would drift.
  func time(ofFrame index: Int) -> Duration { .seconds(index) / refreshRate }

  /// Ten samples a second: often enough for what an image cache does, and 0.02 % of the time.
  var framesPerMemorySample: Int { max(1, refreshRate / 10) }

  /// What `row` asks for; nil for one that is out of reach.
  func request(of row: Int) -> ImageRequest? { requests.indices.contains(row) ? requests[row] : nil }

  /// How the list moves at `time`.
  ///
  /// - Parameter last: Which way it moved last.
  func motion(at time: Duration, last: ListMotion.Direction) -> ListMotion {
    ListMotion(
      layout, viewport: Double(layout.viewport.height), offset: trajectory.offset(at: time),
      velocity: trajectory.velocity(at: time), last: last, fling: trajectory.fling(at: time))
  }
}
