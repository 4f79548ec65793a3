public import Cellophane

/// Two results beside each other, and what can be said of their difference.
public struct ResultComparison: Sendable, Hashable, Codable {
  /// The shape's name; it only grows.
  public static let schema = "cellophane.compare/1"

  /// One number of both.
  public struct Line: Sendable, Hashable, Codable {
    /// The unit; of totals that are compared by the second with `/s` behind it.
    public let unit: String
    /// Which way is better; nil when neither is, by itself.
    public let better: Metric.Direction?
    /// The number of the first and of the second result; nil where it is not known.
    public let first, second: Double?
    /// The second less the first.
    public let difference: MetricDifference

    /// What can be said of the second; nil when that is nothing.
    public var claim: MetricDifference.Claim? { difference.claim(better) }
  }

  /// ``schema``.
  public let schema: String
  /// True when replicas are pairs: the same seeds, lists and gestures, so that only the settings make a difference.
  public let isPaired: Bool
  /// Why they are not; nil when they are.
  public let unpaired: String?
  /// The number of replicas of each.
  public let replicas: [Int]
  /// How long each was scrolled, in s.
  public let seconds: [Double]
  /// The settings in which they differ, by path.
  public let settings: [SettingDifference]
  /// The numbers, by name. Totals (``Metric/isTotal``) of runs that last differently long are divided by their lengths.
  public let lines: [MetricPath: Line]

  private enum CodingKeys: String, CodingKey {
    case schema, unpaired, replicas, settings
    case isPaired = "paired"
    case seconds = "duration_s"
    case lines = "metrics"
  }

  /// What `first` and `second` say beside each other.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` when one of them contradicts itself.
  public init(_ first: SimulationResult, _ second: SimulationResult) throws(LoadError) {
    let seconds = [first, second].map(\.config.duration.seconds)
    let hasRates = seconds[0] != seconds[1]
    let measurements = [
      try first.measurements("first", by: hasRates ? seconds[0] : 1),
      try second.measurements("second", by: hasRates ? seconds[1] : 1),
    ]
    schema = Self.schema
    self.seconds = seconds
    replicas = measurements.map(\.count)
    settings = SettingDifference.all(first, second)
    unpaired = Self.obstacle(first.config.asPlayed, second.config.asPlayed)
    isPaired = unpaired == nil
    let bootstraps = [
      Bootstrap(count: replicas[1], seed: second.config.seed),
      // Draws of their own, unless the replicas are pairs.
      Bootstrap(
        count: replicas[0], seed: unpaired == nil ? second.config.seed : ~second.config.seed),
    ]
    let differences = MetricDifferences(
      DrawnReplicas(measurements[1], bootstraps[0]), DrawnReplicas(measurements[0], bootstraps[1]),
      arePaired: unpaired == nil)
    let runs = measurements.map { RunMetrics($0) }
    lines = Dictionary(
      uniqueKeysWithValues: MetricPath.all.map { path in
        (
          path,
          Line(
            unit: hasRates && path.isTotal ? path.unit + "/s" : path.unit, better: path.better,
            first: runs[0][path], second: runs[1][path],
            difference: differences[path] ?? MetricDifference(mean: nil, interval: nil))
        )
      })
  }

  /// True when totals are compared by the second, since the runs last differently long.
  public var hasRates: Bool { seconds.first != seconds.last }

  /// Why the replicas of two configurations are no pairs; nil when they are.
  private static func obstacle(_ first: SimulationConfiguration, _ second: SimulationConfiguration) -> String?
  {
    var obstacles: [String] = []
    if first.seed != second.seed {
      obstacles.append("they have other seeds, from \(first.seed) and from \(second.seed) on")
    } else if first.replicas != second.replicas {
      obstacles.append("one has \(first.replicas) replicas, the other \(second.replicas)")
    }
    if first.list != second.list { obstacles.append("they have other lists") }
    if first.viewport != second.viewport { obstacles.append("they have other viewports") }
    if first.gesture != second.gesture { obstacles.append("they have other gestures") }
    if first.events != second.events { obstacles.append("other things happen beside scrolling") }
    if first.duration != second.duration { obstacles.append("they last differently long") }
    if first.time != second.time { obstacles.append("one is in real time, the other is not") }
    return obstacles.isEmpty ? nil : obstacles.joined(separator: "; ")
  }

  /// The comparison as JSON text with sorted keys and a final line break.
  public func json() throws -> [UInt8] { try JSONText.lines(self) }
}

extension SimulationResult {
  /// The replicas that a result was made of, as far as it keeps them, with their totals divided by `length`.
  fileprivate func measurements(_ name: String, by length: Double) throws(LoadError) -> [Measurement] {
    func check(_ holds: Bool, _ what: String) throws(LoadError) {
      guard holds else {
        throw LoadError(.invalidRequest, "the \(name) result contradicts itself: \(what)")
      }
    }
    let count = config.replicas
    try check(SimulationConfiguration.replicaCounts.contains(count), "config.replicas is \(count)")
    var measurements = Array(
      repeating: Measurement(refreshRate: config.viewport.refreshRate), count: count)
    for metric in Metric.allCases {
      let values = self.metrics[metric].replicas
      try check(values.count == count, "\(metric.rawValue) has \(values.count) replicas")
      for replica in 0..<count {
        measurements[replica].values[metric] = values[replica].map { metric.isTotal ? $0 / length : $0 }
      }
    }
    for (metric, samples) in self.samples {
      let rate = metric.ticksPerSecond(at: config.viewport.refreshRate)
      try check(
        samples.replicas.count == count && samples.ticksPerSecond == rate, "samples of \(metric.rawValue)")
      for replica in 0..<count {
        guard let waits = samples.replicas[replica].waits else {
          try check(false, "samples of \(metric.rawValue)")
          continue
        }
        measurements[replica].waits[metric] = waits
      }
    }
    return measurements
  }
}
