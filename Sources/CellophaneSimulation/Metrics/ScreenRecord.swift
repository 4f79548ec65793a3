internal import Cellophane

/// Everything that was on a screen during one run. Times are vsyncs, counted from the start.
struct ScreenRecord: Sendable {
  /// What one row showed in one frame.
  struct Cell: Sendable, Hashable {
    let row: Int
    /// The visible part of the picture's place, in px²; more than 0.
    let area: Double
    /// What was in it; nil for a placeholder.
    let shown: PictureIdentity?
  }

  /// What was on the screen from one vsync to the next.
  struct Frame: Sendable {
    let time: Duration
    /// In px/s.
    let velocity: Double
    /// How much later than it should the frame was ready, in whole vsyncs.
    let late: Duration
    let cells: [Cell]
  }

  /// A picture came into a slot that stood for `row`.
  struct Display: Sendable, Hashable {
    let row: Int
    let identity: PictureIdentity
  }

  var frames: [Frame] = []
  var displays: [Display] = []
  /// How often a slot was given another row.
  var bindings = 0
  /// How often a slot showed a picture, by the tier that it came from.
  var shown: [Source: Int] = [:]
  /// How often a slot was given another row before it showed anything.
  var superseded = 0
  /// How often a load failed in a slot.
  var failures = 0
  /// The most memory that the process had at any time, in bytes; nil where the system does not tell.
  var peakResidentBytes: Int?
  /// When the last frame left the screen.
  var end = Duration.zero

  /// Every row that was on the screen, with a picture or without.
  var rows: Set<Int> { Set(frames.flatMap { $0.cells.map(\.row) } + displays.map(\.row)) }

  /// The time for which frame `index` was on the screen.
  func length(ofFrame index: Int) -> Duration {
    (index + 1 < frames.count ? frames[index + 1].time : end) - frames[index].time
  }
}
