internal import Cellophane

/// What became of one line.
struct PrefetchResult: Encodable, Sendable {
  /// How it ended.
  enum Outcome: String, Encodable, CaseIterable {
    /// Its bytes came from the origin.
    case fetched
    /// Its bytes were on disk, still fresh.
    case fresh
    /// An earlier line asked for the same.
    case duplicate
    /// The error says why.
    case failed
  }

  let index: Int
  /// As it stands in the list; without its user name and password, with which it cannot be loaded.
  var url: String
  var outcome = Outcome.failed
  var bytes: Int?
  var status: Int?
  var contentType: String?
  var width: Int?
  var height: Int?
  var error: Failure.PrintedError?
  var duration_ms = 0.0

  init(index: Int, url: String) {
    self.index = index
    self.url = url
  }

  mutating func fail(_ error: LoadError) {
    outcome = .failed
    status = status ?? error.status
    self.error = Failure.PrintedError(error)
  }
}

/// What became of all lines.
struct PrefetchSummary: Encodable, Sendable {
  var lines = 0
  var fetched = 0
  var fresh = 0
  var duplicate = 0
  var failed = 0
  /// Bytes that came from the origin.
  var fetchedBytes = 0
  /// How many lines failed with each kind of error.
  var failures: [String: Int] = [:]
  /// What the disk cache did meanwhile; nil without one.
  var cache: CacheReport?
  var duration_ms = 0.0

  mutating func count(_ result: PrefetchResult) {
    lines += 1
    switch result.outcome {
    case .fetched:
      fetched += 1
      fetchedBytes += result.bytes ?? 0
    case .fresh: fresh += 1
    case .duplicate: duplicate += 1
    case .failed:
      failed += 1
      if let error = result.error { failures[error.kind, default: 0] += 1 }
    }
  }

  /// A table for people.
  var table: [String] {
    let seconds = duration_ms / 1_000
    let rate = seconds > 0 ? "  \(Int(Double(lines) / seconds)) lines/s" : ""
    var table = Table(.left, .right, .left)
    table.add("lines", "\(lines)", "in \(Text.duration(.milliseconds(duration_ms)))" + rate)
    table.add("fetched", "\(fetched)", Text.bytes(fetchedBytes))
    table.add("fresh", "\(fresh)")
    table.add("duplicate", "\(duplicate)")
    let kinds = failures.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    table.add("failed", "\(failed)", kinds.joined(separator: ", "))
    return table.lines + (cache?.loss(of: fetched).map { ["not all of it was kept: \($0)"] } ?? [])
  }
}
