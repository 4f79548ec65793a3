/// The stay of a row on the screen, from its first vsync to the first one without it. Times are numbers of
/// vsyncs.
struct Appearance: Sendable, Hashable {
  let row: Int
  /// The phase at the start.
  let phase: RunPhase
  let start: Int
  var end: Int
  /// The first vsync with a preview or the row's own image.
  var preview: Int?
  /// The first vsync with the row's own image.
  var ready: Int?
  /// True if the list was (almost) at rest at that vsync.
  var isReadyAtRest = false
}

/// The sums over rows on the screen.
struct RowSums: Additive {
  /// The visible image area over time, in px² · vsyncs: in total, and without its image.
  var area = 0.0
  var blank = 0.0
  /// Of the latter, the area with a preview.
  var previewed = 0.0
  /// The same while the list was (almost) at rest.
  var areaAtRest = 0.0
  var blankAtRest = 0.0
  /// The number of vsyncs for which rows showed the image of another row.
  var misplaced = 0
  /// The number of vsyncs for which rows showed their image in an older version than the origin had.
  var stale = 0
  /// The number of rows that entered the screen. A row that returns counts again.
  var appearances = 0
  /// Of these, the rows with their image in their first frame.
  var ready = 0
  /// The appearances that are long enough to notice a missing image, and of these the ones that never had it.
  var noticeable = 0
  var neverSeen = 0
  /// Images that arrived while their row was on the screen, while the list moved and while it was at rest.
  var popInsMoving = 0
  var popInsAtRest = 0
  /// The waits of rows for their images, in vsyncs, cut short when the row left.
  var waits = WaitHistogram()
  /// The same for previews, or for the image if no preview came first.
  var previewWaits = WaitHistogram()

  static func += (sum: inout RowSums, other: RowSums) {
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

  /// Adds the content of a cell for a number of vsyncs.
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

  /// Adds a finished appearance. A missing image is noticed after `noticeable` vsyncs.
  mutating func add(_ appearance: Appearance, noticeable: Int) {
    appearances += 1
    let length = appearance.end - appearance.start
    let preview = appearance.preview.map { $0 - appearance.start }
    previewWaits.add(preview ?? length, hasEnded: preview != nil)
    if let ready = appearance.ready {
      waits.add(ready - appearance.start, hasEnded: true)
      if ready == appearance.start {
        self.ready += 1
      } else if appearance.isReadyAtRest {
        popInsAtRest += 1
      } else {
        popInsMoving += 1
      }
    } else {
      waits.add(length, hasEnded: false)
    }
    if length >= noticeable {
      self.noticeable += 1
      if appearance.ready == nil { neverSeen += 1 }
    }
  }
}
