internal import Cellophane

/// What `--json` prints of what is in a cache directory, and the same as a table.
struct CacheStatsReport: Encodable {
  let directory: String
  let formatVersion: Int
  let limit: Int
  let bytes: Int
  let entries: Int
  let signposts: Int
  let prefixes: Int
  let prefixBytes: Int
  let unfinished: Int
  let unfinishedBytes: Int
  let otherVersions: Int
  let otherVersionBytes: Int
  let foreign: Int
  let sinceNewestUse_s: Double?
  let sinceOldestUse_s: Double?
  /// What `trim` and `clear` removed; nil when nothing was to be.
  var removed: Int?
  var removedBytes: Int?

  init(_ stats: DiskStatistics, of directory: String) {
    self.directory = directory
    formatVersion = DiskCache.formatVersion
    (limit, bytes) = (stats.limit, stats.bytes)
    (entries, signposts) = (stats.entries, stats.signposts)
    (prefixes, prefixBytes) = (stats.prefixes, stats.prefixBytes)
    (unfinished, unfinishedBytes) = (stats.unfinished, stats.unfinishedBytes)
    (otherVersions, otherVersionBytes) = (stats.otherVersions, stats.otherVersionBytes)
    foreign = stats.foreign
    sinceNewestUse_s = stats.sinceNewestUse.map { $0 / .seconds(1) }
    sinceOldestUse_s = stats.sinceOldestUse.map { $0 / .seconds(1) }
  }

  /// The files of the cache, whatever they are.
  var files: Int { entries + signposts + prefixes + unfinished + otherVersions }

  /// Lines for people. What is not there takes no line, but for the responses and the whole.
  var lines: [String] {
    var table = Table(.left, .right, .right, .left)
    func add(_ name: String, _ files: Int, _ bytes: Int, _ gloss: String) {
      table.add(name, Text.count(files), Text.bytes(bytes), gloss)
    }
    if let removed, let removedBytes { add("removed", removed, removedBytes, "") }
    // Each takes one block.
    let signpostBytes = signposts * 4_096
    add("responses", entries, bytes - signpostBytes - prefixBytes - unfinishedBytes - otherVersionBytes, "")
    if signposts > 0 { add("signposts", signposts, signpostBytes, "to the variants of a URL (Vary)") }
    if prefixes > 0 { add("unfinished", prefixes, prefixBytes, "beginnings, to be continued") }
    if unfinished > 0 { add("left-overs", unfinished, unfinishedBytes, "or being written; swept in time") }
    if otherVersions > 0 {
      add("other formats", otherVersions, otherVersionBytes, "ignored; swept in time")
    }
    if foreign > 0 { table.add("not ours", Text.count(foreign), "", "left alone") }
    let share = limit > 0 ? Double(bytes) / Double(limit) * 100 : 0
    add("together", files, bytes, "\(Text.decimal(share)) % of \(Text.bytes(limit))")
    var lines = ["\(directory) (format \(formatVersion))"] + table.lines
    if let newest = sinceNewestUse_s, let oldest = sinceOldestUse_s {
      func ago(_ seconds: Double) -> String { Duration.seconds(seconds).inWords + " ago" }
      lines.append("used last \(ago(newest)), least recently \(ago(oldest))")
    }
    return lines
  }
}
