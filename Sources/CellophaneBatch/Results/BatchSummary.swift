/// What became of all lines.
package struct BatchSummary: Encodable, Equatable, Sendable {
  package private(set) var lines = 0
  package private(set) var fetched = 0
  package private(set) var fresh = 0
  package private(set) var duplicate = 0
  package private(set) var failed = 0
  /// Bytes that came from the origin.
  package private(set) var fetchedBytes = 0
  /// How many lines failed with each kind of error.
  package private(set) var failures: [String: Int] = [:]
  package var duration_ms = 0.0

  package init() {}

  package mutating func count(_ result: BatchResult) {
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
}
