/// The percentile bootstrap over replicas (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13):
/// how far a number would move if the replicas had been others, by drawing as many from those that there are, with
/// repetition, over and over. Two loaders under the same draws give the interval of their difference.
struct Bootstrap: Sendable {
  /// How often replicas are drawn by default: the ends then move by some hundredths of the interval from one seed to
  /// another.
  static let resamples = 10_000

  /// How many replicas there are.
  let count: Int
  /// The replicas of each draw, one draw after the other.
  private let picks: [Int32]

  /// Draws from `count` replicas; a pure function of `seed`.
  init(count: Int, resamples: Int = Self.resamples, seed: UInt64) {
    self.count = count
    // One replica says nothing about others.
    guard count > 1 else {
      picks = []
      return
    }
    let start = SeededDraw(seed: seed).bits("bootstrap", count)
    picks = (0..<resamples * count).map { draw in
      // The high half of the product is uniform (Lemire, ACM TOMACS 2019; the bias is below 2⁻⁵⁰).
      Int32(SeededDraw.mixed(start &+ UInt64(draw)).multipliedFullWidth(by: UInt64(count)).high)
    }
  }

  /// The replicas of every draw.
  private var draws: some Sequence<ArraySlice<Int32>> {
    stride(from: 0, to: picks.count, by: count).lazy.map { picks[$0..<$0 + count] }
  }

  /// The interval of the mean of `values`, one for each replica, nil where it could not be measured; nil for less than
  /// two replicas.
  func interval(ofMeanOf values: [Double?]) -> ConfidenceInterval? {
    ConfidenceInterval(ofSamples: means(of: values).filter { !$0.isNaN })
  }

  /// The mean of `values` for every draw; not a number where none of the drawn replicas has a value.
  func means(of values: [Double?]) -> [Double] {
    draws.map { draw in
      var (sum, known) = (0.0, 0.0)
      for replica in draw {
        guard let value = values[Int(replica)] else { continue }
        sum += value
        known += 1
      }
      return sum / known
    }
  }

  /// The quantiles at `shares` of the waits of all replicas together, for every draw: for each share, a number of ticks
  /// a draw, infinite where the estimate does not fall so low.
  func quantiles(of waits: PooledWaits, at shares: [Double]) -> [[Double]] {
    var samples = shares.map { _ in [Double]() }
    var weights = Array(repeating: 0, count: count)
    for draw in draws {
      for replica in weights.indices { weights[replica] = 0 }
      for replica in draw { weights[Int(replica)] += 1 }
      for (index, quantile) in waits.quantiles(at: shares, weights: weights).enumerated() {
        samples[index].append(quantile.map(Double.init) ?? .infinity)
      }
    }
    return samples
  }
}
