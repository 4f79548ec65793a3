/// The queue of one host, with its limit, its pauses and its statistics. Pure: the caller passes the time.
struct HostQueue<Item> {
  /// The ring of hosts that need a success before they get more slots. The rings before it are for the bit
  /// widths of the number of running items: 0 to 10, the last of them for all larger numbers too.
  static var untried: Int { 11 }

  /// The items that have not run yet.
  private var fresh = Fifo<Item>()
  /// The items that ran and were refused, or that an open circuit rejected.
  private var returned = Fifo<Item>()
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

  /// - Parameter most: The maximum number of running items.
  init(most: Int) {
    limit = AIMDLimit(most: most)
    politeness = HostPoliteness(limit: limit.current)
  }

  var isIdle: Bool { running == 0 && isEmpty && pauses.pausedUntil == nil }

  /// Whether the host is paused or has a lowered limit, and has items.
  var isThrottled: Bool { (pauses.pausedUntil != nil || limit.current < limit.most) && !isIdle }

  private var isEmpty: Bool { fresh.isEmpty && returned.isEmpty }

  /// Returns the ring in which the host waits for a slot, or nil if it has no free slot or no items.
  func ring(trial: Int) -> Int? {
    guard pauses.allowsRequest, running < limit.current, !isEmpty else { return nil }
    if running - served >= trial { return Self.untried }
    return min(Int.bitWidth - running.leadingZeroBitCount, Self.untried - 1)
  }

  mutating func append(_ item: Item) { fresh.append(item) }

  /// Takes back an item that ran. If `isFirst`, it precedes the other returned items.
  mutating func requeue(_ item: Item, isFirst: Bool) {
    if isFirst { returned.prepend(item) } else { returned.append(item) }
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
    politeness.mostAtOnce = max(politeness.mostAtOnce, running)
    if busySince == nil { busySince = now }
  }

  /// Notes that the item that started at `start` has ended. Returns true if it was the probe, for which
  /// others wait.
  mutating func end(begunAt start: Duration, now: Duration) -> Bool {
    running -= 1
    if let busySince { politeness.busy += now - busySince }
    busySince = running > 0 ? now : nil
    return pauses.end(begunAt: start)
  }

  mutating func note(_ signal: HostSignal, begunAt start: Duration, now: Duration) {
    limit.note(signal, begunAt: start, now: now)
    politeness.note(limit: limit.current)
    if signal == .refused { return pauses.refused(at: now) }
    served += 1
    if signal != .kept { pauses.answered() }
  }

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

  /// Ends a pause and a probe whose time has passed.
  mutating func update(at now: Duration) { pauses.update(at: now) }

  /// Returns the politeness since the previous call.
  mutating func takePoliteness() -> HostPoliteness {
    let taken = politeness
    politeness = HostPoliteness(limit: limit.current)
    politeness.mostAtOnce = running
    return taken
  }
}
