/// ``RunMetrics`` as a result shows the loader's own: each number with its unit, the better direction, and the
/// value of each replica. One run is one replica, and has no confidence interval.
public struct MeasuredMetrics: Sendable, Hashable, Codable {
  /// The numbers.
  public let run: RunMetrics

  /// The numbers of `run`.
  public init(_ run: RunMetrics) { self.run = run }

  /// One object a metric; see the type.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: JSONKey.self)
    for metric in Metric.allCases where metric.group == nil {
      var measure = object.nestedContainer(keyedBy: JSONKey.self, forKey: JSONKey(metric.name))
      try measure.encode(metric.unit, forKey: "unit")
      try measure.encode(metric.better, forKey: "better")
      try measure.encode(run[metric], forKey: "mean")
      try measure.encode([run[metric]], forKey: "replicas")
      try measure.encode([Double]?.none, forKey: "ci95")
      guard Metric.groups.contains(metric.rawValue) else { continue }
      var parts = measure.nestedContainer(keyedBy: JSONKey.self, forKey: "parts")
      try encode(group: metric.rawValue, into: &parts)
    }
    for group in Metric.groups where Metric(rawValue: group) == nil {
      var parts = object.nestedContainer(keyedBy: JSONKey.self, forKey: JSONKey(group))
      try encode(group: group, into: &parts)
    }
    for metric in WaitMetric.allCases { try object.encode(run[metric], forKey: JSONKey(metric.rawValue)) }
  }

  private func encode(group: String, into parts: inout KeyedEncodingContainer<JSONKey>) throws {
    for metric in Metric.allCases where metric.group == group {
      try parts.encode(run[metric], forKey: JSONKey(metric.name))
    }
  }

  /// Reads what ``encode(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: JSONKey.self)
    var values: [Metric: Double] = [:]
    for metric in Metric.allCases {
      let key: JSONKey
      let measure: KeyedDecodingContainer<JSONKey>
      if let group = metric.group {
        let holder = try object.nestedContainer(keyedBy: JSONKey.self, forKey: JSONKey(group))
        measure =
          Metric(rawValue: group) == nil
          ? holder : try holder.nestedContainer(keyedBy: JSONKey.self, forKey: "parts")
        key = JSONKey(metric.name)
      } else {
        measure = try object.nestedContainer(keyedBy: JSONKey.self, forKey: JSONKey(metric.name))
        key = "mean"
      }
      values[metric] = try measure.decodeIfPresent(Double.self, forKey: key)
    }
    var waits: [WaitMetric: WaitEstimate] = [:]
    for metric in WaitMetric.allCases {
      waits[metric] = try object.decode(WaitEstimate.self, forKey: JSONKey(metric.rawValue))
    }
    run = RunMetrics(values: values, waits: waits)
  }
}
