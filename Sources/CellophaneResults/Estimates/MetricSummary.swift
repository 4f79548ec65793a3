/// One metric over all replicas.
public struct MetricSummary: Sendable, Hashable {
  /// The mean of the replicas in which it was measured; nil without any.
  public let mean: Double?
  /// The confidence interval of the mean; nil with fewer than ten replicas that have a value.
  package let confidence: ConfidenceInterval?
  /// The value of each replica; nil where it could not be measured.
  public let replicas: [Double?]

  /// The 95 % confidence interval of the mean; nil with fewer than ten replicas that have a value.
  public var interval: ClosedRange<Double>? { confidence?.range }

  init(mean: Double?, confidence: ConfidenceInterval?, replicas: [Double?]) {
    self.mean = mean
    self.confidence = confidence
    self.replicas = replicas
  }

  init(_ replicas: [Double?], _ bootstrap: Bootstrap) {
    mean = replicas.knownMean
    confidence = bootstrap.mean(of: replicas)?.estimate.interval
    self.replicas = replicas
  }
}

extension [Double?] {
  /// The mean of the known values; nil without any.
  fileprivate var knownMean: Double? {
    let known = compactMap(\.self)
    return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
  }
}

/// The difference of two loaders in one metric over replicas with the same seeds: the first minus the second.
package struct MetricDifference: Sendable, Hashable, Codable {
  /// The mean difference; for a quantile, the difference of the quantiles of all waits. Nil if one of them is
  /// unknown.
  package let mean: Double?
  /// The confidence interval, from the pairs; nil with fewer than ten replicas that have a value.
  package let interval: ConfidenceInterval?

  /// The two-sided p-value of the hypothesis that there is no difference, without a correction for other comparisons; nil
  /// without an interval.
  package let p: Double?

  private enum CodingKeys: String, CodingKey {
    case mean, p
    case interval = "ci95"
  }

  init(mean: Double?, _ estimate: Estimate?) {
    self.mean = mean
    (interval, p) = (estimate?.interval, estimate?.p)
  }

  /// Creates the difference of two metrics whose replicas are not paired, with independent draws.
  init(unpaired first: [Double?], _ second: [Double?], _ bootstraps: [Bootstrap]) {
    let resampled = [bootstraps[0].mean(of: first), bootstraps[1].mean(of: second)]
    let estimate = resampled[0].flatMap { one in resampled[1].map { one.estimate(minus: $0) } }
    self.init(mean: first.knownMean.flatMap { one in second.knownMean.map { one - $0 } }, estimate)
  }

  /// Creates the difference of two metrics whose replicas are paired.
  init(_ first: [Double?], _ second: [Double?], _ bootstrap: Bootstrap) {
    let pairs = zip(first, second).map { first, second in first.flatMap { one in second.map { one - $0 } } }
    self.init(mean: pairs.knownMean, bootstrap.mean(of: pairs)?.estimate)
  }

  /// Writes all fields, null where unknown.
  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: CodingKeys.self)
    try object.encode(mean, forKey: .mean)
    try object.encode(interval, forKey: .interval)
    try object.encode(p, forKey: .p)
  }
}
