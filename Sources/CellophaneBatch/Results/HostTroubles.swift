/// Which hosts give the most trouble, of however many, in constant memory.
///
/// The counters of Misra and Gries ("Finding repeated elements", 1982): with k of them, the count of a host is too low by
/// at most the failures of all divided by k + 1, and never too high.
package struct HostTroubles: Encodable, Equatable, Sendable {
  /// The hosts that are counted at once. 1 000: one with a thousandth of all failures is seen.
  static let most = 1_000
  /// The hosts that are named. 10: what can be looked into by hand.
  private static let named = 10

  private var counts: [String: Int] = [:]

  package init() {}

  /// Counts a failure of `host`. Constant, on average.
  package mutating func count(_ host: String) {
    if counts[host] != nil || counts.count < Self.most {
      counts[host, default: 0] += 1
    } else {
      counts = counts.compactMapValues { $0 > 1 ? $0 - 1 : nil }
    }
  }

  /// The hosts with the most failures, the worst first.
  package var worst: [(host: String, failures: Int)] {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.named).map { ($0.key, $0.value) }
  }

  /// The worst, by name.
  package func encode(to encoder: any Encoder) throws {
    try Dictionary(worst.map { ($0.host, $0.failures) }) { first, _ in first }.encode(to: encoder)
  }
}
