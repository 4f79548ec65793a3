/// The totals of a run.
package struct BatchSummary: Encodable, Equatable, Sendable {
  package private(set) var records = 0
  package private(set) var fetched = 0
  package private(set) var fresh = 0
  package private(set) var revalidated = 0
  package private(set) var duplicate = 0
  package private(set) var optedOut = 0
  package private(set) var filtered = 0
  package private(set) var failed = 0
  /// The body bytes from origins.
  package private(set) var fetchedBytes = 0
  /// The number of failed records by kind of error.
  package private(set) var failures: [String: Int] = [:]
  /// The number of failed records by stage.
  package private(set) var failureStages: [String: Int] = [:]
  /// The hosts with the most failed records.
  package private(set) var failureHosts = HostFailures()
  /// The requests and results of each host.
  package private(set) var hosts = HostStatistics()
  /// The number of failed records that may succeed later.
  package private(set) var retryable = 0
  /// The responses that could not be stored in the disk cache.
  package private(set) var notKept = StoreFailureCounts()
  /// The number of records with an output file or sample, which this run or an earlier one wrote.
  package private(set) var files = 0
  /// The number of records whose output existed, so that they needed no load.
  package private(set) var earlierFiles = 0
  package var duration_ms = 0.0

  package init() {}

  private enum CodingKeys: String, CodingKey {
    case records = "lines"
    case fetched, fresh, revalidated, duplicate, optedOut, filtered, failed, fetchedBytes, failures,
      failureStages
    case failureHosts, hosts, retryable, notKept, duration_ms
  }

  package mutating func count(_ result: BatchResult) {
    records += 1
    if let politenessReport = result.politenessReport {
      hosts.count(result, at: politenessReport.host, politenessReport.politeness)
      for (host, politeness) in politenessReport.others { hosts.note(politeness, of: host) }
    }
    if let failure = result.notKept { notKept.count(failure) }
    // The file of an earlier sample is not known.
    if result.file != nil || result.isInOutput { files += 1 }
    if result.isInOutput { earlierFiles += 1 }
    switch result.outcome {
    case .fetched:
      fetched += 1
      fetchedBytes += result.bytes ?? 0
    case .fresh: fresh += 1
    case .revalidated: revalidated += 1
    case .duplicate: duplicate += 1
    case .optedOut: optedOut += 1
    case .filtered: filtered += 1
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
