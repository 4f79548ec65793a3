/// The sums of the content of rows during a run. Images with their row's number are verified immediately, the
/// user's own images after the run.
package struct RowTally: Sendable {
  /// The evidence for the image of each row.
  package enum Evidence: Sendable, Hashable {
    /// Images carry numbers. These are the numbers of the rows' images, from the first row on.
    case numbers([Int])
    /// The images of the rows are known only after the run.
    case afterwards
  }

  /// The sums under the hypothesis that a certain image is the row's own.
  private struct Hypothesis {
    var sums = PerPhase<RowSums>()
    var appearance: Appearance?
  }

  /// An image that a slot began to show, and the phase at that time.
  private struct Display: Hashable {
    let picture: PictureIdentity
    let phase: RunPhase
  }

  let evidence: Evidence
  /// The versions of the images; nil if they never change.
  private let versions: PictureVersions?
  private let noticeable: Int
  private var sums = PerPhase<RowSums>()
  /// With numbers, the current appearance of each slot.
  private var current: [Appearance?] = []
  private var seen: Set<Int> = []
  private var misplaced = PerPhase(0)
  /// Without numbers, the sums of each row for each image that it showed, and for an image that it never
  /// showed (nil).
  private var hypotheses: [Int: [PictureIdentity?: Hypothesis]] = [:]
  /// Without numbers, how often a slot that was bound to a row began to show an image.
  private var displays: [Int: [Display: Int]] = [:]

  /// Creates an empty tally. A missing image is noticed after `noticeable` vsyncs.
  init(_ evidence: Evidence, versions: PictureVersions? = nil, noticeable: Int) {
    self.evidence = evidence
    self.versions = versions
    self.noticeable = noticeable
  }

  /// Notes that `slot` was bound again. In the next frame its row appears again, even if it is the same row:
  /// the screen was rotated. Only screens with numbered images are rotated.
  mutating func bind(_ slot: Int) {
    if current.indices.contains(slot) { Self.close(&current[slot], noticeable, over: &sums) }
  }

  /// Notes that a slot bound to `row` began to show `picture`.
  mutating func display(_ picture: PictureIdentity, of row: Int, in phase: RunPhase) {
    switch evidence {
    case .numbers(let numbers): if !picture.isRow(numbers[row]) { misplaced[phase] += 1 }
    case .afterwards: displays[row, default: [:]][Display(picture: picture, phase: phase), default: 0] += 1
    }
  }

  /// Adds a frame that was on the screen from `time` of the run until vsync `end`. Returns the area without
  /// its image; nil if that is not known yet.
  mutating func add(
    _ frame: ScreenFrame, at time: Duration, until end: Int, in phase: RunPhase, isAtRest: Bool
  ) -> Double? {
    guard case .numbers(let numbers) = evidence else {
      for cell in frame.cells { extendHypotheses(cell, in: frame, until: end, phase, isAtRest: isAtRest) }
      return nil
    }
    var blank = 0.0
    for cell in frame.cells {
      while current.count <= cell.slot { current.append(nil) }
      let isRight = cell.shown?.isRow(numbers[cell.row]) == true
      if !isRight { blank += cell.area }
      sums[phase].add(cell, for: end - frame.vsync, isRight: isRight, isAtRest: isAtRest)
      if isRight, isStale(cell, at: time) { sums[phase].stale += end - frame.vsync }
      let wasReady = current[cell.slot].map { $0.row == cell.row && $0.ready != nil } ?? false
      Self.extend(
        &current[cell.slot], by: cell, in: frame, until: end, phase, isRight: isRight, isAtRest: isAtRest,
        noticeable, over: &sums)
      if isRight, !wasReady { seen.insert(cell.row) }
    }
    return blank
  }

  /// Returns true if the image in `cell` is older than the version of its origin at `time`.
  private func isStale(_ cell: ScreenFrame.Cell, at time: Duration) -> Bool {
    guard let versions, case .row(let picture, let version)? = cell.shown else { return false }
    return version < versions.version(of: picture, at: time)
  }

  private mutating func extendHypotheses(
    _ cell: ScreenFrame.Cell, in frame: ScreenFrame, until end: Int, _ phase: RunPhase, isAtRest: Bool
  ) {
    var row = hypotheses.removeValue(forKey: cell.row) ?? [nil: Hypothesis()]
    // Up to this frame, the row had never shown this image.
    if row[cell.shown] == nil { row[cell.shown] = row[nil] }
    for picture in row.keys {
      guard var hypothesis = row[picture] else { continue }
      let isRight = picture != nil && cell.shown == picture
      hypothesis.sums[phase].add(cell, for: end - frame.vsync, isRight: isRight, isAtRest: isAtRest)
      Self.extend(
        &hypothesis.appearance, by: cell, in: frame, until: end, phase, isRight: isRight, isAtRest: isAtRest,
        noticeable, over: &hypothesis.sums)
      row[picture] = hypothesis
    }
    hypotheses[cell.row] = row
  }

  /// Extends an appearance by a frame. An appearance that ended before is added to the sums, and a new one
  /// starts. Static, because a method would copy the whole value while a part of it changes.
  private static func extend(
    _ appearance: inout Appearance?, by cell: ScreenFrame.Cell, in frame: ScreenFrame, until end: Int,
    _ phase: RunPhase, isRight: Bool, isAtRest: Bool, _ noticeable: Int, over sums: inout PerPhase<RowSums>
  ) {
    if let last = appearance, last.row != cell.row || last.end != frame.vsync {
      close(&appearance, noticeable, over: &sums)
    }
    var longer = appearance ?? Appearance(row: cell.row, phase: phase, start: frame.vsync, end: end)
    longer.end = end
    if isRight || cell.hasPreview, longer.preview == nil { longer.preview = frame.vsync }
    if isRight, longer.ready == nil {
      longer.ready = frame.vsync
      longer.isReadyAtRest = isAtRest
    }
    appearance = longer
  }

  private static func close(
    _ appearance: inout Appearance?, _ noticeable: Int, over sums: inout PerPhase<RowSums>
  ) {
    if let last = appearance { sums[last.phase].add(last, noticeable: noticeable) }
    appearance = nil
  }
}

extension RowTally {
  /// The totals of a run.
  struct Totals: Sendable {
    var sums = PerPhase<RowSums>()
    /// How often a slot began to show the image of another row.
    var misplaced = PerPhase(0)
    /// The rows that showed their own image.
    var seen: Set<Int> = []
    /// The number of rows with an image that could not be verified.
    var unverified = 0
  }

  /// The rows whose images ``totals(expected:)`` needs.
  package var rowsToVerify: Set<Int> { Set(hypotheses.keys).union(displays.keys) }

  /// Returns the totals, given the image of each of ``rowsToVerify``. Rows without a known image are left
  /// out.
  func totals(expected: (Int) -> PictureIdentity?) -> Totals {
    var totals = Totals()
    totals.sums = sums
    totals.misplaced = misplaced
    totals.seen = seen
    for case let appearance? in current {
      totals.sums[appearance.phase].add(appearance, noticeable: noticeable)
    }
    for row in rowsToVerify.sorted() {
      guard let own = expected(row) else {
        if displays[row] != nil { totals.unverified += 1 }
        continue
      }
      for (display, count) in displays[row] ?? [:] where display.picture != own {
        totals.misplaced[display.phase] += count
      }
      guard let hypotheses = hypotheses[row], var hypothesis = hypotheses[own] ?? hypotheses[nil] else {
        continue
      }
      if let appearance = hypothesis.appearance {
        hypothesis.sums[appearance.phase].add(appearance, noticeable: noticeable)
      }
      for phase in RunPhase.allCases { totals.sums[phase] += hypothesis.sums[phase] }
      if hypotheses[own] != nil { totals.seen.insert(row) }
    }
    return totals
  }
}
