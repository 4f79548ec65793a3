/// The metrics of Cellophane in a result: each with its unit, better direction, confidence interval, and the
/// value of each replica.
public struct MeasuredMetrics: Sendable, Hashable, Codable {
  private let summaries: [Metric: MetricSummary]
  private let waits: [WaitMetric: WaitEstimate]

  /// The summary of `metric` over all replicas.
  public subscript(metric: Metric) -> MetricSummary {
    summaries[metric] ?? MetricSummary(mean: nil, confidence: nil, replicas: [])
  }

  /// The estimate of `metric` from the waits of all replicas.
  public subscript(metric: WaitMetric) -> WaitEstimate { run[metric] }

  /// Returns the confidence interval of the number of `path`; nil with fewer than ten replicas.
  package func interval(of path: MetricPath) -> ConfidenceInterval? {
    switch path {
    case .metric(let metric): self[metric].confidence
    case .quantile(let metric, let quantile): self[metric].confidence(quantile)
    }
  }

  /// Returns the values of the replicas in the number of `path`; nil for quantiles.
  package func replicas(of path: MetricPath) -> [Double?]? {
    if case .metric(let metric) = path { self[metric].replicas } else { nil }
  }

  /// The values only.
  package var run: RunMetrics { RunMetrics(values: summaries.compactMapValues(\.mean), waits: waits) }

  /// Creates the metrics from the replicas of `drawn`.
  init(_ drawn: DrawnReplicas) {
    let (replicas, bootstrap) = (drawn.replicas, drawn.bootstrap)
    summaries = Dictionary(
      uniqueKeysWithValues: Metric.allCases.map { metric in
        (metric, MetricSummary(replicas.map { $0[metric] }, bootstrap))
      })
    waits = Dictionary(
      uniqueKeysWithValues: WaitMetric.allCases.map { metric in
        let intervals = drawn.quantiles[metric]?.compactMapValues {
          Estimate(percentilesOf: $0, count: replicas.count).interval
        }
        return (metric, WaitEstimate(replicas.pooled(metric), intervals: intervals ?? [:]))
      })
  }

  /// Writes one object per metric. The metrics of a group are in an object with the name of the group, with
  /// their intervals and replicas. If the name of the group is itself a metric, they are in the field `parts`
  /// of that metric.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: JSONKey.self)
    for metric in Metric.allCases where metric.group == nil {
      var measure = object.nestedContainer(keyedBy: JSONKey.self, forKey: JSONKey(metric.name))
      try measure.encode(metric.unit, forKey: "unit")
      try measure.encode(metric.better, forKey: "better")
      try measure.encode(self[metric].mean, forKey: "mean")
      try measure.encode(self[metric].replicas, forKey: "replicas")
      try measure.encode(self[metric].confidence, forKey: "ci95")
      guard Metric.groups.contains(metric.rawValue) else { continue }
      var parts = measure.nestedContainer(keyedBy: JSONKey.self, forKey: "parts")
      for part in Metric.parts(of: metric.rawValue) {
        try parts.encode(self[part].mean, forKey: JSONKey(part.name))
      }
      try encodeSpread(
        of: metric.rawValue, into: &measure, intervals: "parts_ci95", replicas: "parts_replicas")
    }
    for group in Metric.groups where Metric(rawValue: group) == nil {
      var parts = object.nestedContainer(keyedBy: JSONKey.self, forKey: JSONKey(group))
      for part in Metric.parts(of: group) { try parts.encode(self[part].mean, forKey: JSONKey(part.name)) }
      try encodeSpread(of: group, into: &parts, intervals: "ci95", replicas: "replicas")
      try encodeMeaning(of: group, into: &parts)
    }
    for metric in WaitMetric.allCases { try object.encode(run[metric], forKey: JSONKey(metric.rawValue)) }
  }

  private func encodeMeaning(
    of group: String, into object: inout KeyedEncodingContainer<JSONKey>
  ) throws {
    var units = object.nestedContainer(keyedBy: JSONKey.self, forKey: "unit")
    var directions = object.nestedContainer(keyedBy: JSONKey.self, forKey: "better")
    for part in Metric.parts(of: group) {
      try units.encode(part.unit, forKey: JSONKey(part.name))
      try directions.encode(part.better, forKey: JSONKey(part.name))
    }
  }

  private func encodeSpread(
    of group: String, into object: inout KeyedEncodingContainer<JSONKey>, intervals: JSONKey,
    replicas: JSONKey
  ) throws {
    var ends = object.nestedContainer(keyedBy: JSONKey.self, forKey: intervals)
    var values = object.nestedContainer(keyedBy: JSONKey.self, forKey: replicas)
    for part in Metric.parts(of: group) {
      try ends.encode(self[part].confidence, forKey: JSONKey(part.name))
      try values.encode(self[part].replicas, forKey: JSONKey(part.name))
    }
  }

  /// Reads the output of ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: JSONKey.self)
    var summaries: [Metric: MetricSummary] = [:]
    for metric in Metric.allCases {
      guard let group = metric.group else {
        let measure = try object.nestedContainer(keyedBy: JSONKey.self, forKey: JSONKey(metric.name))
        summaries[metric] = MetricSummary(
          mean: try measure.decodeIfPresent(Double.self, forKey: "mean"),
          confidence: try measure.decodeIfPresent(ConfidenceInterval.self, forKey: "ci95"),
          replicas: try measure.decode([Double?].self, forKey: "replicas"))
        continue
      }
      // Results of earlier versions do not have all groups.
      guard object.contains(JSONKey(group)) else {
        let count = summaries[.blankRatio]?.replicas.count ?? 0
        summaries[metric] = MetricSummary(
          mean: nil, confidence: nil, replicas: Array(repeating: nil, count: count))
        continue
      }
      let holder = try object.nestedContainer(keyedBy: JSONKey.self, forKey: JSONKey(group))
      let isPart = Metric(rawValue: group) != nil
      let mean = JSONKey(metric.name)
      let (intervals, replicas): (JSONKey, JSONKey) =
        isPart ? ("parts_ci95", "parts_replicas") : ("ci95", "replicas")
      let means = isPart ? try holder.nestedContainer(keyedBy: JSONKey.self, forKey: "parts") : holder
      summaries[metric] = MetricSummary(
        mean: try means.decodeIfPresent(Double.self, forKey: mean),
        confidence: try holder.nestedContainer(keyedBy: JSONKey.self, forKey: intervals)
          .decodeIfPresent(ConfidenceInterval.self, forKey: mean),
        replicas: try holder.nestedContainer(keyedBy: JSONKey.self, forKey: replicas)
          .decode([Double?].self, forKey: mean))
    }
    var waits: [WaitMetric: WaitEstimate] = [:]
    for metric in WaitMetric.allCases {
      waits[metric] = try object.decode(WaitEstimate.self, forKey: JSONKey(metric.rawValue))
    }
    self.summaries = summaries
    self.waits = waits
  }
}
