/// What a viewer saw, from the record of one run. Pure.
struct ScreenMetrics: Sendable {
  /// The share of all visible picture area, over time, that lacked its picture.
  private(set) var blankRatio: Double?
  /// The area that lacked its picture, over time, in px²·s.
  private(set) var blankArea = 0.0
  /// ``blankRatio`` while the list (almost) rests: somebody is looking.
  private(set) var blankRatioAtRest: Double?
  /// How long rows waited for their pictures.
  let timeToImage: KaplanMeier
  /// The share of appearances that had their picture in their first frame.
  private(set) var readyOnAppear: Double?
  /// The share of appearances, of those long enough to be noticed, that never had their picture.
  private(set) var neverSeen: Double?
  /// The number of times a slot came to show the picture of another row.
  let misplaced: Int
  /// The number of rows that showed a picture although it is not known which belongs to them.
  let unverified: Int
  /// For how long rows showed the picture of another row, summed over rows.
  private(set) var misplacedTime = Duration.zero
  /// Rows that showed their own picture at least once.
  private(set) var rowsSeen: Set<Int> = []
  /// The number of frames that came late.
  let lateFrames: Int
  /// How late frames came during a scroll, in ms for each second of scrolling.
  private(set) var hitches: Double?
  /// How many rows came onto the screen, each time counted.
  let appearances: Int

  /// Below this speed, in px/s, somebody can look at a picture: less than a px a frame (assumed).
  static let restVelocity = 50.0
  /// The shortest appearance in which a missing picture is noticed: the limit of "instantaneous" (Nielsen,
  /// Usability Engineering, 1993).
  static let noticeable = Duration.milliseconds(100)

  /// The metrics of `record`. `expected` is the picture that belongs to a row, or nil when that is not known
  /// because the row's URL has no picture; such rows do not count.
  init(_ record: ScreenRecord, expected: (Int) -> PictureIdentity?) {
    var blank = AreaOverTime()
    var blankAtRest = AreaOverTime()
    var scrolled = 0.0
    var hitch = 0.0
    for (index, frame) in record.frames.enumerated() {
      let length = record.length(ofFrame: index)
      let isAtRest = abs(frame.velocity) < Self.restVelocity
      if frame.velocity != 0 {
        scrolled += length.seconds
        hitch += frame.late.milliseconds
      }
      for cell in frame.cells {
        guard let own = expected(cell.row) else { continue }
        let isBlank = cell.shown != own
        blank.add(cell.area * length.seconds, isBlank: isBlank)
        if isAtRest { blankAtRest.add(cell.area * length.seconds, isBlank: isBlank) }
        if !isBlank { rowsSeen.insert(cell.row) }
        if isBlank, cell.shown != nil { misplacedTime += length }
      }
    }
    blankRatio = blank.ratio
    blankArea = blank.missing
    blankRatioAtRest = blankAtRest.ratio
    hitches = scrolled > 0 ? hitch / scrolled : nil
    lateFrames = record.frames.count { $0.late > .zero }
    misplaced = record.displays.count { display in
      expected(display.row).map { $0 != display.identity } ?? false
    }
    unverified = Set(record.displays.map(\.row).filter { expected($0) == nil }).count

    let appearances = Appearance.all(in: record, expected: expected)
    self.appearances = appearances.count
    timeToImage = KaplanMeier(appearances.map(\.wait))
    readyOnAppear = Self.share(of: appearances) { $0.ready == $0.start }
    neverSeen = Self.share(of: appearances.filter { $0.end - $0.start >= Self.noticeable }) {
      $0.ready == nil
    }
  }

  private static func share(of appearances: [Appearance], where holds: (Appearance) -> Bool) -> Double? {
    appearances.isEmpty ? nil : Double(appearances.count(where: holds)) / Double(appearances.count)
  }
}

/// Visible area integrated over time, in px²·s.
private struct AreaOverTime {
  private(set) var missing = 0.0
  private var whole = 0.0

  var ratio: Double? { whole > 0 ? missing / whole : nil }

  mutating func add(_ amount: Double, isBlank: Bool) {
    whole += amount
    if isBlank { missing += amount }
  }
}
