internal import CellophaneBatch

/// The summary of a run, as JSON and as a table.
struct PrefetchReport: Encodable, Sendable {
  let summary: BatchSummary
  /// The number of records of other shards; nil without `--shard`.
  let otherShards: Int?
  /// The activity of the disk cache in this run; nil without a cache.
  let cache: CacheReport?
  /// The output directory, for the table.
  let output: String?
  /// The file of the results, for the table; nil without `--jsonl`.
  let results: String?

  private enum CodingKeys: CodingKey {
    case otherShards, cache
  }

  /// Encodes all members in one object.
  func encode(to encoder: any Encoder) throws {
    try summary.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(otherShards, forKey: .otherShards)
    try container.encodeIfPresent(cache, forKey: .cache)
  }

  private static func list(_ counts: [String: Int]) -> String {
    counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }

  /// The hosts with the most records, the most throttled ones, and the sum of the others.
  private var hostTable: [String] {
    var table = Table(.left, .right, .left)
    let busiest = summary.hosts.busiest(3)
    let slowest = summary.hosts.slowest(3).filter { slow in !busiest.contains { $0.name == slow.name } }
    let shown = busiest + slowest
    for (name, host) in shown {
      // 40: longer names push the other columns off the screen.
      let short = name.count > 40 ? name.prefix(37) + "..." : name
      // The host of file URLs is empty.
      table.add("  " + (short.isEmpty ? Self.files : short), "\(host.sums.records)", Self.words(of: host))
    }
    let others = summary.hosts.count - shown.count
    if others > 0 {
      let records = summary.hosts.records - shown.reduce(0) { $0 + $1.host.sums.records }
      table.add("  " + Text.count(others, "other host"), "\(records)", records == 1 ? "record" : "records")
    }
    return table.lines
  }

  private static let files = "local files"

  private static func words(of host: HostStatistics.Host) -> String {
    let sums = host.sums
    let records = sums.records == 1 ? "record" : "records"
    var parts = ["\(records), \(Text.bytes(sums.bytes)) in \(Text.count(sums.requests, "attempt"))"]
    if let rate = host.bytesPerSecond, sums.bytes > 0 { parts.append("\(Text.bytes(Int(rate)))/s") }
    if let wait = host.firstByte { parts.append("first byte \(Text.duration(wait))") }
    parts.append("at most \(Text.count(host.mostAtOnce, "load")) at a time")
    if sums.backOffs > 0 {
      parts.append(
        "failures or slow responses lowered the limit \(Text.count(sums.backOffs, "time")), to \(host.leastLimit)"
      )
    }
    if sums.pauses > 0 { parts.append("paused \(Text.count(sums.pauses, "time"))") }
    return parts.joined(separator: ", ")
  }

  /// The hosts with the most failures, and the sum of the others.
  private var failingHosts: String {
    let failures = summary.failureHosts
    let worst = failures.worst.prefix(3)
    var parts = worst.map { "\($0.failures) from \($0.host == "file://" ? Self.files : $0.host)" }
    let others = failures.total - worst.reduce(0) { $0 + $1.failures }
    if others > 0 {
      let hosts = failures.count.map { Text.count($0 - worst.count, "other host") } ?? "other hosts"
      parts.append("\(others) from \(hosts)")
    }
    return parts.joined(separator: ", ")
  }

  /// The command that repeats the retryable failures.
  private var retry: String {
    switch results {
    case nil: "to repeat only these, run again with --jsonl FILE, then with --retry-failed FILE"
    case "-": "--retry-failed repeats them from the results"
    case let file?: "--retry-failed \(file) repeats them"
    }
  }

  /// The lines of the table.
  var table: [String] {
    let seconds = summary.duration_ms / 1_000
    let perSecond = seconds > 0 ? Double(summary.records) / seconds : 0
    // Tenths matter only below ten per second.
    let speed = perSecond < 10 ? Text.decimal(perSecond) : "\(Int(perSecond))"
    let rate = seconds > 0 ? ", \(speed) records/s" : ""
    var table = Table(.left, .right, .left)
    table.add(
      "records", "\(summary.records)", "in \(Text.duration(.milliseconds(summary.duration_ms)))" + rate)
    table.add("fetched", "\(summary.fetched)", Text.bytes(summary.fetchedBytes))
    let origins = output == nil ? "cached" : "cached, or already in the output"
    table.add("fresh", "\(summary.fresh)", summary.fresh > 0 ? origins + "; not requested" : "")
    if summary.revalidated > 0 { table.add("revalidated", "\(summary.revalidated)") }
    table.add("duplicate", "\(summary.duplicate)")
    if summary.optedOut > 0 { table.add("opted out", "\(summary.optedOut)", "by the owner; not loaded") }
    if summary.filtered > 0 { table.add("filtered", "\(summary.filtered)", "by size, from the header") }
    table.add("failed", "\(summary.failed)", Self.list(summary.failures))
    if summary.failed > 0 {
      // Most kinds, such as connect, name their stage.
      if summary.failureStages != summary.failures {
        table.add("  by stage of the load", "", Self.list(summary.failureStages))
      }
      if summary.failureHosts.total > 0 { table.add("  by host", "", failingHosts) }
      table.add("  retryable", "\(summary.retryable)", summary.retryable > 0 ? retry : "")
    }
    if let output {
      let earlier = summary.earlierFiles
      let share = earlier > 0 ? " (\(summary.files - earlier) new, \(earlier) already there)" : ""
      table.add("output", "\(summary.files)", "in \(output)" + share)
    }
    if let otherShards { table.add("other shards", "\(otherShards)") }
    if summary.hosts.count > 0 { table.add("hosts", "\(summary.hosts.count)") }
    return table.lines + hostTable + summary.notKept.lines
  }
}
