/// The hosts with the most failures, in constant memory for any number of hosts.
///
/// Uses the counters of Misra and Gries ("Finding repeated elements", 1982). With k counters, the count of a
/// host is never too high, and too low by at most the number of all failures divided by k + 1.
package struct HostFailures: Encodable, Equatable, Sendable {
  /// The number of counters. 1 000: a host with a thousandth of all failures is found.
  static let most = 1_000
  /// The number of hosts that the JSON lists. 10: a person can examine them by hand.
  private static let named = 10

  private var counts: [String: Int] = [:]
  /// The number of failures of all hosts.
  package private(set) var total = 0
  private var isExact = true

  package init() {}

  /// Counts a failure of `host`. Constant time on average.
  package mutating func count(_ host: String) {
    total += 1
    if counts[host] != nil || counts.count < Self.most {
      counts[host, default: 0] += 1
    } else {
      isExact = false
      counts = counts.compactMapValues { $0 > 1 ? $0 - 1 : nil }
    }
  }

  /// The number of hosts with failures; nil if it is not known.
  package var count: Int? { isExact ? counts.count : nil }

  /// The hosts with the most failures, in descending order.
  package var worst: [(host: String, failures: Int)] {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.named).map { ($0.key, $0.value) }
  }

  /// Encodes the worst hosts as a dictionary of their failures.
  package func encode(to encoder: any Encoder) throws {
    try Dictionary(worst.map { ($0.host, $0.failures) }) { first, _ in first }.encode(to: encoder)
  }
}
