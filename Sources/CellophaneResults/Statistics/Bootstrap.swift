/// The percentile bootstrap over replicas (Efron and Tibshirani, An Introduction to the Bootstrap, 1993,
/// chapter 13). Each resample draws as many replicas as there are, with replacement. The spread of a
/// statistic over the resamples estimates how much it depends on the choice of replicas. Two loaders with the
/// same resamples give the interval of their difference.
package struct Bootstrap: Sendable {
  /// The default number of resamples. The ends of an interval then differ by some hundredths of its width
  /// between seeds.
  static let resamples = 10_000

  /// The minimum number of replicas for an interval. The probability that n differences have the same sign by
  /// chance is 2¹⁻ⁿ (the sign test). It is below 5 % from six on. With two replicas, every other interval of
  /// pure chance would exclude 0.
  package static let minReplicas = 6

  /// The number of replicas.
  let count: Int
  /// The replicas of each resample, one resample after the other.
  private let picks: [Int32]

  /// Draws resamples of `count` replicas. A pure function of its arguments.
  init(count: Int, resamples: Int = Self.resamples, seed: UInt64) {
    self.count = count
    guard count >= Self.minReplicas else {
      picks = []
      return
    }
    let start = SeededDraw(seed: seed).bits("bootstrap", count)
    picks = (0..<resamples * count).map { draw in
      // The high half of the product is uniform (Lemire, ACM TOMACS 2019; the bias is below 2⁻⁵⁰).
      Int32(SeededDraw.mixed(start &+ UInt64(draw)).multipliedFullWidth(by: UInt64(count)).high)
    }
  }

  /// The number of resamples.
  private var draws: Int { count > 0 ? picks.count / count : 0 }

  /// Returns the note that replaces an interval; nil if there are enough replicas for intervals.
  package static func caveat(for replicas: Int) -> String? {
    switch replicas {
    case minReplicas...: nil
    case 1: "One replica does not show how much of a difference is chance; use \(minReplicas) or more."
    default:
      "\(replicas) replicas do not show how much of a difference is chance; use \(minReplicas) or more."
    }
  }

  /// Returns the interval of the mean of `values`, one for each replica; nil values are unknown. Returns nil
  /// if there are fewer than ``minReplicas``.
  func interval(ofMeanOf values: [Double?]) -> ConfidenceInterval? {
    // Many metrics have no value in any replica.
    guard values.contains(where: { $0 != nil }) else { return nil }
    return ConfidenceInterval(ofSamples: means(of: values).filter { !$0.isNaN })
  }

  /// Returns the mean of `values` for every resample; NaN for a resample without a known value.
  func means(of values: [Double?]) -> [Double] {
    // Two arrays of plain numbers: an unknown value adds 0 to both sums.
    let numbers = values.map { $0 ?? 0 }
    let isKnown = values.map { $0 == nil ? 0.0 : 1.0 }
    return (0..<draws).map { draw in
      var (sum, known) = (0.0, 0.0)
      for pick in draw * count..<(draw + 1) * count {
        let replica = Int(picks[pick])
        sum += numbers[replica]
        known += isKnown[replica]
      }
      return sum / known
    }
  }

  /// Returns the quantiles at `shares` of the pooled waits of all replicas, for every resample. Each quantile
  /// is in ticks, and infinite if the estimate does not reach it.
  func quantiles(of waits: PooledWaits, at shares: [Double]) -> [[Double]] {
    guard !waits.isEmpty else { return shares.map { _ in Array(repeating: .infinity, count: draws) } }
    var samples = shares.map { _ in [Double]() }
    var weights = Array(repeating: 0, count: count)
    for draw in 0..<draws {
      for replica in weights.indices { weights[replica] = 0 }
      for pick in draw * count..<(draw + 1) * count { weights[Int(picks[pick])] += 1 }
      for (index, quantile) in waits.quantiles(at: shares, weights: weights).enumerated() {
        samples[index].append(quantile.map(Double.init) ?? .infinity)
      }
    }
    return samples
  }
}
