/// What one loader did in one run, or in a phase of it.
public struct RunMetrics: Sendable, Hashable {
  private let values: [Metric: Double]
  private let waits: [WaitMetric: WaitEstimate]

  /// The value of `metric`; nil when it could not be measured.
  public subscript(metric: Metric) -> Double? { values[metric] }

  /// The estimate of `metric`.
  public subscript(metric: WaitMetric) -> WaitEstimate {
    waits[metric] ?? WaitEstimate(KaplanMeier(WaitHistogram(), ticksPerSecond: 1))
  }

  /// How long rows waited for their pictures.
  public var timeToImage: WaitEstimate { self[.timeToImage] }

  init(_ measurement: Measurement) {
    self.init(
      values: measurement.values,
      waits: Dictionary(
        uniqueKeysWithValues: WaitMetric.allCases.map { ($0, WaitEstimate(measurement.estimate($0))) }))
  }

  init(values: [Metric: Double], waits: [WaitMetric: WaitEstimate]) {
    self.values = values
    self.waits = waits
  }
}
