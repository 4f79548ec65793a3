/// What became of all lines.
package struct BatchSummary: Encodable, Equatable, Sendable {
  package private(set) var lines = 0
  package private(set) var fetched = 0
  package private(set) var fresh = 0
  package private(set) var revalidated = 0
  package private(set) var duplicate = 0
  package private(set) var failed = 0
  /// Bytes that came from the origin.
  package private(set) var fetchedBytes = 0
  /// How many lines failed with each kind of error.
  package private(set) var failures: [String: Int] = [:]
  /// How many lines failed at each step of their road.
  package private(set) var failureStages: [String: Int] = [:]
  /// The hosts at which most lines failed.
  package private(set) var failureHosts = HostTroubles()
  /// What was asked of each host, and what came of it.
  package private(set) var hosts = HostStatistics()
  /// How many of them may succeed later.
  package private(set) var retryable = 0
  /// What was to be kept in the disk cache and could not be.
  package private(set) var notKept = BatchLosses()
  package var duration_ms = 0.0

  package init() {}

  package mutating func count(_ result: BatchResult) {
    lines += 1
    if let treatment = result.treatment {
      hosts.count(result, at: treatment.host, treatment.manners)
      for (host, manners) in treatment.others { hosts.note(manners, of: host) }
    }
    if let loss = result.notKept { notKept.count(loss) }
    switch result.outcome {
    case .fetched:
      fetched += 1
      fetchedBytes += result.bytes ?? 0
    case .fresh: fresh += 1
    case .revalidated: revalidated += 1
    case .duplicate: duplicate += 1
    case .failed:
      failed += 1
      guard let (error, stage) = result.failure else { return }
      failures[error.kind, default: 0] += 1
      failureStages[stage.rawValue, default: 0] += 1
      if let host = result.host { failureHosts.count(host) }
      if error.retryable { retryable += 1 }
    }
  }
}
