/// How far two loaders are from each other in every number.
public struct MetricDifferences: Sendable, Hashable, Codable {
  private let differences: [MetricPath: MetricDifference]

  /// The difference in one number.
  public subscript(path: MetricPath) -> MetricDifference? { differences[path] }

  /// The numbers of `first` less those of `second`, whose replicas are pairs.
  init(_ first: [Measurement], _ second: [Measurement], _ bootstrap: Bootstrap) {
    self.init(first, second, [bootstrap, bootstrap], arePaired: true)
  }

  /// The numbers of `first` less those of `second`, each with its draws; pairs have the same.
  init(
    _ first: [Measurement], _ second: [Measurement], _ bootstraps: [Bootstrap], arePaired: Bool
  ) {
    var differences: [MetricPath: MetricDifference] = [:]
    for metric in Metric.allCases {
      let (one, other) = (first.map { $0[metric] }, second.map { $0[metric] })
      differences[.metric(metric)] =
        arePaired
        ? MetricDifference(one, other, bootstraps[0]) : MetricDifference(unpaired: one, other, bootstraps)
    }
    for metric in WaitMetric.allCases {
      let quantiles = WaitEstimate.Quantile.allCases
      let samples = zip([first, second], bootstraps).map { waits, bootstrap in
        let tick = 1_000 / Double(waits.ticksPerSecond(metric))
        return bootstrap.quantiles(of: PooledWaits(waits.waits(metric)), at: quantiles.map(\.share))
          .map { $0.map { $0 * tick } }
      }
      let estimates = [first, second].map { WaitEstimate($0.pooled(metric)) }
      for (index, quantile) in quantiles.enumerated() {
        let mean = estimates[0][quantile].flatMap { one in estimates[1][quantile].map { one - $0 } }
        let pairs = zip(samples[0][index], samples[1][index]).map { $0 - $1 }
        differences[.quantile(metric, quantile)] = MetricDifference(
          mean: mean,
          // Of two that were not reached nobody knows which is larger.
          interval: pairs.contains(where: \.isNaN) ? nil : ConfidenceInterval(ofSamples: pairs))
      }
    }
    self.differences = differences
  }

  /// Reads one object a name.
  public init(from decoder: any Decoder) throws {
    differences = try decoder.singleValueContainer().decode([MetricPath: MetricDifference].self)
  }

  /// Writes one object a name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(differences)
  }
}
