/// The rate at which records of one host start. Pure: the caller passes the time.
///
/// A host that answers 429 or 503 while it answers others may have a limit of requests per second. The rate is then that of
/// its recent responses, at which the host began to refuse, and grows until the next refusal. It grows more slowly if refusals cause pauses.
/// Without a refusal, only the given limit applies.
struct HostRate: Equatable {
  /// The responses and the time that double a rate.
  struct Growth: Equatable {
    let responses: Double
    let time: Duration
  }

  /// The number of recent responses that measure the rate. 20: an error of about a fifth, which later refusals correct.
  static var mostMeasured: Int { 20 }
  /// The number of responses below which no rate is learned. 10: fewer say little about the limit.
  static var fewestMeasured: Int { 10 }
  /// The part of the measured rate that remains after a refusal. 0.95: the excess requests drain within some responses.
  static var decrease: Double { 0.95 }
  /// The responses and the time that double the rate. The growth is quadratic: after a refusal, the rate stays near the
  /// limit for about 20 responses, so one request of 30 is refused; a rate that is far too low doubles soon.
  static var doubling: Growth { Growth(responses: 100, time: .seconds(20)) }
  /// The slower growth after a requested pause, in lengths of the pause: the responses of ten lengths at the learned rate
  /// double it, and so do 20 lengths without any. Refusals are then several lengths apart. In tests, a host with a limit of 50
  /// requests per second that requests pauses of 1 s receives 45 per second.
  static var pauseGrowth: (responses: Double, time: Double) { (10, 20) }
  /// The longest requested pause that sets a rate. 5 s: hosts that ask for more count the requests of a minute or an hour,
  /// and all of these may come at once.
  static var longestPause: Duration { .seconds(5) }
  /// The lowest learned rate. One request in ten seconds detects that the limit no longer applies.
  static var lowest: Double { 0.1 }

  /// The maximum rate per second; nil for none.
  let most: Double?
  /// The learned rate per second at `since`; nil before the first refusal.
  private var learned: Double?
  private var since = Duration.zero
  // The responses since then, and those that double the rate.
  private var responses = 0
  private var doubling = HostRate.doubling
  // The times of the last responses, and the index of the oldest.
  private var times: [Duration] = []
  private var oldest = 0
  /// The earliest start of the next record.
  private(set) var next = Duration.zero
  // The part of `next` that the last record added.
  private var lastStep = Duration.zero

  /// - Parameter most: The maximum rate per second; nil for none.
  init(most: Double? = nil) { self.most = most }

  /// Whether a rate is learned.
  var isLearned: Bool { learned != nil }

  /// Returns the rate per second; nil without a limit.
  func rate(at now: Duration) -> Double? {
    guard let learned else { return most }
    let (ofResponses, ofTime) = (
      Double(responses) / doubling.responses, (now - since) / doubling.time
    )
    return min(most ?? .infinity, learned * (1 + ofResponses * ofResponses + ofTime * ofTime))
  }

  /// Counts a record that starts at `now`.
  mutating func begin(at now: Duration) {
    guard let rate = rate(at: now) else { return }
    // Rounded up: a clock with a coarser resolution would wake up before the time, again and again.
    lastStep = .microseconds(Int64((1_000_000 / rate).rounded(.up)))
    // A timer that is late by some milliseconds does not lower the rate.
    next = max(next, now - .milliseconds(20)) + lastStep
  }

  /// Takes back a started record that needed no request.
  mutating func refund() { next -= lastStep }

  /// Counts a response that is no refusal.
  mutating func answered(at now: Duration) {
    responses += 1
    if times.count < Self.mostMeasured { return times.append(now) }
    times[oldest] = now
    oldest = (oldest + 1) % Self.mostMeasured
  }

  /// Forgets the learned rate, because the refusals concern their records.
  mutating func forget() { learned = nil }

  /// Lowers the rate after the refusal of a record that began at `start`. The refusal of a record that began before the last change
  /// is ignored.
  ///
  /// - Parameter pause: The length of the pause that the host requested; zero without one.
  /// - Returns: Whether the rate is known.
  mutating func limited(begunAt start: Duration, at now: Duration, pause: Duration = .zero) -> Bool {
    // Without an answer since then, the refusals concern their records, or the circuit breaker pauses the host.
    if learned != nil, start < since || responses == 0 { return true }
    guard times.count >= Self.fewestMeasured else { return false }
    let measured = Double(times.count) / max((now - times[oldest]) / .seconds(1), 0.001)
    let learned = max(Self.lowest, min(rate(at: now) ?? .infinity, measured) * Self.decrease)
    let growth = Self.pauseGrowth
    doubling = Growth(
      responses: max(Self.doubling.responses, learned * (pause * growth.responses / .seconds(1))),
      time: max(Self.doubling.time, pause * growth.time))
    (self.learned, since, responses) = (learned, now, 0)
    return true
  }
}
