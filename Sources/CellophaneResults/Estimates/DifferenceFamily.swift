/// The differences that one table compares. Each comparison is one more chance of a false claim, so all share an error
/// probability of 5 %.
///
/// Holm's step-down procedure (Scandinavian Journal of Statistics 6, 1979): the smallest p-value of m must be at most
/// 0.05/m, the next at most 0.05/(m - 1), and so on, up to the first that is larger.
package struct DifferenceFamily: Sendable, Hashable {
  /// The probability of any false claim in a table.
  private static let error = 0.05

  /// The largest p-value of a confirmed difference; negative if none is confirmed.
  private let largest: Double

  /// Creates the family of all `differences`. Differences without a p-value do not count. O(m log m).
  package init(_ differences: some Sequence<MetricDifference>) {
    let sorted = differences.compactMap(\.p).sorted()
    var largest = -1.0
    for (index, p) in sorted.enumerated() {
      guard p <= Self.error / Double(sorted.count - index) else { break }
      largest = p
    }
    self.largest = largest
  }

  /// A confirmed difference of the first from the second.
  package enum Claim: String, Sendable, Hashable, Codable {
    /// It is better, or worse.
    case better, worse
    /// It is less or more, and neither direction is better by itself.
    case less, more
  }

  /// Returns the confirmed difference of the first in the number of `path`; nil if it may be chance, or if it is a difference
  /// of shares that is too small to matter.
  package func claim(_ difference: MetricDifference?, in path: MetricPath) -> Claim? {
    guard let difference, let p = difference.p, p <= largest, let interval = difference.interval,
      !interval.coversZero, let end = interval.low ?? interval.high
    else { return nil }
    if case .metric(let metric) = path, metric.isShare, abs(difference.mean ?? 0) < Self.smallestShare {
      return nil
    }
    let isLess = end < 0
    guard let better = path.better else { return isLess ? .less : .more }
    return isLess == (better == .lower) ? .better : .worse
  }

  /// The smallest difference of shares that counts. 0.05 percentage points: in a minute of scrolling, the blank share of one
  /// screen for 30 ms.
  package static let smallestShare = 0.0005
}
