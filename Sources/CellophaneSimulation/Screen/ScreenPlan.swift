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
  /// How many rows beyond the visible ones are prefetched in the direction of the scroll.
  let rowsAhead: Int

  /// The time between two vsyncs.
  var interval: Duration { .seconds(1) / refreshRate }
  /// The number of vsyncs.
  var frames: Int { Int((duration.seconds * Double(refreshRate)).rounded(.up)) }

  /// When vsync `index` is, exactly: a sum of intervals would drift.
  func time(ofFrame index: Int) -> Duration { .seconds(index) / refreshRate }

  /// Ten samples a second: often enough for what an image cache does, and 0.02 % of the time.
  var framesPerMemorySample: Int { max(1, refreshRate / 10) }

  /// The requests of the rows that come next after `visible`, nearest first.
  func ahead(of visible: Range<Int>, velocity: Double) -> [ImageRequest] {
    if velocity < 0 {
      return requests[max(0, visible.lowerBound - rowsAhead)..<visible.lowerBound].reversed()
    }
    return Array(requests[visible.upperBound..<min(requests.count, visible.upperBound + rowsAhead)])
  }
}
