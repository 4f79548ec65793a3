/// One metric over all replicas.
public struct MetricSummary: Sendable, Hashable {
  /// The mean of the replicas in which it could be measured; nil when it could in none.
  public let mean: Double?
  /// The interval of the mean; nil for less than six replicas.
  public let interval: ConfidenceInterval?
  /// The value of each replica, nil where it could not be measured.
  public let replicas: [Double?]

  init(mean: Double?, interval: ConfidenceInterval?, replicas: [Double?]) {
    self.mean = mean
    self.interval = interval
    self.replicas = replicas
  }

  init(_ replicas: [Double?], _ bootstrap: Bootstrap) {
    let known = replicas.compactMap(\.self)
    mean = known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
    interval = bootstrap.interval(ofMeanOf: replicas)
    self.replicas = replicas
  }
}

/// The difference of two loaders in one metric, over replicas with the same seeds: the first less the second.
public struct MetricDifference: Sendable, Hashable, Codable {
  /// Its mean; for a quantile, the difference of the quantiles of all waits. Nil when one of them is not known.
  public let mean: Double?
  /// Its interval, from the pairs; nil for less than six replicas.
  public let interval: ConfidenceInterval?

  private enum CodingKeys: String, CodingKey {
    case mean
    case interval = "ci95"
  }

  init(mean: Double?, interval: ConfidenceInterval?) {
    self.mean = mean
    self.interval = interval
  }

  /// The difference of two metrics whose replicas are no pairs, each with draws of its own.
  init(unpaired first: [Double?], _ second: [Double?], _ bootstraps: [Bootstrap]) {
    let means = [first, second].map { values in
      MetricSummary(values, Bootstrap(count: 1, seed: 0)).mean
    }
    mean = means[0].flatMap { first in means[1].map { first - $0 } }
    let samples = zip(bootstraps[0].means(of: first), bootstraps[1].means(of: second)).map { $0 - $1 }
    interval = ConfidenceInterval(ofSamples: samples.filter { !$0.isNaN })
  }

  /// The difference of two metrics whose replicas are pairs.
  init(_ first: [Double?], _ second: [Double?], _ bootstrap: Bootstrap) {
    let pairs = zip(first, second).map { first, second in first.flatMap { first in second.map { first - $0 } }
    }
    let summary = MetricSummary(pairs, bootstrap)
    mean = summary.mean
    interval = summary.interval
  }

  /// Both fields, null where they are not known.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: CodingKeys.self)
    try object.encode(mean, forKey: .mean)
    try object.encode(interval, forKey: .interval)
  }

  /// What it says of the first.
  public enum Claim: Sendable, Hashable {
    /// It is better, or worse.
    case better, worse
    /// It is less or more, of which neither is better by itself.
    case less, more
  }

  /// What can be said of the first, where `better` is the better direction; nil unless the interval is known and does
  /// not cover 0.
  public func claim(_ better: Metric.Direction?) -> Claim? {
    guard let interval, !interval.coversZero, let end = interval.low ?? interval.high else { return nil }
    let isLess = end < 0
    guard let better else { return isLess ? .less : .more }
    return isLess == (better == .lower) ? .better : .worse
  }
}
