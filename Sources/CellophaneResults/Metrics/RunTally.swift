internal import Cellophane

/// All measurements of a run, updated with each event. The memory depends on the number of rows and URLs that
/// appear, not on the length of the run. Pure: events carry their times.
package struct RunTally: Sendable {
  /// The elapsed time in a phase, in vsyncs.
  struct ElapsedSums: Additive {
    var vsyncs = 0
    var moving = 0
    /// The number of late frames, and their delay while the list moved.
    var lateFrames = 0
    var late = 0
    /// The delay of all late frames, also while the list was at rest.
    var missed = 0

    static func += (sum: inout ElapsedSums, other: ElapsedSums) {
      sum.vsyncs += other.vsyncs
      sum.moving += other.moving
      sum.lateFrames += other.lateFrames
      sum.late += other.late
      sum.missed += other.missed
    }
  }

  /// The shown frames of animations.
  struct AnimationSums: Additive {
    var frames = 0
    var late = 0

    static func += (sum: inout AnimationSums, other: AnimationSums) {
      sum.frames += other.frames
      sum.late += other.late
    }
  }

  /// The delay above which a frame of an animation is late: one frame of a screen at 60 Hz.
  static let lateFrame = Duration.milliseconds(17)
  /// The speed, in px/s, below which a viewer can look at an image: less than one px per frame (assumed).
  static let restVelocity = 50.0
  /// The minimum length of a stop (assumed: long enough to look at one row).
  static let shortestRest = Duration.milliseconds(300)
  /// The minimum appearance in which a missing image is noticed: the limit of "instantaneous" (Nielsen,
  /// Usability Engineering, 1993).
  static let noticeable = Duration.milliseconds(100)

  let refreshRate: Int
  /// The URLs of the rows.
  let urls: [String]
  /// True if slots show previews.
  let showsPreviews: Bool
  package private(set) var rows: RowTally
  private(set) var rests: RestTally
  private(set) var slots = SlotTally()
  private(set) var transfers = TransferTally()
  private(set) var decodings = DecodingTally()
  private(set) var prefetches = PrefetchTally()
  private(set) var elapsed = PerPhase<ElapsedSums>()
  private(set) var animations = PerPhase<AnimationSums>()
  /// The number of vsyncs that late frames missed, also while the list was at rest.
  package var missed: Int { elapsed.total.missed }
  /// The first and the last vsync of each phase that occurred.
  private(set) var spans = PerPhase<Range<Int>?>(nil)
  private(set) var peakResidentBytes: Int?
  private(set) var seriesTally: SeriesTally?
  private var phase = PhaseClock()
  /// The current frame.
  private var last: ScreenFrame?
  /// The slots that were bound since the current frame.
  private var bound: [Int] = []

  /// Returns the number of the image of `row`; nil if images carry no numbers.
  func number(of row: Int) -> Int? {
    if case .numbers(let numbers) = rows.evidence { numbers[row] } else { nil }
  }

  /// Creates a tally without events.
  ///
  /// - Parameters:
  ///   - versions: The versions of the images; nil if they never change.
  ///   - keepsSeries: True to measure the series over time too.
  package init(
    refreshRate: Int, urls: [String], evidence: RowTally.Evidence, versions: PictureVersions? = nil,
    showsPreviews: Bool = false, keepsSeries: Bool
  ) {
    self.refreshRate = refreshRate
    self.urls = urls
    self.showsPreviews = showsPreviews
    rows = RowTally(
      evidence, versions: versions, noticeable: Self.vsyncs(in: Self.noticeable, at: refreshRate))
    rests = RestTally(shortest: Self.vsyncs(in: Self.shortestRest, at: refreshRate))
    seriesTally = keepsSeries ? SeriesTally() : nil
  }

  /// Returns the minimum number of vsyncs that last `duration`.
  private static func vsyncs(in duration: Duration, at refreshRate: Int) -> Int {
    Int((duration / (.seconds(1) / refreshRate) - 1e-6).rounded(.up))
  }

  /// Measures an event at `time` of the run.
  package mutating func note(_ event: RunEvent, at time: Duration) {
    switch event {
    case .bound(let slot, let row):
      if let superseded = slots.bind(slot, to: row, in: phase.current) {
        transfers.abandon(urls[superseded], at: time)
      }
      transfers.noteWaiter(for: urls[row])
      prefetches.bind(slot, to: urls[row])
      bound.append(slot)
    case .displayed(let slot, let row, let state):
      let bytes = row.flatMap { transfers.size(of: urls[$0]) }
      slots.display(state, in: slot, bytes: bytes, phase: phase.current)
      if case .shown = state, let row { prefetches.show(urls[row]) }
      if let row, let picture = state.evidence { rows.display(picture, of: row, in: phase.current) }
      if row == nil, case .empty = state { prefetches.release(slot) }
    case .drawn(let frame):
      close(until: frame.vsync)
      for slot in bound { rows.bind(slot) }
      bound.removeAll(keepingCapacity: true)
      phase.move(to: frame)
      last = frame
    case .cached: break
    case .resident(let bytes): peakResidentBytes = max(peakResidentBytes ?? 0, bytes)
    case .transferBegan(let number, let url):
      transfers.begin(number, url, in: phase.current)
      prefetches.begin(number, url)
      seriesTally?.note(inFlight: transfers.count, bytes: 0, at: time)
    case .transferSent, .transferAnswered: break
    case .transferProgressed(let number, let bytes), .transferClosed(let number, let bytes):
      progress(number, bytes: bytes, at: time)
      if case .transferClosed = event { transfers.close(number) }
    case .transferEnded(let number, let outcome, let bytes):
      progress(number, bytes: bytes, at: time)
      transfers.end(number, outcome, at: time)
      if case .completed = outcome {
        prefetches.end(number, bytes: bytes, isComplete: true)
      } else {
        prefetches.end(number, bytes: bytes, isComplete: false)
      }
    case .decodingBegan(let number, let picture):
      decodings.begin(number, of: picture, at: time, in: phase.current)
    case .decodingEnded(let number, _): decodings.end(number, at: time)
    case .frameShown(let late):
      animations[phase.current].frames += 1
      if late > Self.lateFrame { animations[phase.current].late += 1 }
    }
  }

  /// Ends the run. The last frame left the screen at vsync `end`.
  mutating func finish(at end: Int) {
    close(until: end)
    rests.finish()
  }

  private mutating func progress(_ number: Int, bytes: Int, at time: Duration) {
    let new = transfers.progress(number, bytes: bytes)
    seriesTally?.note(inFlight: transfers.count, bytes: new, at: time)
  }

  /// Measures the current frame, which was on the screen until vsync `end`.
  private mutating func close(until end: Int) {
    guard let frame = last else { return }
    last = nil
    let (current, length) = (phase.current, end - frame.vsync)
    let isAtRest = abs(frame.velocity) < Self.restVelocity
    elapsed[current].vsyncs += length
    if frame.late > 0 { elapsed[current].lateFrames += 1 }
    elapsed[current].missed += frame.late
    if frame.velocity != 0 {
      elapsed[current].moving += length
      elapsed[current].late += frame.late
    }
    spans[current] = (spans[current]?.lowerBound ?? frame.vsync)..<end
    let time = Duration.seconds(frame.vsync) / refreshRate
    let blank = rows.add(frame, at: time, until: end, in: current, isAtRest: isAtRest)
    if let blank { rests.add(frame, until: end, in: current, isAtRest: isAtRest, isComplete: blank == 0) }
    seriesTally?.add(frame, at: time, for: length, blank: blank)
  }
}
