/// The differences between two loaders in all numbers.
package struct MetricDifferences: Sendable, Hashable, Codable {
  private let differences: [MetricPath: MetricDifference]

  /// All differences by number.
  package var all: [MetricPath: MetricDifference] { differences }

  /// The difference in the number of `path`.
  package subscript(path: MetricPath) -> MetricDifference? { differences[path] }

  /// Subtracts the numbers of `second` from those of `first`. Paired replicas use the same draws.
  init(_ first: DrawnReplicas, _ second: DrawnReplicas, arePaired: Bool = true) {
    var differences: [MetricPath: MetricDifference] = [:]
    for metric in Metric.allCases {
      let (one, other) = (first.replicas.map { $0[metric] }, second.replicas.map { $0[metric] })
      differences[.metric(metric)] =
        arePaired
        ? MetricDifference(one, other, first.bootstrap)
        : MetricDifference(unpaired: one, other, [first.bootstrap, second.bootstrap])
    }
    for metric in WaitMetric.allCases {
      let estimates = [first, second].map { WaitEstimate($0.replicas.pooled(metric)) }
      for quantile in WaitEstimate.Quantile.allCases {
        let mean = estimates[0][quantile].flatMap { one in estimates[1][quantile].map { one - $0 } }
        let samples = [first, second].map { $0.quantiles[metric]?[quantile] ?? [] }
        let drawn = zip(samples[0], samples[1]).map { $0 - $1 }
        // The order of two quantiles that were not reached is unknown.
        let isKnown = !drawn.isEmpty && !drawn.contains(where: \.isNaN)
        differences[.quantile(metric, quantile)] = MetricDifference(
          mean: mean,
          isKnown
            ? Estimate(percentilesOf: drawn, count: min(first.replicas.count, second.replicas.count)) : nil)
      }
    }
    self.differences = differences
  }

  /// Reads one object per name.
  package init(from decoder: any Decoder) throws {
    differences = try decoder.singleValueContainer().decode([MetricPath: MetricDifference].self)
  }

  /// Writes one object per name.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(differences)
  }
}
