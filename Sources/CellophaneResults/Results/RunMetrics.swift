/// The metrics of one loader in complete runs or in a phase: means over replicas, and estimates from the
/// waits of all of them.
public struct RunMetrics: Sendable, Hashable {
  private let values: [Metric: Double]
  private let waits: [WaitMetric: WaitEstimate]

  /// The value of `metric`; nil if it could not be measured.
  public subscript(metric: Metric) -> Double? { values[metric] }

  /// The estimate of `metric`.
  public subscript(metric: WaitMetric) -> WaitEstimate {
    waits[metric] ?? WaitEstimate(WaitDistribution(WaitHistogram(), ticksPerSecond: 1))
  }

  /// The wait of rows for their images.
  package var timeToImage: WaitEstimate { self[.timeToImage] }

  /// Creates the metrics of one loader from `replicas`.
  init(_ replicas: [Measurement]) {
    var values: [Metric: Double] = [:]
    for metric in Metric.allCases {
      let known = replicas.compactMap { $0[metric] }
      if !known.isEmpty { values[metric] = known.reduce(0, +) / Double(known.count) }
    }
    let waits = WaitMetric.allCases.map { ($0, WaitEstimate(replicas.pooled($0))) }
    self.init(values: values, waits: Dictionary(uniqueKeysWithValues: waits))
  }

  init(values: [Metric: Double], waits: [WaitMetric: WaitEstimate]) {
    self.values = values
    self.waits = waits
  }
}
