internal import Cellophane

/// The input of a ``Screen``, which is the same for all loaders.
struct ScreenPlan: Sendable {
  /// The orientations of the screen, in the order of time.
  let orientations: [ScreenOrientation]
  /// The requests by row, for at least all rows that become visible. `rotated` is for the rotated screen, if
  /// it rotates.
  let requests: (upright: [ImageRequest], rotated: [ImageRequest])
  /// The frames per second.
  let refreshRate: Int
  let duration: Duration

  /// The time between two vsyncs.
  var interval: Duration { .seconds(1) / refreshRate }
  /// The number of vsyncs.
  var frames: Int { Int((duration.seconds * Double(refreshRate)).rounded(.up)) }

  /// Returns the exact time of vsync `index`: a sum of intervals would drift.
  func time(ofFrame index: Int) -> Duration { .seconds(index) / refreshRate }

  /// The number of frames between two samples of the memory. Ten samples per second are enough for an image
  /// cache and take 0.02 % of the time.
  var framesPerMemorySample: Int { max(1, refreshRate / 10) }

  /// The number of rows with a request.
  var rows: Int { max(requests.upright.count, requests.rotated.count) }

  /// Returns the request of `row` in `orientation`; nil for a row without one.
  func request(of row: Int, in orientation: ScreenOrientation) -> ImageRequest? {
    let requests = orientation.isRotated ? requests.rotated : requests.upright
    return requests.indices.contains(row) ? requests[row] : nil
  }
}

extension ScreenOrientation {
  /// Returns the motion of the list.
  ///
  /// - Parameter last: The last direction of the list.
  func motion(_ state: ScrollState, last: ListMotion.Direction) -> ListMotion {
    ListMotion(
      layout, viewport: Double(layout.viewport.height), offset: state.offset, velocity: state.velocity,
      last: last, fling: state.fling)
  }
}
