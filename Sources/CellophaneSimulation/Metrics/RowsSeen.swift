/// What rows showed, summed as it happens. Which picture belongs to a row is known from the start when pictures carry
/// their row's number, and told afterwards when they are the user's.
struct RowsSeen: Sendable {
  /// What is right.
  enum Proof: Sendable, Hashable {
    /// Pictures carry numbers; these belong to the rows, from the first on.
    case numbers([Int])
    /// Told when the run is over.
    case afterwards
  }

  /// The sums under the assumption that a certain picture is a row's own.
  private struct Guess {
    var sums = PerPhase<SeenSums>()
    var appearance: Appearance?
  }

  /// A picture that a slot came to show; `phase` is that of the display.
  private struct Display: Hashable {
    let picture: PictureIdentity
    let phase: RunPhase
  }

  let proof: Proof
  /// Nil where pictures never change.
  private let versions: PictureVersions?
  private let noticeable: Int
  private var sums = PerPhase<SeenSums>()
  /// With numbers, the appearances that are not over, by slot.
  private var current: [Appearance?] = []
  private var seen: Set<Int> = []
  private var misplaced = PerPhase(0)
  /// Told afterwards, the sums of each row for each picture that it showed, and for one that it did not (nil).
  private var guesses: [Int: [PictureIdentity?: Guess]] = [:]
  /// And how often a slot came to show a picture while it stood for a row.
  private var displays: [Int: [Display: Int]] = [:]

  /// Nothing seen yet. An appearance of `noticeable` vsyncs or more is noticed.
  init(_ proof: Proof, versions: PictureVersions? = nil, noticeable: Int) {
    self.proof = proof
    self.versions = versions
    self.noticeable = noticeable
  }

  /// From the next frame on `slot` stands for a row that appears anew, also when it was in this slot: the screen was
  /// turned. Only screens are turned whose pictures carry numbers.
  mutating func bind(_ slot: Int) {
    if current.indices.contains(slot) { Self.close(&current[slot], noticeable, over: &sums) }
  }

  /// A slot that stands for `row` came to show `picture`.
  mutating func display(_ picture: PictureIdentity, of row: Int, in phase: RunPhase) {
    switch proof {
    case .numbers(let numbers): if !picture.isRow(numbers[row]) { misplaced[phase] += 1 }
    case .afterwards: displays[row, default: [:]][Display(picture: picture, phase: phase), default: 0] += 1
    }
  }

  /// A frame was on the screen from `time` of the run until vsync `end`. Returns the area that lacked its picture, nil
  /// when that is not known yet.
  mutating func add(
    _ frame: ScreenFrame, at time: Duration, until end: Int, in phase: RunPhase, isAtRest: Bool
  ) -> Double? {
    guard case .numbers(let numbers) = proof else {
      for cell in frame.cells { guess(cell, in: frame, until: end, phase, isAtRest: isAtRest) }
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

  /// True when what `cell` shows is older than what its origin has at `time`.
  private func isStale(_ cell: ScreenFrame.Cell, at time: Duration) -> Bool {
    guard let versions, case .row(let picture, let version)? = cell.shown else { return false }
    return version < versions.version(of: picture, at: time)
  }

  private mutating func guess(
    _ cell: ScreenFrame.Cell, in frame: ScreenFrame, until end: Int, _ phase: RunPhase, isAtRest: Bool
  ) {
    var row = guesses.removeValue(forKey: cell.row) ?? [nil: Guess()]
    // Until now the row has shown it as little as any other.
    if row[cell.shown] == nil { row[cell.shown] = row[nil] }
    for picture in row.keys {
      guard var guess = row[picture] else { continue }
      let isRight = picture != nil && cell.shown == picture
      guess.sums[phase].add(cell, for: end - frame.vsync, isRight: isRight, isAtRest: isAtRest)
      Self.extend(
        &guess.appearance, by: cell, in: frame, until: end, phase, isRight: isRight, isAtRest: isAtRest,
        noticeable, over: &guess.sums)
      row[picture] = guess
    }
    guesses[cell.row] = row
  }

  /// Makes an appearance longer by a frame; one that ended before is added to the sums, and another begins. Static,
  /// because a method would be given a copy of everything while a part of it changes.
  private static func extend(
    _ appearance: inout Appearance?, by cell: ScreenFrame.Cell, in frame: ScreenFrame, until end: Int,
    _ phase: RunPhase, isRight: Bool, isAtRest: Bool, _ noticeable: Int, over sums: inout PerPhase<SeenSums>
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
    _ appearance: inout Appearance?, _ noticeable: Int, over sums: inout PerPhase<SeenSums>
  ) {
    if let last = appearance { sums[last.phase].add(last, noticeable: noticeable) }
    appearance = nil
  }
}

extension RowsSeen {
  /// What came of it.
  struct Findings: Sendable {
    var sums = PerPhase<SeenSums>()
    /// How often a slot came to show the picture of another row.
    var misplaced = PerPhase(0)
    /// The rows that showed their own picture.
    var seen: Set<Int> = []
    /// How many rows showed a picture although it is not known which belongs to them.
    var unverified = 0
  }

  /// The rows whose pictures must be known for ``findings(expected:)``.
  var rowsToProve: Set<Int> { Set(guesses.keys).union(displays.keys) }

  /// What came of it, given the picture that belongs to each of ``rowsToProve``; a row for which it is nil is left
  /// out.
  func findings(expected: (Int) -> PictureIdentity?) -> Findings {
    var findings = Findings()
    findings.sums = sums
    findings.misplaced = misplaced
    findings.seen = seen
    for case let appearance? in current {
      findings.sums[appearance.phase].add(appearance, noticeable: noticeable)
    }
    for row in rowsToProve.sorted() {
      guard let own = expected(row) else {
        if displays[row] != nil { findings.unverified += 1 }
        continue
      }
      for (display, count) in displays[row] ?? [:] where display.picture != own {
        findings.misplaced[display.phase] += count
      }
      guard let guesses = guesses[row], var guess = guesses[own] ?? guesses[nil] else { continue }
      if let appearance = guess.appearance {
        guess.sums[appearance.phase].add(appearance, noticeable: noticeable)
      }
      for phase in RunPhase.allCases { findings.sums[phase] += guess.sums[phase] }
      if guesses[own] != nil { findings.seen.insert(row) }
    }
    return findings
  }
}
