/// A mean with its resamples, for a bootstrap-t interval (Efron and Tibshirani, An Introduction to the Bootstrap, 1993,
/// section 12.5).
struct ResampledMean: Sendable {
  /// The mean of the known values.
  let mean: Double
  /// The estimated variance of the mean.
  let variance: Double
  /// The mean of each resample minus ``mean``.
  let shifts: [Double]
  /// The estimated variance of the mean of each resample.
  let variances: [Double]

  /// The estimate of this mean. Equal values other than 0 have the p-value 0.
  var estimate: Estimate {
    let error = variance.squareRoot()
    guard error > 0 else {
      return Estimate(interval: ConfidenceInterval(low: mean, high: mean), p: mean == 0 ? 1 : 0)
    }
    let ratios = zip(shifts, variances).map { shift, variance in
      shift == 0 ? 0 : shift / variance.squareRoot()
    }
    let ends = ConfidenceInterval(ofSamples: ratios)
    return Estimate(
      interval: ConfidenceInterval(
        low: ends?.high.map { mean - $0 * error }, high: ends?.low.map { mean - $0 * error }),
      p: Estimate.p(of: mean / error, among: ratios))
  }

  /// Returns the estimate of this mean minus `other`, which has independent resamples.
  func estimate(minus other: ResampledMean) -> Estimate {
    let difference = ResampledMean(
      mean: mean - other.mean, variance: variance + other.variance,
      shifts: zip(shifts, other.shifts).map { $0 - $1 },
      variances: zip(variances, other.variances).map { $0 + $1 })
    return difference.estimate
  }
}

/// The interval of a number, and the probability of its sign by chance.
struct Estimate: Sendable, Hashable {
  /// The 95 % interval.
  let interval: ConfidenceInterval?
  /// The two-sided p-value of the hypothesis that the number is 0.
  let p: Double?

  /// Returns the two-sided p-value of `value`: twice the share of `samples` beyond it. Never 0, because the samples are
  /// random (Phipson and Smyth, Statistical Applications in Genetics and Molecular Biology 9, 2010).
  static func p(of value: Double, among samples: [Double]) -> Double {
    let (above, below) = samples.reduce(into: (1, 1)) { counts, sample in
      if sample >= value { counts.0 += 1 }
      if sample <= value { counts.1 += 1 }
    }
    return min(1, 2 * Double(min(above, below)) / Double(samples.count + 1))
  }
}
