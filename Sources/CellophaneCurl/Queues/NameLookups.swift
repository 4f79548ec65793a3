/// The DNS lookups that are running and the requests that wait for them: one lookup per host, and a maximum
/// in total. Pure.
///
/// libcurl starts a thread for each lookup, even for lookups of the same name, and allocates a receive buffer
/// of 64 KB. A question that the name server drops is repeated after five seconds and abandoned after ten. A
/// host is identified by its ``Swift/String/authority``, because libcurl caches addresses per port.
struct NameLookups<Waiter: AnyObject> {
  /// The next step of a request that needs an address.
  enum Decision {
    /// The address is known.
    case proceed
    /// The request starts the lookup and reports its result.
    case lookUp
    /// The request waits.
    case wait
  }

  /// The requests that continue after a lookup has ended.
  struct Release {
    /// Their address is known, or they start a lookup.
    var proceeding: [Waiter] = []
    /// Their host has no address.
    var failed: [Waiter] = []
  }

  private struct Lookup {
    let owner: Waiter
    var waiting: [Waiter]
  }

  /// The maximum number of concurrent lookups. 128: at 30 ms per lookup, four thousand per second; if no name
  /// server answers within ten seconds, still a dozen. That many threads take a few megabytes.
  static var maxConcurrent: Int { 128 }
  /// The time for which an address counts as known. 50 s: libcurl caches it for 60.
  private static var lifetime: Duration { .seconds(50) }
  /// The maximum number of known hosts. 4 096: half a megabyte. Beyond it, expired hosts are removed, at most
  /// ten times per ``lifetime``, and new ones are not remembered until then.
  private static var maxKnown: Int { 4_096 }

  private let limit: Int
  private var known: [String: Duration] = [:]
  private var nextPurge = Duration.zero
  private var running: [String: Lookup] = [:]
  private var waiting: [String: [Waiter]] = [:]
  // The hosts in `waiting`; the next one is last.
  private var queuedHosts: [String] = []

  /// Creates an empty table for at most `limit` concurrent lookups.
  init(limit: Int = maxConcurrent) { self.limit = limit }

  /// Returns whether the address of a host is known.
  private func knows(_ host: String, now: Duration) -> Bool { known[host].map { now < $0 } ?? false }

  /// Registers a request that needs the address of `host`. O(1) if no request waits.
  mutating func request(_ host: String, by waiter: Waiter, now: Duration) -> Decision {
    if knows(host, now: now) { return .proceed }
    if running[host] != nil {
      running[host]?.waiting.append(waiter)
      return .wait
    }
    guard running.count < limit else {
      if waiting[host] == nil { queuedHosts.insert(host, at: 0) }
      waiting[host, default: []].append(waiter)
      return .wait
    }
    running[host] = Lookup(owner: waiter, waiting: [])
    return .lookUp
  }

  /// Records that `waiter` has the address. Ignored unless `waiter` runs the lookup of this host.
  mutating func found(_ host: String, by waiter: Waiter, now: Duration) -> Release {
    guard let lookup = endLookup(host, by: waiter) else { return Release() }
    if known.count >= Self.maxKnown, now >= nextPurge {
      known = known.filter { $0.value > now }
      nextPurge = now + Self.lifetime / 10
    }
    if known.count < Self.maxKnown { known[host] = now + Self.lifetime }
    var release = startNext()
    release.proceeding = lookup.waiting + release.proceeding
    return release
  }

  /// Records that `waiter` received no address.
  mutating func failed(_ host: String, by waiter: Waiter) -> Release {
    guard let lookup = endLookup(host, by: waiter) else {
      removeWaiter(waiter, from: host)
      return Release()
    }
    var release = startNext()
    release.failed = lookup.waiting
    return release
  }

  /// Removes `waiter`. If it ran the lookup, the next request for this host starts another.
  mutating func leave(_ host: String, by waiter: Waiter) -> Release {
    guard let lookup = endLookup(host, by: waiter) else {
      removeWaiter(waiter, from: host)
      return Release()
    }
    guard let other = lookup.waiting.first else { return startNext() }
    running[host] = Lookup(owner: other, waiting: Array(lookup.waiting.dropFirst()))
    return Release(proceeding: [other])
  }

  private mutating func removeWaiter(_ waiter: Waiter, from host: String) {
    running[host]?.waiting.removeAll { $0 === waiter }
    waiting[host]?.removeAll { $0 === waiter }
  }

  private mutating func endLookup(_ host: String, by waiter: Waiter) -> Lookup? {
    guard running[host]?.owner === waiter else { return nil }
    return running.removeValue(forKey: host)
  }

  /// Starts the lookups that have waited longest.
  private mutating func startNext() -> Release {
    var release = Release()
    while running.count < limit, let host = queuedHosts.popLast() {
      guard let waiters = waiting.removeValue(forKey: host), let first = waiters.first else { continue }
      running[host] = Lookup(owner: first, waiting: Array(waiters.dropFirst()))
      release.proceeding.append(first)
    }
    return release
  }
}

extension String {
  /// True if the host of this ``authority`` is a name and not an address.
  var hasHostName: Bool {
    unsafe utf8.withContiguousStorageIfAvailable { unsafe $0.hasHostName } ?? utf8.hasHostName
  }

  /// The host name of this ``authority``; meaningful only if ``hasHostName``.
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
