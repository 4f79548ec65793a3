internal import Cellophane

/// What was asked of each host and what came of it, of however many hosts, in constant memory.
///
/// As many are told apart as there is room for. Beyond, those with the fewest lines become one, by the counters of Misra
/// and Gries ("Finding repeated elements", 1982), all at once: a host with more than a 5 000th of all lines is
/// among those told apart, and what is said of it lacks at most what came of that many lines.
package struct HostStatistics: Equatable, Sendable {
  /// What is added up of one host, or of several.
  package struct Sums: Encodable, Equatable, Sendable {
    /// Its lines that had their turn: no duplicates, and none that ask for nothing.
    package fileprivate(set) var lines = 0
    /// How often it was asked.
    package fileprivate(set) var requests = 0
    package fileprivate(set) var fetched = 0
    package fileprivate(set) var failed = 0
    /// Of what was fetched.
    package fileprivate(set) var bytes = 0
    /// How often it got fewer at once than before, and how often a pause.
    package fileprivate(set) var (backOffs, pauses) = (0, 0)

    fileprivate mutating func add(_ other: Sums) {
      lines += other.lines
      requests += other.requests
      fetched += other.fetched
      failed += other.failed
      bytes += other.bytes
      backOffs += other.backOffs
      pauses += other.pauses
    }
  }

  /// What is told of one host.
  package struct Host: Equatable, Sendable {
    package fileprivate(set) var sums = Sums()
    /// How long something of it was under way.
    package fileprivate(set) var busy = Duration.zero
    /// How long it took to begin answers, together and at most.
    fileprivate var (answers, waits, longestWait) = (0, Duration.zero, Duration.zero)
    package fileprivate(set) var mostAtOnce = 0
    package fileprivate(set) var limit = 0
    package fileprivate(set) var leastLimit = Int.max
    /// Lines, less what hosts that became one had beside it.
    fileprivate var rank = 0

    /// Bytes a second while something of it was under way; nil when nothing was.
    package var bytesPerSecond: Double? { busy > .zero ? Double(sums.bytes) / (busy / .seconds(1)) : nil }

    /// The mean time to the first byte; nil when it answered nothing.
    package var firstByte: Duration? { answers > 0 ? waits / answers : nil }

    fileprivate mutating func count(_ result: BatchResult, _ manners: HostManners) {
      rank += 1
      sums.lines += 1
      sums.requests += result.attempts ?? 0
      if result.outcome == .fetched {
        sums.fetched += 1
        sums.bytes += result.bytes ?? 0
      }
      if result.outcome == .failed { sums.failed += 1 }
      note(manners)
      // Without a status it was no answer that took so long.
      if result.status != nil, let wait = result.timings.inquiry?.timings.firstByte {
        answers += 1
        waits += wait
        longestWait = max(longestWait, wait)
      }
    }

    fileprivate mutating func note(_ manners: HostManners) {
      sums.backOffs += manners.backOffs
      sums.pauses += manners.pauses
      busy += manners.busy
      mostAtOnce = max(mostAtOnce, manners.mostAtOnce)
      limit = manners.limit
      leastLimit = min(leastLimit, manners.leastLimit)
    }
  }

  /// The hosts that are told apart. 10 000: some megabytes.
  static let most = 10_000
  /// The hosts that are named. 100: what one looks through.
  private static let named = 100

  private var hosts: [String: Host] = [:]
  /// Those that are not told apart any more.
  private var merged = Sums()
  private var mergedHosts = 0

  package init() {}

  /// Counts the result of a line that had its turn. Constant, on average.
  package mutating func count(_ result: BatchResult, at host: String, _ manners: HostManners) {
    if hosts.count == Self.most, hosts[host] == nil { merge() }
    hosts[host, default: Host()].count(result, manners)
  }

  /// Adds how a host was treated to which lines of another redirect. Constant, on average.
  package mutating func note(_ manners: HostManners, of host: String) {
    if hosts.count == Self.most, hosts[host] == nil { merge() }
    hosts[host, default: Host()].note(manners)
  }

  /// The hosts with the most lines, then by name.
  package func busiest(_ count: Int) -> [(name: String, host: Host)] { first(count) { $0.sums.lines } }

  /// The hosts that had to get fewer at once most often, then by name.
  package func slowest(_ count: Int) -> [(name: String, host: Host)] {
    first(count) { $0.sums.backOffs }.filter { $0.host.sums.backOffs > 0 }
  }

  /// How many hosts there are; one that was away while others came may count twice.
  package var count: Int { hosts.count + mergedHosts }

  private func first(_ count: Int, by value: (Host) -> Int) -> [(name: String, host: Host)] {
    hosts.sorted { (value($1.value), $0.key) < (value($0.value), $1.key) }.prefix(count)
      .map { ($0.key, $0.value) }
  }

  /// Takes the median off every rank. Who has none left is merged: half of them.
  private mutating func merge() {
    let ranks = hosts.values.map(\.rank).sorted()
    let median = ranks[ranks.count / 2]
    // The order decides nothing: sums are the same in any.
    hosts = hosts.compactMapValues { host in
      var host = host
      host.rank -= median
      if host.rank > 0 { return host }
      merged.add(host.sums)
      mergedHosts += 1
      return nil
    }
  }
}

extension HostStatistics: Encodable {
  private enum CodingKeys: CodingKey { case count, busiest, slowest, others }

  private struct Others: Encodable {
    let hosts: Int
    let sums: Sums

    private enum CodingKeys: CodingKey { case hosts }

    func encode(to encoder: any Encoder) throws {
      try sums.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(hosts, forKey: .hosts)
    }
  }

  private struct Named: Encodable {
    let name: String
    let host: Host

    private enum CodingKeys: CodingKey {
      case host, bytesPerSecond, firstByte_ms, longestFirstByte_ms, mostAtOnce, limit, leastLimit
    }

    func encode(to encoder: any Encoder) throws {
      try host.sums.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .host)
      try container.encodeIfPresent(host.bytesPerSecond, forKey: .bytesPerSecond)
      try container.encodeIfPresent(host.firstByte.map { $0 / .milliseconds(1) }, forKey: .firstByte_ms)
      if host.answers > 0 {
        try container.encode(host.longestWait / .milliseconds(1), forKey: .longestFirstByte_ms)
      }
      try container.encode(host.mostAtOnce, forKey: .mostAtOnce)
      try container.encode(host.limit, forKey: .limit)
      try container.encode(host.leastLimit, forKey: .leastLimit)
    }
  }

  /// How many there are, those with the most lines by name, those that slowed most, and all others added up.
  package func encode(to encoder: any Encoder) throws {
    let busiest = busiest(Self.named)
    let names = Set(busiest.map(\.name))
    var others = merged
    for (name, host) in hosts where !names.contains(name) { others.add(host.sums) }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(count, forKey: .count)
    try container.encode(busiest.map(Named.init), forKey: .busiest)
    try container.encode(slowest(10).map(Named.init), forKey: .slowest)
    if count > busiest.count {
      try container.encode(Others(hosts: count - busiest.count, sums: others), forKey: .others)
    }
  }
}
