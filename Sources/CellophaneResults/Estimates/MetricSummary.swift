/// One metric over all replicas.
public struct MetricSummary: Sendable, Hashable {
  /// The mean of the replicas in which it was measured; nil without any.
  public let mean: Double?
  /// The confidence interval of the mean; nil with fewer than six replicas.
  package let confidence: ConfidenceInterval?
  /// The value of each replica; nil where it could not be measured.
  public let replicas: [Double?]

  /// The 95 % confidence interval of the mean; nil with fewer than six replicas.
  public var interval: ClosedRange<Double>? { confidence?.range }

  init(mean: Double?, confidence: ConfidenceInterval?, replicas: [Double?]) {
    self.mean = mean
    self.confidence = confidence
    self.replicas = replicas
  }

  init(_ replicas: [Double?], _ bootstrap: Bootstrap) {
    let known = replicas.compactMap(\.self)
    mean = known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
    confidence = bootstrap.interval(ofMeanOf: replicas)
    self.replicas = replicas
  }
}

/// The difference of two loaders in one metric over replicas with the same seeds: the first minus the second.
package struct MetricDifference: Sendable, Hashable, Codable {
  /// The mean difference; for a quantile, the difference of the quantiles of all waits. Nil if one of them is
  /// unknown.
  package let mean: Double?
  /// The confidence interval, from the pairs; nil with fewer than six replicas.
  package let interval: ConfidenceInterval?

  private enum CodingKeys: String, CodingKey {
    case mean
    case interval = "ci95"
  }

  init(mean: Double?, interval: ConfidenceInterval?) {
    self.mean = mean
    self.interval = interval
  }

  /// Creates the difference of two metrics whose replicas are not paired, with independent draws.
  init(unpaired first: [Double?], _ second: [Double?], _ bootstraps: [Bootstrap]) {
    let means = [first, second].map { values in
      MetricSummary(values, Bootstrap(count: 1, seed: 0)).mean
    }
    mean = means[0].flatMap { first in means[1].map { first - $0 } }
    let samples = zip(bootstraps[0].means(of: first), bootstraps[1].means(of: second)).map { $0 - $1 }
    interval = ConfidenceInterval(ofSamples: samples.filter { !$0.isNaN })
  }

  /// Creates the difference of two metrics whose replicas are paired.
  init(_ first: [Double?], _ second: [Double?], _ bootstrap: Bootstrap) {
    let pairs = zip(first, second).map { first, second in first.flatMap { first in second.map { first - $0 } }
    }
    let summary = MetricSummary(pairs, bootstrap)
    mean = summary.mean
    interval = summary.confidence
  }

  /// Writes both fields, null where unknown.
  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: CodingKeys.self)
    try object.encode(mean, forKey: .mean)
    try object.encode(interval, forKey: .interval)
  }

  /// A confirmed difference of the first from the second.
  package enum Claim: Sendable, Hashable {
    /// It is better, or worse.
    case better, worse
    /// It is less or more, and neither direction is better by itself.
    case less, more
  }

  /// Returns the confirmed difference of the first, given the better direction. Returns nil if the interval
  /// is unknown or covers 0.
  package func claim(_ better: Metric.Direction?) -> Claim? {
    guard let interval, !interval.coversZero, let end = interval.low ?? interval.high else { return nil }
    let isLess = end < 0
    guard let better else { return isLess ? .less : .more }
    return isLess == (better == .lower) ? .better : .worse
  }
}
