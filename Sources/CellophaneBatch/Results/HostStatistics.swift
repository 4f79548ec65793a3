internal import Cellophane

/// The requests and results of each host, in constant memory for any number of hosts.
///
/// Up to ``most`` hosts are counted separately. When a further host appears, the hosts with the fewest
/// records are merged by the counters of Misra and Gries ("Finding repeated elements", 1982). A host with
/// more than a 5 000th of all records is always counted separately, and its sums lack at most that number of
/// records.
package struct HostStatistics: Equatable, Sendable {
  /// The sums of one host, or of several.
  package struct Sums: Encodable, Equatable, Sendable {
    /// The scheduled records: all except duplicates and records without a valid URL.
    package fileprivate(set) var records = 0
    /// The number of requests.
    package fileprivate(set) var requests = 0
    package fileprivate(set) var fetched = 0
    package fileprivate(set) var failed = 0
    /// The fetched body bytes.
    package fileprivate(set) var bytes = 0
    /// The number of times the limit was lowered, and the number of pauses.
    package fileprivate(set) var (backOffs, pauses) = (0, 0)

    private enum CodingKeys: String, CodingKey {
      case records = "lines"
      case requests, fetched, failed, bytes, backOffs, pauses
    }

    fileprivate mutating func add(_ other: Sums) {
      records += other.records
      requests += other.requests
      fetched += other.fetched
      failed += other.failed
      bytes += other.bytes
      backOffs += other.backOffs
      pauses += other.pauses
    }
  }

  /// The statistics of one host.
  package struct Host: Equatable, Sendable {
    package fileprivate(set) var sums = Sums()
    /// The time during which at least one record of the host was active.
    package fileprivate(set) var busy = Duration.zero
    /// The number of responses, and the sum and the maximum of their times to the first byte.
    fileprivate var (responses, waits, longestWait) = (0, Duration.zero, Duration.zero)
    package fileprivate(set) var mostAtOnce = 0
    package fileprivate(set) var limit = 0
    package fileprivate(set) var leastLimit = Int.max
    /// The number of records minus the medians that merges subtracted.
    fileprivate var rank = 0

    /// Bytes per second of busy time; nil if the host was never busy.
    package var bytesPerSecond: Double? { busy > .zero ? Double(sums.bytes) / (busy / .seconds(1)) : nil }

    /// The mean time to the first byte; nil without responses.
    package var firstByte: Duration? { responses > 0 ? waits / responses : nil }

    fileprivate mutating func count(_ result: BatchResult, _ politeness: HostPoliteness) {
      rank += 1
      sums.records += 1
      sums.requests += result.attempts ?? 0
      if result.outcome == .fetched {
        sums.fetched += 1
        sums.bytes += result.bytes ?? 0
      }
      if result.outcome == .failed { sums.failed += 1 }
      note(politeness)
      // Without a status there was no response, and the time is that of a failed attempt.
      if result.status != nil, let wait = result.timings.fetch?.timings.firstByte {
        responses += 1
        waits += wait
        longestWait = max(longestWait, wait)
      }
    }

    fileprivate mutating func note(_ politeness: HostPoliteness) {
      sums.backOffs += politeness.backOffs
      sums.pauses += politeness.pauses
      busy += politeness.busy
      mostAtOnce = max(mostAtOnce, politeness.mostAtOnce)
      limit = politeness.limit
      leastLimit = min(leastLimit, politeness.leastLimit)
    }
  }

  /// The maximum number of hosts that are counted separately. 10 000 take a few megabytes.
  static let most = 10_000
  /// The number of hosts that the JSON lists by name. 100: a person can read through them.
  private static let named = 100

  private var hosts: [String: Host] = [:]
  /// The sums of the merged hosts.
  private var merged = Sums()
  private var mergedHosts = 0

  package init() {}

  /// Counts the result of a scheduled record. Constant time on average.
  package mutating func count(_ result: BatchResult, at host: String, _ politeness: HostPoliteness) {
    if hosts.count == Self.most, hosts[host] == nil { merge() }
    hosts[host, default: Host()].count(result, politeness)
  }

  /// Adds the politeness of a host to which records of another host redirect. Constant time on average.
  package mutating func note(_ politeness: HostPoliteness, of host: String) {
    if hosts.count == Self.most, hosts[host] == nil { merge() }
    hosts[host, default: Host()].note(politeness)
  }

  /// Returns the hosts with the most records, then by name.
  package func busiest(_ count: Int) -> [(name: String, host: Host)] { first(count) { $0.sums.records } }

  /// Returns the hosts whose limit was lowered most often, then by name.
  package func slowest(_ count: Int) -> [(name: String, host: Host)] {
    first(count) { $0.sums.backOffs }.filter { $0.host.sums.backOffs > 0 }
  }

  /// The number of hosts. A host that was merged and returned counts twice.
  package var count: Int { hosts.count + mergedHosts }

  /// The number of records of all hosts.
  package var records: Int { hosts.values.reduce(merged.records) { $0 + $1.sums.records } }

  private func first(_ count: Int, by value: (Host) -> Int) -> [(name: String, host: Host)] {
    hosts.sorted { (value($1.value), $0.key) < (value($0.value), $1.key) }.prefix(count)
      .map { ($0.key, $0.value) }
  }

  /// Subtracts the median from every rank, and merges the hosts whose rank is then not positive: at least
  /// half of them.
  private mutating func merge() {
    let ranks = hosts.values.map(\.rank).sorted()
    let median = ranks[ranks.count / 2]
    // The order does not matter: the sums are the same in any order.
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
      if host.responses > 0 {
        try container.encode(host.longestWait / .milliseconds(1), forKey: .longestFirstByte_ms)
      }
      try container.encode(host.mostAtOnce, forKey: .mostAtOnce)
      try container.encode(host.limit, forKey: .limit)
      try container.encode(host.leastLimit, forKey: .leastLimit)
    }
  }

  /// Encodes the number of hosts, the busiest and the slowest by name, and the sums of all others.
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
