extension RunMetrics: Codable {
  /// Writes plain numbers under the names of the metrics. The metrics of a group are in an object with the
  /// name of the group, or `<group>_parts` if that name is itself a metric. Unknown values are null.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: JSONKey.self)
    for metric in Metric.allCases where metric.group == nil {
      try object.encode(self[metric], forKey: JSONKey(metric.name))
    }
    for group in Metric.groups {
      var parts = object.nestedContainer(keyedBy: JSONKey.self, forKey: Self.key(ofGroup: group))
      for metric in Metric.allCases where metric.group == group {
        try parts.encode(self[metric], forKey: JSONKey(metric.name))
      }
    }
    for metric in WaitMetric.allCases { try object.encode(self[metric], forKey: JSONKey(metric.rawValue)) }
  }

  /// Reads the output of ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: JSONKey.self)
    var values: [Metric: Double] = [:]
    for metric in Metric.allCases {
      guard let group = metric.group else {
        values[metric] = try object.decodeIfPresent(Double.self, forKey: JSONKey(metric.name))
        continue
      }
      // Results of earlier versions do not have all groups.
      guard object.contains(Self.key(ofGroup: group)) else { continue }
      let parts = try object.nestedContainer(keyedBy: JSONKey.self, forKey: Self.key(ofGroup: group))
      values[metric] = try parts.decodeIfPresent(Double.self, forKey: JSONKey(metric.name))
    }
    var waits: [WaitMetric: WaitEstimate] = [:]
    for metric in WaitMetric.allCases {
      waits[metric] = try object.decode(WaitEstimate.self, forKey: JSONKey(metric.rawValue))
    }
    self.init(values: values, waits: waits)
  }

  private static func key(ofGroup group: String) -> JSONKey {
    JSONKey(Metric(rawValue: group) == nil ? group : group + "_parts")
  }
}

extension Metric {
  /// The groups of metrics.
  static var groups: [String] {
    var groups: [String] = []
    for case let group? in allCases.map(\.group) where !groups.contains(group) { groups.append(group) }
    return groups
  }

  /// Returns the metrics of `group`.
  static func parts(of group: String) -> [Metric] { allCases.filter { $0.group == group } }
}
