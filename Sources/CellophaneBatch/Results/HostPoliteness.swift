/// The politeness of the hosts of one record. Each value covers the time since the previous report of its
/// host.
package struct PolitenessReport: Sendable {
  /// The host of the record.
  package let host: String
  package let politeness: HostPoliteness
  /// The hosts of redirects that affected the result.
  package var others: [(host: String, politeness: HostPoliteness)] = []
}

/// The use of one host, and its limits and pauses, since the previous report.
package struct HostPoliteness: Equatable, Sendable {
  /// The time during which at least one record of the host was active.
  package var busy = Duration.zero
  /// The peak number of concurrent records.
  package var mostAtOnce = 0
  /// The current limit of concurrent records.
  package var limit: Int
  /// The lowest limit.
  package var leastLimit: Int
  /// The number of times the limit was lowered.
  package var backOffs = 0
  /// The number of pauses.
  package var pauses = 0

  /// Creates an empty report with the current limit.
  package init(limit: Int) { (self.limit, leastLimit) = (limit, limit) }

  /// Records the current limit.
  mutating func note(limit: Int) {
    if limit < self.limit { backOffs += 1 }
    self.limit = limit
    leastLimit = min(leastLimit, limit)
  }
}
