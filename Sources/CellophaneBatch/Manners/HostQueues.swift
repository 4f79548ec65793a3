/// Whose turn it is: what waits stands in one line a host, so that a slow one never holds up the others. Pure: time is
/// told.
///
/// Of the hosts that have room, one of those with the fewest running is next, by powers of two; equals take turns. So
/// two hosts with enough to do get half of all places each, however much longer one holds each of its own. A host gets
/// more places than ``trial`` and one for each time that it served only when there is nobody else to look for: one that
/// never answers does not take them all before others are known.
struct HostQueues<Item> {
  private typealias Host = HostQueue<Item>

  /// Hosts remembered with nothing to do, for their limits. 10 000, a few megabytes; beyond, they begin anew.
  static var mostIdle: Int { 10_000 }

  private let perHost: Int
  /// What a host gets before it serves. A quarter: two or three such hosts leave room for others, and one that serves
  /// has all within two rounds.
  private var trial: Int { (max(1, perHost) + 3) / 4 }
  private var hosts: [String: Host] = [:]
  private var rings = [Fifo<String>](repeating: Fifo(), count: Host.untried + 1)
  private var idle = 0
  private var restrained: Set<String> = []

  /// How many wait.
  private(set) var waiting = 0
  /// How many have had their turn and are not finished.
  private(set) var running = 0

  /// - Parameter perHost: At most so many of one host run at once.
  init(perHost: Int) { self.perHost = perHost }

  /// Puts an item in a host's line. O(1).
  mutating func append(_ item: Item, for host: String) {
    change(host) { $0.append(item) }
    waiting += 1
  }

  /// Puts an item that has had its turn in a host's line, before all others of that kind if it is to be first. O(1); for
  /// the first O(their number), in which refused ones rarely are many.
  mutating func takeBack(_ item: Item, for host: String, isFirst: Bool) {
    change(host) { $0.takeBack(item, isFirst: isFirst) }
    waiting += 1
  }

  /// True when somebody's turn may have come. False is certain.
  ///
  /// - Parameter isAlone: There is nobody else to look for.
  func mayHaveNext(isAlone: Bool) -> Bool {
    rings.prefix(isAlone ? rings.count : Host.untried).contains { !$0.isEmpty }
  }

  /// The next item whose host has room, which then runs; and until when it is ahead of the others there, if it is. O(1).
  ///
  /// - Parameter isAlone: There is nobody else to look for.
  mutating func next(isAlone: Bool, now: Duration) -> (item: Item, host: String, headStartEnd: Duration?)? {
    let trial = trial
    for ring in 0..<(isAlone ? rings.count : Host.untried) {
      while let name = rings[ring].popFirst() {
        let begun = change(name) { host -> (item: Item, headStartEnd: Duration?)? in
          host.rings &= ~(1 << ring)
          guard host.ring(trial: trial) == ring, let item = host.popNext() else { return nil }
          host.begin(at: now)
          return (item, host.pauses.headStartEnd)
        }
        guard let begun else { continue }
        waiting -= 1
        running += 1
        return (begun.item, name, begun.headStartEnd)
      }
    }
    return nil
  }

  /// An item of `host` is finished. True when others have waited for that, beside the one for its place.
  ///
  /// - Parameters:
  ///   - sign: What it says of the host; nil when the host had no part in it.
  ///   - start: When it began.
  @discardableResult
  mutating func finish(
    _ host: String, sign: HostSign?, begunAt start: Duration, now: Duration
  ) -> Bool {
    running -= 1
    return change(host) { host in
      let isAwaited = host.end(begunAt: start, now: now)
      if let sign { host.note(sign, begunAt: start, now: now) }
      return isAwaited
    }
  }

  /// Takes in what something that stood in no line of `host` said of it.
  mutating func note(_ sign: HostSign, of host: String, begunAt start: Duration, now: Duration) {
    change(host) { $0.note(sign, begunAt: start, now: now) }
  }

  /// How a host was treated, since this was asked last.
  mutating func takeManners(of host: String) -> HostManners { change(host) { $0.takeManners() } }

  /// Whether it is worth while to wait for a host once more; see
  /// ``HostPauses/isWorthAnother(of:wasRefused:isHeldBack:begunAt:now:)``.
  func isWorthAnotherPause(
    _ host: String, of most: Int, wasRefused: Bool, isHeldBack: Bool, begunAt start: Duration,
    now: Duration
  ) -> Bool {
    hosts[host]?.pauses.isWorthAnother(
      of: most, wasRefused: wasRefused, isHeldBack: isHeldBack, begunAt: start, now: now) ?? true
  }

  /// True when a host answers, whatever it refuses; see ``HostPauses/answers``.
  func answers(_ host: String) -> Bool { hosts[host]?.pauses.answers ?? false }

  /// How many of a host are under way.
  func running(of host: String) -> Int { hosts[host]?.running ?? 0 }

  /// True while a host is left alone.
  func isHeld(_ host: String) -> Bool { hosts[host]?.pauses.heldUntil != nil }

  /// Leaves a host alone until `end`, or longer when that was said before: until then. Those who run go on.
  ///
  /// - Parameters:
  ///   - isAsked: It asked for that; nil when it was not asked for what is held back now.
  ///   - start: When that began.
  mutating func hold(
    _ host: String, until end: Duration, isAsked: Bool?, begunAt start: Duration, now: Duration
  ) -> Duration {
    change(host) { $0.hold(until: end, isAsked: isAsked, begunAt: start, now: now) }
  }

  /// Ends the pause of a host, or the head start of who went first behind it, when that is over.
  mutating func look(at host: String, now: Duration) {
    if hosts[host] != nil { change(host) { $0.look(at: now) } }
  }

  /// How many a host may have at once now.
  func limit(of host: String) -> Int { hosts[host]?.limit.current ?? max(1, perHost) }

  /// The hosts that get less than they may have, in any order. O(their number).
  func restraints(now: Duration) -> [HostRestraint] {
    restrained.compactMap { name in
      hosts[name].map { host in
        HostRestraint(
          host: name, pause: host.pauses.heldUntil.map { max(.zero, $0 - now) },
          limit: host.limit.current < host.limit.most ? host.limit.current : nil)
      }
    }
  }

  /// The one way to change a host: its place in the ring and in memory follows.
  private mutating func change<Value>(_ name: String, _ body: (inout Host) -> Value) -> Value {
    guard let index = hosts.index(forKey: name) else {
      hosts[name] = Host(most: perHost)
      return change(name, body)
    }
    // In place: a copy of a host would copy its line.
    let (value, ring, nowIdle, nowRestrained) = Self.change(&hosts.values[index], trial: trial, body)
    if let ring { rings[ring].append(name) }
    if let nowRestrained {
      if nowRestrained { restrained.insert(name) } else { restrained.remove(name) }
    }
    idle += nowIdle
    if idle > Self.mostIdle { forgetIdle() }
    return value
  }

  private static func change<Value>(
    _ host: inout Host, trial: Int, _ body: (inout Host) -> Value
  ) -> (Value, joins: Int?, nowIdle: Int, nowRestrained: Bool?) {
    let wasIdle = host.isCounted && host.isIdle
    let wasRestrained = host.isRestrained
    let value = body(&host)
    let ring = host.ring(trial: trial).flatMap { host.rings & 1 << $0 == 0 ? $0 : nil }
    if let ring { host.rings |= 1 << ring }
    host.isCounted = true
    let isRestrained = host.isRestrained
    return (
      value, ring, (host.isIdle ? 1 : 0) - (wasIdle ? 1 : 0),
      isRestrained == wasRestrained ? nil : isRestrained
    )
  }

  private mutating func forgetIdle() {
    // The order decides nothing: all that are idle go.
    hosts = hosts.filter { !$0.value.isIdle }
    idle = 0
    let known = hosts
    for ring in rings.indices { rings[ring].filter { known[$0] != nil } }
  }
}
