/// Which hosts' names are being looked up: each by one at a time, and so many in all; who else needs them waits. Pure.
///
/// libcurl gives each look-up a thread of its own, also those of one name, and takes 64 KB for what will be received. A
/// name server that drops a question is asked again after five seconds, and given up after ten. A host is told by its
/// ``Swift/String/site``: libcurl keeps an address for each port.
struct NameLookups<Waiter: AnyObject> {
  /// What one who needs an address is to do.
  enum Arrival {
    /// Go on, it is known.
    case goesOn
    /// Look it up, and tell how that ended.
    case looksUp
    /// Wait.
    case waits
  }

  /// Who may go on when a look-up has ended.
  struct Release {
    /// Its address is known, or they are to look it up.
    var go: [Waiter] = []
    /// It has none.
    var refused: [Waiter] = []
  }

  private struct Lookup {
    let by: Waiter
    var waiting: [Waiter]
  }

  /// How many names are looked up at once. 128: where one takes 30 ms, four thousand a second, and where none is answered
  /// within ten seconds, still a dozen; as many threads as that take a few megabytes.
  static var mostAtOnce: Int { 128 }
  /// How long an address is known. 50 s: libcurl keeps it for 60.
  private static var memory: Duration { .seconds(50) }
  /// How many are, before all that are over are forgotten. 4 096: half a megabyte. They are looked through at most ten times
  /// within their memory.
  private static var mostKnown: Int { 4_096 }

  private let most: Int
  private var known: [String: Duration] = [:]
  private var nextLook = Duration.zero
  private var running: [String: Lookup] = [:]
  private var waiting: [String: [Waiter]] = [:]
  // Hosts of `waiting`, the next one last.
  private var line: [String] = []

  /// Nothing known, and at most so many looked up at once.
  init(most: Int = mostAtOnce) { self.most = most }

  /// Whether a host's address is known.
  private func knows(_ host: String, now: Duration) -> Bool { known[host].map { now < $0 } ?? false }

  /// One who needs the address of `host` is there. O(1) while nobody waits.
  mutating func arrive(_ waiter: Waiter, at host: String, now: Duration) -> Arrival {
    if knows(host, now: now) { return .goesOn }
    if running[host] != nil {
      running[host]?.waiting.append(waiter)
      return .waits
    }
    guard running.count < most else {
      if waiting[host] == nil { line.insert(host, at: 0) }
      waiting[host, default: []].append(waiter)
      return .waits
    }
    running[host] = Lookup(by: waiter, waiting: [])
    return .looksUp
  }

  /// `waiter` has the address. What others say of a host that is looked up by somebody else counts for nothing.
  mutating func found(_ host: String, by waiter: Waiter, now: Duration) -> Release {
    guard let lookup = end(host, by: waiter) else { return Release() }
    if known.count >= Self.mostKnown, now >= nextLook {
      known = known.filter { $0.value > now }
      nextLook = now + Self.memory / 10
    }
    if known.count < Self.mostKnown { known[host] = now + Self.memory }
    var release = next()
    release.go = lookup.waiting + release.go
    return release
  }

  /// `waiter` heard that there is no address.
  mutating func failed(_ host: String, by waiter: Waiter) -> Release {
    guard let lookup = end(host, by: waiter) else {
      withdraw(waiter, from: host)
      return Release()
    }
    var release = next()
    release.refused = lookup.waiting
    return release
  }

  /// `waiter` has gone, wherever it stood; another looks up what it was looking up.
  mutating func leave(_ host: String, by waiter: Waiter) -> Release {
    guard let lookup = end(host, by: waiter) else {
      withdraw(waiter, from: host)
      return Release()
    }
    guard let other = lookup.waiting.first else { return next() }
    running[host] = Lookup(by: other, waiting: Array(lookup.waiting.dropFirst()))
    return Release(go: [other])
  }

  private mutating func withdraw(_ waiter: Waiter, from host: String) {
    running[host]?.waiting.removeAll { $0 === waiter }
    waiting[host]?.removeAll { $0 === waiter }
  }

  private mutating func end(_ host: String, by waiter: Waiter) -> Lookup? {
    guard running[host]?.by === waiter else { return nil }
    return running.removeValue(forKey: host)
  }

  /// Those who look up what waited longest.
  private mutating func next() -> Release {
    var release = Release()
    while running.count < most, let host = line.popLast() {
      guard let waiters = waiting.removeValue(forKey: host), let first = waiters.first else { continue }
      running[host] = Lookup(by: first, waiting: Array(waiters.dropFirst()))
      release.go.append(first)
    }
    return release
  }
}

extension String {
  /// Whether the host of this ``site`` is a name, and no address.
  var hasHostName: Bool {
    unsafe utf8.withContiguousStorageIfAvailable { unsafe $0.hasHostName } ?? utf8.hasHostName
  }

  /// The name of the host of this ``site``, when it has one.
  var hostName: String {
    String(
      Substring(
        utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst("://".utf8.count).prefix { $0 != UInt8(ascii: ":") }))
  }
}

extension Collection<UInt8> {
  fileprivate var hasHostName: Bool {
    guard let colon = firstIndex(of: UInt8(ascii: ":")) else { return false }
    let host = self[colon...].dropFirst("://".utf8.count).prefix { $0 != UInt8(ascii: ":") }
    return host.first != UInt8(ascii: "[") && !host.allSatisfy { $0 < UInt8(ascii: ":") }
  }
}
