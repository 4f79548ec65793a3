/// The queues of all hosts, which share the slots of a run: one queue per host, so that a slow host never
/// delays the others. Pure: the caller passes the time.
///
/// The next slot goes to a host with free slots and the fewest running items, in classes of powers of two;
/// hosts of one class take turns. So two hosts with enough items get half of all slots each, even if one of
/// them is slower. A host gets more slots than ``trial`` plus one per response only if no other host can be
/// found: a host that never responds must not occupy all slots before other hosts are known.
struct HostQueues<Item> {
  private typealias Host = HostQueue<Item>

  /// The maximum number of idle hosts that are remembered for their limits. 10 000 take a few megabytes;
  /// beyond that, all idle hosts are forgotten.
  static var mostIdle: Int { 10_000 }

  private let perHost: Int
  private let rate: Double?
  /// The number of slots of a host before its first response. A quarter: two or three such hosts leave slots
  /// for others, and a host that responds has all its slots within two rounds.
  private var trial: Int { (max(1, perHost) + 3) / 4 }
  private var hosts: [String: Host] = [:]
  private var rings = [Fifo<String>](repeating: Fifo(), count: Host.untried + 1)
  private var idle = 0
  private var throttled: Set<String> = []

  /// The number of waiting items.
  private(set) var waiting = 0
  /// The number of items that started and have not finished.
  private(set) var running = 0

  /// - Parameters:
  ///   - perHost: The maximum number of running items of one host.
  ///   - rate: The maximum number of items of one host that start per second; nil for none.
  init(perHost: Int, rate: Double? = nil) { (self.perHost, self.rate) = (perHost, rate) }

  /// Adds an item to the queue of a host. O(1).
  mutating func append(_ item: Item, for host: String) {
    change(host) { $0.append(item) }
    waiting += 1
  }

  /// Adds an item that ran before to the queue of a host. If `isFirst`, it precedes the other returned items.
  /// O(1); with `isFirst`, O(number of returned items), which is small.
  mutating func requeue(_ item: Item, for host: String, isFirst: Bool) {
    change(host) { $0.requeue(item, isFirst: isFirst) }
    waiting += 1
  }

  /// Takes back an item that an open circuit rejected, and that the host never refused.
  mutating func putBack(_ item: Item, for host: String) {
    change(host) { $0.putBack(item) }
    waiting += 1
  }

  /// Adds an item that ran before to the queue of a host at `until`.
  mutating func delay(_ item: Item, for host: String, until: Duration) {
    change(host) { $0.delay(item, until: until) }
    waiting += 1
  }

  /// Returns the next time at which ``update(_:now:)`` has an effect on `host`; nil for none.
  func nextUpdate(of host: String) -> Duration? { hosts[host]?.nextUpdate }

  /// Returns the hosts whose running items had no result for at least `shortest`, the longest first. O(n).
  func silent(for shortest: Duration, now: Duration) -> [(host: String, time: Duration)] {
    hosts.compactMap { name, host in
      host.silence(at: now).flatMap { $0 >= shortest ? (name, $0) : nil }
    }
    .sorted { ($1.time, $0.host) < ($0.time, $1.host) }
  }

  /// Returns whether an item may be ready. False is certain.
  ///
  /// - Parameter includesUntried: Whether hosts beyond their trial slots may get more, because no other host
  ///   can be found.
  func mayHaveNext(includesUntried: Bool) -> Bool {
    rings.prefix(includesUntried ? rings.count : Host.untried).contains { !$0.isEmpty }
  }

  /// Starts the next item whose host has a free slot. Returns it with the next time at which the
  /// host must be updated, if any. O(1).
  ///
  /// - Parameter includesUntried: Whether hosts beyond their trial slots may get more, because no other host
  ///   can be found.
  mutating func next(
    includesUntried: Bool, now: Duration
  ) -> (item: Item, host: String, nextUpdate: Duration?)? {
    let trial = trial
    for ring in 0..<(includesUntried ? rings.count : Host.untried) {
      while let name = rings[ring].popFirst() {
        let started = change(name) { host -> (item: Item, nextUpdate: Duration?)? in
          host.rings &= ~(1 << ring)
          guard host.ring(trial: trial) == ring, let item = host.popNext() else { return nil }
          host.begin(at: now)
          return (item, host.nextUpdate)
        }
        guard let started else { continue }
        waiting -= 1
        running += 1
        return (started.item, name, started.nextUpdate)
      }
    }
    return nil
  }

  /// Finishes an item of `host`. Returns true if other items waited for it as the half-open probe.
  ///
  /// - Parameters:
  ///   - signal: The evidence about the host; nil if the host was not involved.
  ///   - isRetry: Whether the item was requested before.
  ///   - endsPause: Whether a pause of the host ends, because the host responds to other items.
  ///   - start: The start of the item.
  @discardableResult
  mutating func finish(
    _ host: String, signal: HostSignal?, isRetry: Bool = false, endsPause: Bool = false,
    begunAt start: Duration, now: Duration
  ) -> Bool {
    running -= 1
    return change(host) { host in
      let isAwaited = host.end(begunAt: start, now: now)
      if let signal { host.note(signal, isRetry: isRetry, begunAt: start, now: now) }
      if endsPause { host.endPause() }
      return isAwaited
    }
  }

  /// Applies the signal of an item from the queue of another host.
  mutating func note(
    _ signal: HostSignal, of host: String, begunAt start: Duration, now: Duration
  ) {
    change(host) { $0.note(signal, begunAt: start, now: now) }
  }

  /// Returns the politeness of a host since the previous call.
  mutating func takePoliteness(of host: String) -> HostPoliteness { change(host) { $0.takePoliteness() } }

  /// Returns whether an item may wait for another pause of a host; see
  /// ``HostBackoff/allowsAnother(of:after:now:)``.
  func allowsAnotherPause(
    _ host: String, of most: Int, after refusal: HostBackoff.Refusal, now: Duration
  ) -> Bool {
    hosts[host]?.pauses.allowsAnother(of: most, after: refusal, now: now) ?? true
  }

  /// Returns whether a host refuses only certain items; see ``RefusalEvidence``.
  func refusesRecords(_ host: String) -> Bool { hosts[host]?.refusesRecords ?? false }

  /// Returns whether a host responds to some requests; see ``HostBackoff/isResponsive``.
  func isResponsive(_ host: String) -> Bool { hosts[host]?.pauses.isResponsive ?? false }

  /// Returns the time of the last answer of a host; nil without one.
  func lastAnswer(of host: String) -> Duration? { hosts[host]?.lastAnswer }

  /// Returns the number of running items of a host.
  func running(of host: String) -> Int { hosts[host]?.running ?? 0 }

  /// Returns whether the only item of a host is running.
  func hasSoleItem(_ host: String) -> Bool { hosts[host]?.hasSoleItem ?? true }

  /// Returns whether a host is paused.
  func isPaused(_ host: String) -> Bool { hosts[host]?.pauses.pausedUntil != nil }

  /// Pauses a host until `end`, or until the end of its current pause if that is later. Running items
  /// continue.
  ///
  /// - Parameters:
  ///   - isRequested: Whether the host requested the pause; nil if the open circuit rejected the item.
  ///   - start: The start of the item.
  /// - Returns: The end of the pause.
  mutating func pause(
    _ host: String, until end: Duration, isRequested: Bool?, begunAt start: Duration, now: Duration
  ) -> Duration {
    change(host) { $0.pause(until: end, isRequested: isRequested, begunAt: start, now: now) }
  }

  /// Ends a pause and a probe of a host whose time has passed.
  mutating func update(_ host: String, now: Duration) {
    if hosts[host] != nil { change(host) { $0.update(at: now) } }
  }

  /// Returns the current limit of a host.
  func limit(of host: String) -> Int { hosts[host]?.limit.current ?? max(1, perHost) }

  /// Returns the throttled hosts, in any order. O(number of throttled hosts).
  func throttles(now: Duration) -> [HostThrottle] {
    throttled.compactMap { name in
      hosts[name].map { host in
        HostThrottle(
          host: name, pause: host.pauses.pausedUntil.map { max(.zero, $0 - now) },
          limit: host.limit.current < host.limit.most ? host.limit.current : nil,
          rate: host.rate(at: now))
      }
    }
  }

  /// Changes a host and updates its ring and the counters of idle and throttled hosts. All changes go through
  /// this function.
  private mutating func change<Value>(_ name: String, _ body: (inout Host) -> Value) -> Value {
    guard let index = hosts.index(forKey: name) else {
      hosts[name] = Host(most: perHost, rate: rate)
      return change(name, body)
    }
    // In place: a copy of the host would copy its queue.
    let (value, ring, nowIdle, nowThrottled) = Self.change(&hosts.values[index], trial: trial, body)
    if let ring { rings[ring].append(name) }
    if let nowThrottled {
      if nowThrottled { throttled.insert(name) } else { throttled.remove(name) }
    }
    idle += nowIdle
    if idle > Self.mostIdle { forgetIdle() }
    return value
  }

  private static func change<Value>(
    _ host: inout Host, trial: Int, _ body: (inout Host) -> Value
  ) -> (Value, joins: Int?, nowIdle: Int, nowThrottled: Bool?) {
    let wasIdle = host.isCounted && host.isIdle
    let wasThrottled = host.isThrottled
    let value = body(&host)
    let ring = host.ring(trial: trial).flatMap { host.rings & 1 << $0 == 0 ? $0 : nil }
    if let ring { host.rings |= 1 << ring }
    host.isCounted = true
    let isThrottled = host.isThrottled
    return (
      value, ring, (host.isIdle ? 1 : 0) - (wasIdle ? 1 : 0),
      isThrottled == wasThrottled ? nil : isThrottled
    )
  }

  private mutating func forgetIdle() {
    // The order does not matter: all idle hosts are removed.
    hosts = hosts.filter { !$0.value.isIdle }
    idle = 0
    let known = hosts
    for ring in rings.indices { rings[ring].filter { known[$0] != nil } }
  }
}
