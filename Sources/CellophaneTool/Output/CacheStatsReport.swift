internal import Cellophane

/// The contents of a cache directory, as JSON and as a table.
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
  /// The number of files that `trim` or `clear` has removed; nil for other commands.
  var removed: Int?
  var removedBytes: Int?

  init(_ stats: DiskStatistics, of directory: String) {
    self.directory = directory
    formatVersion = DiskCache.formatVersion
    (limit, bytes) = (stats.limit, stats.bytes)
    (entries, signposts) = (stats.entries, stats.varyMarkers)
    (prefixes, prefixBytes) = (stats.prefixes, stats.prefixBytes)
    (unfinished, unfinishedBytes) = (stats.unfinished, stats.unfinishedBytes)
    (otherVersions, otherVersionBytes) = (stats.otherVersions, stats.otherVersionBytes)
    foreign = stats.foreign
    sinceNewestUse_s = stats.sinceNewestUse.map { $0 / .seconds(1) }
    sinceOldestUse_s = stats.sinceOldestUse.map { $0 / .seconds(1) }
  }

  /// The number of files that belong to the cache.
  var files: Int { entries + signposts + prefixes + unfinished + otherVersions }

  /// The lines of the table. Kinds of files that are not there are omitted, except responses and the total.
  var lines: [String] {
    var table = Table(.left, .right, .right, .left)
    func add(_ name: String, _ files: Int, _ bytes: Int, _ remark: String) {
      table.add(name, Text.count(files), Text.bytes(bytes), remark)
    }
    if let removed, let removedBytes { add("removed", removed, removedBytes, "") }
    // One block each.
    let markerBytes = signposts * 4_096
    add("responses", entries, bytes - markerBytes - prefixBytes - unfinishedBytes - otherVersionBytes, "")
    if signposts > 0 { add("Vary markers", signposts, markerBytes, "lead to the variants of a URL") }
    if prefixes > 0 { add("partial", prefixes, prefixBytes, "transfers that can resume") }
    if unfinished > 0 {
      add(
        "temporary", unfinished, unfinishedBytes, "being written, or left by a killed process; removed later")
    }
    if otherVersions > 0 {
      add("other formats", otherVersions, otherVersionBytes, "ignored; removed later")
    }
    if foreign > 0 { table.add("other files", Text.count(foreign), "", "not part of the cache, untouched") }
    let share = limit > 0 ? Double(bytes) / Double(limit) * 100 : 0
    // As the limit is given, not in decimal units.
    let given = ByteCount(bytes: limit).defaultValueDescription
    add("total", files, bytes, "on disk, \(Text.decimal(share)) % of \(given)")
    var lines = ["\(directory) (cache format \(formatVersion))"] + table.lines
    if let newest = sinceNewestUse_s, let oldest = sinceOldestUse_s {
      func ago(_ seconds: Double) -> String { Duration.seconds(seconds).inWords + " ago" }
      lines.append("last use: most recent \(ago(newest)), oldest \(ago(oldest))")
    }
    return lines
  }
}
