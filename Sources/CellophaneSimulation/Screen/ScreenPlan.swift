internal import Cellophane

/// What a ``Screen`` plays; the same for every loader.
struct ScreenPlan: Sendable {
  /// How the screen is held, from the start on.
  let postures: [Posture]
  /// The requests of the rows from the first on, at least as many as come in: upright, and turned if it ever is.
  let requests: (upright: [ImageRequest], turned: [ImageRequest])
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

  /// How many rows have something to ask for.
  var rows: Int { max(requests.upright.count, requests.turned.count) }

  /// What `row` asks for in `posture`; nil for one that is out of reach.
  func request(of row: Int, in posture: Posture) -> ImageRequest? {
    let requests = posture.isTurned ? requests.turned : requests.upright
    return requests.indices.contains(row) ? requests[row] : nil
  }
}

extension Posture {
  /// How the list moves on `course`.
  ///
  /// - Parameter last: Which way it moved last.
  func motion(_ course: ScrollCourse, last: ListMotion.Direction) -> ListMotion {
    ListMotion(
      layout, viewport: Double(layout.viewport.height), offset: course.offset, velocity: course.velocity,
      last: last, fling: course.fling)
  }
}
