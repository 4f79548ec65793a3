/// One row on the screen, from the vsync at which it came in to the one at which it was gone. Times are numbers of
/// vsyncs.
struct Appearance: Sendable, Hashable {
  let row: Int
  /// The phase in which it came in.
  let phase: RunPhase
  let start: Int
  var end: Int
  /// The first vsync that showed a preview or its own picture.
  var preview: Int?
  /// The first vsync that showed its own picture.
  var ready: Int?
  /// True when the list (almost) rested then.
  var isReadyAtRest = false
}

/// What was seen of rows, summed.
struct SeenSums: Additive {
  /// The visible area of pictures, over time, in px² · vsyncs: all of it, and what lacked its picture.
  var area = 0.0
  var blank = 0.0
  /// Of that, what showed a preview.
  var previewed = 0.0
  /// The same while the list (almost) rested.
  var areaAtRest = 0.0
  var blankAtRest = 0.0
  /// For how many vsyncs rows showed the picture of another row.
  var misplaced = 0
  /// For how many vsyncs rows showed their own picture in an older version than its origin had.
  var stale = 0
  /// How many rows came in, each time counted.
  var appearances = 0
  /// Of those, the ones with their picture in their first frame.
  var ready = 0
  /// Those long enough that a missing picture is noticed, and of these the ones that never had theirs.
  var noticeable = 0
  var neverSeen = 0
  /// Pictures that came in while their row was on the screen, while the list moved and while it rested.
  var popInsMoving = 0
  var popInsAtRest = 0
  /// How long rows waited for their pictures; lengths in vsyncs, cut short when they left before.
  var waits = WaitHistogram()
  /// The same for previews, or their pictures where none came before.
  var previewWaits = WaitHistogram()

  static func += (sum: inout SeenSums, other: SeenSums) {
    sum.area += other.area
    sum.blank += other.blank
    sum.previewed += other.previewed
    sum.areaAtRest += other.areaAtRest
    sum.blankAtRest += other.blankAtRest
    sum.misplaced += other.misplaced
    sum.stale += other.stale
    sum.appearances += other.appearances
    sum.ready += other.ready
    sum.noticeable += other.noticeable
    sum.neverSeen += other.neverSeen
    sum.popInsMoving += other.popInsMoving
    sum.popInsAtRest += other.popInsAtRest
    sum.waits += other.waits
    sum.previewWaits += other.previewWaits
  }

  /// Adds what a row showed from one vsync to another.
  mutating func add(_ cell: ScreenFrame.Cell, for vsyncs: Int, isRight: Bool, isAtRest: Bool) {
    let seen = cell.area * Double(vsyncs)
    area += seen
    if isAtRest { areaAtRest += seen }
    guard !isRight else { return }
    blank += seen
    if cell.hasPreview { previewed += seen }
    if isAtRest { blankAtRest += seen }
    if cell.shown != nil { misplaced += vsyncs }
  }

  /// Adds an appearance that is over; one of at least `noticeable` vsyncs is noticed.
  mutating func add(_ appearance: Appearance, noticeable: Int) {
    appearances += 1
    let length = appearance.end - appearance.start
    let preview = appearance.preview.map { $0 - appearance.start }
    previewWaits.add(preview ?? length, isOver: preview != nil)
    if let ready = appearance.ready {
      waits.add(ready - appearance.start, isOver: true)
      if ready == appearance.start {
        self.ready += 1
      } else if appearance.isReadyAtRest {
        popInsAtRest += 1
      } else {
        popInsMoving += 1
      }
    } else {
      waits.add(length, isOver: false)
    }
    if length >= noticeable {
      self.noticeable += 1
      if appearance.ready == nil { neverSeen += 1 }
    }
  }
}
