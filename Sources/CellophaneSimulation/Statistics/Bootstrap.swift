/// The percentile bootstrap over replicas (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13):
/// how far a number would move if the replicas had been others, by drawing as many from those that there are, with
/// repetition, over and over. Two loaders under the same draws give the interval of their difference.
struct Bootstrap: Sendable {
  /// How often replicas are drawn by default: the ends then move by some hundredths of the interval from one seed to
  /// another.
  static let resamples = 10_000

  /// With fewer replicas no interval is given. That all of n differences fall to the same side by chance has the
  /// probability 2¹⁻ⁿ (the sign test), which is below 5 % from six on; with two, every other interval of nothing but
  /// chance would leave out 0.
  static let fewest = 6

  /// How many replicas there are.
  let count: Int
  /// The replicas of each draw, one draw after the other.
  private let picks: [Int32]

  /// Draws from `count` replicas; a pure function of `seed`.
  init(count: Int, resamples: Int = Self.resamples, seed: UInt64) {
    self.count = count
    guard count >= Self.fewest else {
      picks = []
      return
    }
    let start = SeededDraw(seed: seed).bits("bootstrap", count)
    picks = (0..<resamples * count).map { draw in
      // The high half of the product is uniform (Lemire, ACM TOMACS 2019; the bias is below 2⁻⁵⁰).
      Int32(SeededDraw.mixed(start &+ UInt64(draw)).multipliedFullWidth(by: UInt64(count)).high)
    }
  }

  /// How many draws there are.
  private var draws: Int { count > 0 ? picks.count / count : 0 }

  /// What is told in place of what intervals show; nil when so many replicas have them.
  static func reservation(for replicas: Int) -> String? {
    switch replicas {
    case fewest...: nil
    case 1: "One replica: it does not show how much of a difference is chance."
    default: "\(replicas) replicas: fewer than \(fewest) do not show how much of a difference is chance."
    }
  }

  /// The interval of the mean of `values`, one for each replica, nil where it could not be measured; nil for less than
  /// ``fewest`` replicas.
  func interval(ofMeanOf values: [Double?]) -> ConfidenceInterval? {
    // Many numbers are not measured at all.
    guard values.contains(where: { $0 != nil }) else { return nil }
    return ConfidenceInterval(ofSamples: means(of: values).filter { !$0.isNaN })
  }

  /// The mean of `values` for every draw; not a number where none of the drawn replicas has a value.
  func means(of values: [Double?]) -> [Double] {
    // Two plain numbers for each: what is not known adds nothing to either sum.
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

  /// The quantiles at `shares` of the waits of all replicas together, for every draw: for each share, a number of ticks
  /// a draw, infinite where the estimate does not fall so low.
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
