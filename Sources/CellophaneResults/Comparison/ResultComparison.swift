package import Cellophane

/// A comparison of two results, with the confirmed differences.
package struct ResultComparison: Sendable, Hashable, Codable {
  /// The name of the schema. New versions only add fields.
  package static let schema = "cellophane.compare/1"

  /// One number of both results.
  package struct Row: Sendable, Hashable, Codable {
    /// The unit; for totals that are compared per second, followed by `/s`.
    package let unit: String
    /// The better direction; nil if neither direction is better by itself.
    package let better: Metric.Direction?
    /// The number of the first and of the second result; nil if unknown.
    package let first, second: Double?
    /// The second minus the first.
    package let difference: MetricDifference
    /// Whether the first and the second are a quantile that too few waits reached. Not part of the JSON: the JSON of each
    /// result has the numbers of waits.
    package private(set) var (isFirstNever, isSecondNever) = (false, false)
    /// The number of pairs in which both results have a value, and which ``difference`` covers; nil if every pair has
    /// both values or neither, for quantiles, and without pairs. Not part of the JSON.
    package private(set) var pairs: Int?

    /// The confirmed difference of the second result, among all rows; nil without one.
    package let claim: DifferenceFamily.Claim?

    private enum CodingKeys: String, CodingKey {
      case unit, better, first, second, difference
      case claim = "shown"
    }

    init(
      _ path: MetricPath, of runs: [RunMetrics], _ difference: MetricDifference?, isRate: Bool, pairs: Int?,
      in family: DifferenceFamily
    ) {
      unit = isRate ? path.unit + "/s" : path.unit
      better = path.better
      (first, second) = (runs[0][path], runs[1][path])
      (isFirstNever, isSecondNever) = (runs[0].isNever(path), runs[1].isNever(path))
      self.difference = difference ?? MetricDifference(mean: nil, nil)
      self.pairs = pairs
      claim = family.claim(difference, in: path)
    }
  }

  /// The name of the schema.
  package let schema: String
  /// True if replicas are paired: they have the same seeds, lists and gestures, so only the settings make a
  /// difference.
  package let isPaired: Bool
  /// The reasons why they are not; nil if they are.
  package let unpaired: String?
  /// The number of replicas of each result.
  package let replicas: [Int]
  /// The duration of the runs of each result, in s.
  package let seconds: [Double]
  /// The settings that differ, by path.
  package let settings: [SettingDifference]
  /// The numbers, by name. Totals (``Metric/isTotal``) of runs with different durations are divided by the
  /// durations.
  package let rows: [MetricPath: Row]
  /// The outcomes of the assertions about the differences; see ``Assertion``.
  package var assertions: [AssertionOutcome] = []
  /// The progress of the first and of the second result; nil for a complete one. Not part of the JSON: the JSON of each
  /// result has it.
  package private(set) var incomplete: [Incomplete?] = [nil, nil]

  private enum CodingKeys: String, CodingKey {
    case schema, unpaired, replicas, settings, assertions
    case isPaired = "paired"
    case seconds = "duration_s"
    case rows = "metrics"
  }

  /// Compares two results.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` if one of them is inconsistent.
  package init(_ first: SimulationResult, _ second: SimulationResult) throws(LoadError) {
    let seconds = [first, second].map(\.config.duration.seconds)
    let hasRates = seconds[0] != seconds[1]
    let measurements = [
      try first.measurements("first", by: hasRates ? seconds[0] : 1),
      try second.measurements("second", by: hasRates ? seconds[1] : 1),
    ]
    schema = Self.schema
    self.seconds = seconds
    incomplete = [first.incomplete, second.incomplete]
    replicas = measurements.map(\.count)
    settings = SettingDifference.all(first, second)
    unpaired = Self.reasonUnpaired(first.config.asPlayed, second.config.asPlayed)
    let arePaired = unpaired == nil
    isPaired = arePaired
    let bootstraps = [
      Bootstrap(count: replicas[1], seed: second.config.seed),
      // Independent draws, unless replicas are paired.
      Bootstrap(
        count: replicas[0], seed: arePaired ? second.config.seed : ~second.config.seed),
    ]
    let differences = MetricDifferences(
      DrawnReplicas(measurements[1], bootstraps[0]), DrawnReplicas(measurements[0], bootstraps[1]),
      arePaired: arePaired)
    let runs = measurements.map { RunMetrics($0) }
    let family = DifferenceFamily(differences.all.values)
    rows = Dictionary(
      uniqueKeysWithValues: MetricPath.all.map { path in
        let pairs = arePaired ? Self.partialPairs(of: path, measurements) : nil
        return (
          path,
          Row(path, of: runs, differences[path], isRate: hasRates && path.isTotal, pairs: pairs, in: family)
        )
      })
  }

  /// True if totals are compared per second, because the durations differ.
  package var hasRates: Bool { seconds.first != seconds.last }

  /// Returns the number of pairs in which both results have a value of `path`; nil if every pair has both or neither.
  private static func partialPairs(of path: MetricPath, _ results: [[Measurement]]) -> Int? {
    guard case .metric(let metric) = path else { return nil }
    let known = zip(results[0], results[1]).map { ($0[metric] != nil, $1[metric] != nil) }
    return known.contains(where: !=) ? known.count { $0 && $1 } : nil
  }

  /// Returns the reasons why the replicas of two configurations are not paired; nil if they are.
  private static func reasonUnpaired(_ first: SimulationConfiguration, _ second: SimulationConfiguration)
    -> String?
  {
    var reasons: [String] = []
    if first.seed != second.seed {
      reasons.append("different seeds, starting at \(first.seed) and at \(second.seed)")
    } else if first.replicas != second.replicas {
      reasons.append("different numbers of replicas, \(first.replicas) and \(second.replicas)")
    }
    if first.list != second.list { reasons.append("different lists") }
    // The density of a screen changes neither the gestures nor the images.
    var viewport = second.viewport
    viewport.density = first.viewport.density
    if first.viewport != viewport { reasons.append("different viewports") }
    if first.gesture != second.gesture { reasons.append("different gestures") }
    if first.events != second.events { reasons.append("different events") }
    if first.duration != second.duration { reasons.append("different durations") }
    if first.time != second.time { reasons.append("different time modes") }
    return reasons.isEmpty ? nil : reasons.joined(separator: "; ")
  }

  /// The comparison as JSON with sorted keys and a final line break.
  package func json() throws -> [UInt8] { try JSONText.lines(self) }
}

extension SimulationResult {
  /// Returns the stored measurements of the replicas of a result, with totals divided by `length`.
  fileprivate func measurements(_ name: String, by length: Double) throws(LoadError) -> [Measurement] {
    func check(_ holds: Bool, _ what: String) throws(LoadError) {
      guard holds else {
        throw LoadError(.invalidRequest, "the \(name) result is inconsistent: \(what)")
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
