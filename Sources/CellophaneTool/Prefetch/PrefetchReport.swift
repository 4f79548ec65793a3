internal import CellophaneBatch

/// What `--json` prints of a run, and the same as a table.
struct PrefetchReport: Encodable, Sendable {
  let summary: BatchSummary
  /// What the disk cache did meanwhile; nil without one.
  let cache: CacheReport?

  private enum CodingKeys: CodingKey {
    case cache
  }

  /// All on one level.
  func encode(to encoder: any Encoder) throws {
    try summary.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(cache, forKey: .cache)
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
    table.add("duplicate", "\(summary.duplicate)")
    let kinds = summary.failures.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    table.add("failed", "\(summary.failed)", kinds.joined(separator: ", "))
    return table.lines + (cache?.loss(of: summary.fetched).map { ["not all of it was kept: \($0)"] } ?? [])
  }
}
