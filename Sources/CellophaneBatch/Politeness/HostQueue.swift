/// The queue of one host, with its limit, its pauses and its statistics. Pure: the caller passes the time.
struct HostQueue<Item> {
  /// The ring of hosts that need a success before they get more slots. The rings before it are for the bit
  /// widths of the number of running items: 0 to 10, the last of them for all larger numbers too.
  static var untried: Int { 11 }

  /// The items that have not run yet.
  private var fresh = Fifo<Item>()
  /// The items that ran and were refused, or that an open circuit rejected.
  private var returned = Fifo<Item>()
  /// The items for which the host requested a pause, by its end. They return after it.
  private var delayed: [(item: Item, until: Duration)] = []
  private var rate: HostRate
  private var refusals = RefusalEvidence()
  // True until `rate` allows the next item.
  private var isPaced = false
  /// The time of the last answer; nil without one.
  private(set) var lastAnswer: Duration?
  // The time of the last end of an item.
  private var lastEnd = Duration.zero
  // Fresh and returned items alternate.
  private var tookReturned = false
  private(set) var running = 0
  private(set) var limit: AIMDLimit
  private(set) var pauses = HostBackoff()
  // The number of responses, including cached ones.
  private var served = 0
  /// The rings that contain the host, one bit each. A ring that the host has left keeps its bit until the
  /// host is removed there.
  var rings: UInt16 = 0
  /// Whether the host was counted before, as idle or as busy.
  var isCounted = false
  private var politeness: HostPoliteness
  // The start of the busy time that is not yet reported.
  private var busySince: Duration?

  /// - Parameters:
  ///   - most: The maximum number of running items.
  ///   - rate: The maximum number of items that start per second; nil for none.
  init(most: Int, rate: Double? = nil) {
    self.rate = HostRate(most: rate)
    limit = AIMDLimit(most: most)
    politeness = HostPoliteness(limit: limit.current)
  }

  var isIdle: Bool { running == 0 && isEmpty && delayed.isEmpty && pauses.pausedUntil == nil }

  /// Whether the host is paused or has a lowered limit or a rate, and has items.
  var isThrottled: Bool {
    (pauses.pausedUntil != nil || limit.current < limit.most || rate.isLearned) && !isIdle
  }

  /// The learned rate of items per second; nil for none.
  func rate(at now: Duration) -> Double? { rate.isLearned ? rate.rate(at: now) : nil }

  /// Whether the only item is running.
  var hasSoleItem: Bool { running == 1 && isEmpty && delayed.isEmpty }

  private var isEmpty: Bool { fresh.isEmpty && returned.isEmpty }

  /// The next time at which ``update(at:)`` has an effect; nil for none.
  var nextUpdate: Duration? {
    // The usual case allocates no array.
    if delayed.isEmpty, !isPaced { return pauses.pausedUntil ?? pauses.probeDeadline }
    return [
      pauses.pausedUntil, pauses.probeDeadline, delayed.first?.until, isPaced ? rate.next : nil,
    ]
    .compactMap(\.self).min()
  }

  /// Returns the time since the last result of the running items; nil without any.
  func silence(at now: Duration) -> Duration? { busySince.map { now - max($0, lastEnd) } }

  /// Returns the ring in which the host waits for a slot, or nil if it has no free slot or no items.
  func ring(trial: Int) -> Int? {
    let most = pauses.awaitsProbe ? limit.ofProbe : limit.current
    guard pauses.allowsRequest, !isPaced, running < most, !isEmpty else { return nil }
    if running - served >= trial { return Self.untried }
    return min(Int.bitWidth - running.leadingZeroBitCount, Self.untried - 1)
  }

  mutating func append(_ item: Item) { fresh.append(item) }

  /// Takes back an item that ran. If `isFirst`, it precedes the other returned items.
  mutating func requeue(_ item: Item, isFirst: Bool) {
    if isFirst { returned.prepend(item) } else { returned.append(item) }
  }

  /// Takes back an item that was not requested. It is as good a probe as an item that has not run.
  mutating func putBack(_ item: Item) { fresh.prepend(item) }

  /// Takes back an item that must not run before `until`.
  mutating func delay(_ item: Item, until: Duration) {
    let index = delayed.lastIndex { $0.until <= until }.map { $0 + 1 } ?? 0
    delayed.insert((item, until), at: index)
  }

  /// Removes the next item; returned and fresh items alternate.
  ///
  /// A fresh item that is the probe after a pause is the last one of the queue, the farthest from the refused
  /// items. A list may contain all items that its host refuses in one place, and the other items must not
  /// fail because of them.
  mutating func popNext() -> Item? {
    if pauses.prefersReturned == false { return fresh.popLast() ?? returned.popFirst() }
    tookReturned = pauses.prefersReturned ?? !tookReturned
    return tookReturned
      ? returned.popFirst() ?? fresh.popFirst() : fresh.popFirst() ?? returned.popFirst()
  }

  mutating func begin(at now: Duration) {
    running += 1
    pauses.begin(at: now)
    rate.begin(at: now)
    isPaced = rate.next > now
    politeness.mostAtOnce = max(politeness.mostAtOnce, running)
    if busySince == nil { busySince = now }
  }

  /// Notes that the item that started at `start` has ended. Returns true if it was the probe, for which
  /// others wait.
  mutating func end(begunAt start: Duration, now: Duration) -> Bool {
    running -= 1
    lastEnd = now
    if let busySince { politeness.busy += now - busySince }
    busySince = running > 0 ? now : nil
    return pauses.end(begunAt: start)
  }

  /// Applies the signal of an item.
  ///
  /// - Parameter isRetry: Whether the item was requested before.
  mutating func note(_ signal: HostSignal, isRetry: Bool = false, begunAt start: Duration, now: Duration) {
    refusals.note(signal, isRetry: isRetry)
    if refusals.isOfRecords { rate.forget() }
    lower(by: signal, begunAt: start, now: now)
    switch signal {
    case .refused, .failed, .unavailable, .rejected, .limited, .limitedAgain, .paused, .silent: return
    case .kept: rate.refund()
    case .answered, .recovered, .served:
      pauses.answered()
      lastAnswer = now
      rate.answered(at: now)
    }
    served += 1
  }

  /// Applies a signal to the limit of running items, or to the rate.
  private mutating func lower(by signal: HostSignal, begunAt start: Duration, now: Duration) {
    switch signal {
    case .limited, .failed, .unavailable, .paused(_, isOfRecord: true): if refusals.isOfRecords { return }
    default: break
    }
    switch signal {
    // A rate that fits the host needs no lower limit of concurrent items.
    case .limited: if rate.limited(begunAt: start, at: now) { return }
    // The host may limit requests per second or concurrent requests. Both adapt.
    case .unavailable: _ = rate.limited(begunAt: start, at: now)
    case .paused(let length, let isOfRecord):
      if length <= HostRate.longestPause { _ = rate.limited(begunAt: start, at: now, pause: length) }
      if isOfRecord { return }
    default: break
    }
    limit.note(signal, begunAt: start, now: now)
    politeness.note(limit: limit.current)
  }

  /// Whether the host refuses only certain items; see ``RefusalEvidence``.
  var refusesRecords: Bool { refusals.isOfRecords }

  /// Ends a pause, because the host responds to other items.
  mutating func endPause() { pauses.endPause() }

  /// Pauses the host; see ``HostBackoff/pause(until:isRequested:begunAt:active:now:)``. Returns the end of
  /// the pause.
  mutating func pause(
    until end: Duration, isRequested: Bool?, begunAt start: Duration, now: Duration
  ) -> Duration {
    let (end, isNew) = pauses.pause(
      until: end, isRequested: isRequested, begunAt: start, active: running, now: now)
    if isNew { politeness.pauses += 1 }
    return end
  }

  /// Ends pauses and a probe whose time has passed.
  mutating func update(at now: Duration) {
    pauses.update(at: now)
    isPaced = isPaced && rate.next > now
    let count = delayed.prefix { $0.until <= now }.count
    for (item, _) in delayed.prefix(count) { returned.append(item) }
    delayed.removeFirst(count)
  }

  /// Returns the politeness since the previous call.
  mutating func takePoliteness() -> HostPoliteness {
    let taken = politeness
    politeness = HostPoliteness(limit: limit.current)
    politeness.mostAtOnce = running
    return taken
  }
}
