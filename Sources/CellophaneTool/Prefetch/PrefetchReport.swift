internal import CellophaneBatch

/// What `--json` prints of a run, and the same as a table.
struct PrefetchReport: Encodable, Sendable {
  let summary: BatchSummary
  /// How many lines are of other shards; nil when all are meant.
  let otherShards: Int?
  /// What the disk cache did meanwhile; nil without one.
  let cache: CacheReport?

  private enum CodingKeys: CodingKey {
    case otherShards, cache
  }

  /// All on one level.
  func encode(to encoder: any Encoder) throws {
    try summary.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(otherShards, forKey: .otherShards)
    try container.encodeIfPresent(cache, forKey: .cache)
  }

  private static func list(_ counts: [String: Int]) -> String {
    counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }

  /// The hosts with the most lines, and those that had to be treated with the most care.
  private var hostTable: [String] {
    var table = Table(.left, .right, .left)
    let busiest = summary.hosts.busiest(3)
    let slowest = summary.hosts.slowest(3).filter { slow in !busiest.contains { $0.name == slow.name } }
    for (name, host) in busiest + slowest {
      // 40: names that are longer push all else off the screen.
      let shown = name.count > 40 ? name.prefix(37) + "..." : name
      table.add("  " + shown, "\(host.sums.lines)", Self.words(of: host))
    }
    return table.lines
  }

  private static func words(of host: HostStatistics.Host) -> String {
    let sums = host.sums
    func count(_ count: Int, _ what: String) -> String { "\(count) \(what)" + (count == 1 ? "" : "s") }
    var parts = ["\(Text.bytes(sums.bytes)) in \(count(sums.requests, "request"))"]
    if let rate = host.bytesPerSecond, sums.bytes > 0 { parts.append("\(Text.bytes(Int(rate)))/s") }
    if let wait = host.firstByte { parts.append("first byte \(Text.duration(wait))") }
    parts.append("\(host.mostAtOnce) at once")
    if sums.backOffs > 0 {
      parts.append("slowed \(count(sums.backOffs, "time")), to \(host.leastLimit) at once")
    }
    if sums.pauses > 0 { parts.append(count(sums.pauses, "pause")) }
    return parts.joined(separator: ", ")
  }

  /// A table for people.
  var table: [String] {
    let seconds = summary.duration_ms / 1_000
    let rate = seconds > 0 ? "  \(Int(Double(summary.lines) / seconds)) lines/s" : ""
    var table = Table(.left, .right, .left)
    table.add(
      "lines", "\(summary.lines)", "in \(Text.duration(.milliseconds(summary.duration_ms)))" + rate)
    table.add("fetched", "\(summary.fetched)", Text.bytes(summary.fetchedBytes))
    table.add("fresh", "\(summary.fresh)")
    if summary.revalidated > 0 { table.add("revalidated", "\(summary.revalidated)") }
    table.add("duplicate", "\(summary.duplicate)")
    table.add("failed", "\(summary.failed)", Self.list(summary.failures))
    if summary.failed > 0 {
      table.add("  at", "", Self.list(summary.failureStages))
      let hosts = summary.failureHosts.worst.prefix(3).map { "\($0.host) \($0.failures)" }
      if !hosts.isEmpty { table.add("  most at", "", hosts.joined(separator: ", ")) }
      table.add("  retryable", "\(summary.retryable)")
    }
    if let otherShards { table.add("other shards", "\(otherShards)") }
    if summary.hosts.count > 0 { table.add("hosts", "\(summary.hosts.count)") }
    return table.lines + hostTable + summary.notKept.lines
  }
}
