internal import Cellophane

/// Everything that is measured of a run, while it happens. Its memory depends on the rows and URLs that come in, not on
/// how long the run lasts. Pure: what happens comes in with its time.
struct RunTally: Sendable {
  /// The time that passed in a phase, in vsyncs.
  struct Passed: Additive {
    var vsyncs = 0
    var moving = 0
    /// Frames that came late; by how much, while the list moved.
    var lateFrames = 0
    var late = 0
    /// By how much all of them came late, while the list rested, too.
    var missed = 0

    static func += (sum: inout Passed, other: Passed) {
      sum.vsyncs += other.vsyncs
      sum.moving += other.moving
      sum.lateFrames += other.lateFrames
      sum.late += other.late
      sum.missed += other.missed
    }
  }

  /// Below this speed, in px/s, somebody can look at a picture: less than a px a frame (assumed).
  static let restVelocity = 50.0
  /// The shortest rest that counts as a stop (assumed: long enough to look at one row).
  static let shortestRest = Duration.milliseconds(300)
  /// The shortest appearance in which a missing picture is noticed: the limit of "instantaneous" (Nielsen,
  /// Usability Engineering, 1993).
  static let noticeable = Duration.milliseconds(100)

  let refreshRate: Int
  /// The rows' URLs.
  let urls: [String]
  /// Whether slots show what has arrived of a picture.
  let showsPreviews: Bool
  private(set) var rows: RowsSeen
  private(set) var rests: RestTally
  private(set) var slots = SlotTally()
  private(set) var transfers = TransferTally()
  private(set) var decodings = DecodingTally()
  private(set) var prefetches = PrefetchTally()
  private(set) var passed = PerPhase<Passed>()
  /// The first and the last vsync of each phase that there was.
  private(set) var spans = PerPhase<Range<Int>?>(nil)
  private(set) var peakResidentBytes: Int?
  private(set) var seriesTally: SeriesTally?
  private var phase = PhaseClock()
  /// On the screen until the next one comes.
  private var last: ScreenFrame?
  /// The slots that came to stand for a row since then.
  private var bound: [Int] = []

  /// The picture that belongs to `row`, where pictures carry numbers.
  func number(of row: Int) -> Int? {
    if case .numbers(let numbers) = rows.proof { numbers[row] } else { nil }
  }

  /// Nothing has happened yet.
  ///
  /// - Parameters:
  ///   - versions: When pictures change; nil where they never do.
  ///   - keepsSeries: Also measure how the run went over time.
  init(
    refreshRate: Int, urls: [String], proof: RowsSeen.Proof, versions: PictureVersions? = nil,
    showsPreviews: Bool = false, keepsSeries: Bool
  ) {
    self.refreshRate = refreshRate
    self.urls = urls
    self.showsPreviews = showsPreviews
    rows = RowsSeen(proof, versions: versions, noticeable: Self.vsyncs(in: Self.noticeable, at: refreshRate))
    rests = RestTally(shortest: Self.vsyncs(in: Self.shortestRest, at: refreshRate))
    seriesTally = keepsSeries ? SeriesTally() : nil
  }

  /// The least number of vsyncs that last `duration`.
  private static func vsyncs(in duration: Duration, at refreshRate: Int) -> Int {
    Int((duration / (.seconds(1) / refreshRate) - 1e-6).rounded(.up))
  }

  /// Measures what happened at `time` of the run.
  mutating func note(_ event: RunEvent, at time: Duration) {
    switch event {
    case .bound(let slot, let row):
      if let left = slots.bind(slot, to: row, in: phase.current) { transfers.abandon(urls[left], at: time) }
      transfers.want(urls[row])
      prefetches.bind(slot, to: urls[row])
      bound.append(slot)
    case .displayed(let slot, let row, let state):
      let bytes = row.flatMap { transfers.size(of: urls[$0]) }
      slots.display(state, in: slot, bytes: bytes, phase: phase.current)
      if case .shown = state, let row { prefetches.show(urls[row]) }
      if let row, let picture = state.proof { rows.display(picture, of: row, in: phase.current) }
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
    case .transferProgressed(let number, let bytes), .transferLeft(let number, let bytes):
      progress(number, bytes: bytes, at: time)
      if case .transferLeft = event { transfers.leave(number) }
    case .transferEnded(let number, let outcome, let bytes):
      progress(number, bytes: bytes, at: time)
      transfers.end(number, outcome, at: time)
      if case .completed = outcome {
        prefetches.end(number, bytes: bytes, isWhole: true)
      } else {
        prefetches.end(number, bytes: bytes, isWhole: false)
      }
    case .decodingBegan(let number, let picture):
      decodings.begin(number, of: picture, at: time, in: phase.current)
    case .decodingEnded(let number, _): decodings.end(number, at: time)
    }
  }

  /// The last frame left the screen at vsync `end`.
  mutating func finish(at end: Int) {
    close(until: end)
    rests.finish()
  }

  private mutating func progress(_ number: Int, bytes: Int, at time: Duration) {
    let new = transfers.progress(number, bytes: bytes)
    seriesTally?.note(inFlight: transfers.count, bytes: new, at: time)
  }

  /// The last frame was on the screen until vsync `end`.
  private mutating func close(until end: Int) {
    guard let frame = last else { return }
    last = nil
    let (current, length) = (phase.current, end - frame.vsync)
    let isAtRest = abs(frame.velocity) < Self.restVelocity
    passed[current].vsyncs += length
    if frame.late > 0 { passed[current].lateFrames += 1 }
    passed[current].missed += frame.late
    if frame.velocity != 0 {
      passed[current].moving += length
      passed[current].late += frame.late
    }
    spans[current] = (spans[current]?.lowerBound ?? frame.vsync)..<end
    let time = Duration.seconds(frame.vsync) / refreshRate
    let blank = rows.add(frame, at: time, until: end, in: current, isAtRest: isAtRest)
    if let blank { rests.add(frame, until: end, in: current, isAtRest: isAtRest, isWhole: blank == 0) }
    seriesTally?.add(frame, at: time, for: length, blank: blank)
  }
}
