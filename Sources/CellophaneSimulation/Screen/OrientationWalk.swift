/// The screen orientations of a run, in the order of time.
struct OrientationWalk {
  private let orientations: [ScreenOrientation]
  private var scroll: ScrollReader
  /// The index of the current orientation.
  private(set) var index = 0

  /// Creates a walk through `orientations`, at least one.
  init(_ orientations: [ScreenOrientation]) {
    self.orientations = orientations
    scroll = orientations[0].reader
  }

  /// The current orientation.
  var orientation: ScreenOrientation { orientations[index] }

  /// Advances to `time`, which is not before the time of the last call; returns the motion of the list.
  mutating func state(at time: Duration) -> ScrollState {
    while index + 1 < orientations.count, orientations[index + 1].start <= time {
      index += 1
      scroll = orientation.reader
    }
    return scroll.state(at: time)
  }
}
