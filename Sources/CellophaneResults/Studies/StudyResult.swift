internal import Cellophane

/// The result of a ``Study``.
package struct StudyResult: Sendable, Hashable, Codable {
  /// The name of the JSON schema. A version may gain fields and loses none.
  package static let schema = "cellophane.study/1"

  /// One metric of one case.
  package struct Number: Sendable, Hashable, Codable {
    /// The mean over the replicas, or the quantile of the waits of all replicas; nil if unknown.
    package let mean: Double?
    /// The 95 % interval of the mean.
    package let interval: ConfidenceInterval?
    /// The value of each replica, in the order of their seeds; nil for quantiles, which cover all replicas.
    package let replicas: [Double?]?
    /// This case minus the first, from pairs of replicas; nil for the first case, and if the replicas form no
    /// pairs.
    package let difference: MetricDifference?

    private enum CodingKeys: String, CodingKey {
      case mean, replicas
      case interval = "ci95"
      case difference = "less_first"
    }

    init(
      mean: Double?, interval: ConfidenceInterval?, difference: MetricDifference?, replicas: [Double?]? = nil
    ) {
      (self.mean, self.interval, self.difference, self.replicas) = (mean, interval, difference, replicas)
    }
  }

  /// The result of one case.
  package struct Case: Sendable, Hashable, Codable {
    /// The value of each parameter.
    package let values: [String]
    /// The command that repeats the case; nil with images from the user's URLs.
    package let reproduce: String?
    /// The hash of all events; nil in real time.
    package let fingerprint: String?
    /// The metrics by name.
    package let metrics: [MetricPath: Number]
    /// The outcome of the invariant checks.
    package let invariants: SimulationResult.Invariants
  }

  /// The name of the JSON schema, see ``schema``.
  package let schema: String
  /// The tool that made the result.
  package let tool: SimulationTool
  /// The number of finished cases of a cancelled study; nil if all cases finished.
  package let incomplete: Incomplete?
  /// The command that repeats the study; nil if the caller set none.
  package var reproduce: String?
  /// The purpose of the study.
  package let kind: Study.Kind
  /// The settings of the first case, with all derived values; nil in results of versions that did not store
  /// them.
  package let config: SimulationConfiguration?
  /// The name of the suite, which includes its version; nil for other studies.
  package let suite: String?
  /// The names of the settings that differ between the cases.
  package let parameters: [String]
  /// The cases.
  package let cases: [Case]
  /// The number of replicas of each case.
  package let replicas: Int
  /// The outcomes of the assertions for each case; see ``Assertion``.
  package var assertions: [AssertionOutcome] = []
  /// The duration of the study, in seconds of real time.
  package let wallSeconds: Double

  enum CodingKeys: String, CodingKey {
    case schema, tool, incomplete, reproduce, kind, config, suite, parameters, cases, replicas, assertions
    case wallSeconds = "wall_s"
  }

  /// Computes the metrics from the outcomes of the cases of `study`.
  package init(_ study: Study, _ outcomes: [[ReplicaOutcome]], wall: Duration) {
    func own(_ outcomes: [ReplicaOutcome]) -> [Measurement] {
      outcomes.compactMap { $0.runs[$0.subject]?.overall }
    }
    let first = outcomes.first ?? []
    var firstDrawn: DrawnReplicas?
    let cases = zip(study.cases, outcomes).enumerated().map { index, one in
      let (study, outcomes) = one
      let bootstrap = Bootstrap(count: outcomes.count, seed: study.configuration.seed)
      let drawn = DrawnReplicas(own(outcomes), bootstrap)
      let measured = MeasuredMetrics(drawn)
      // Equal seeds have equal draws.
      let arePairs = index > 0 && outcomes.map(\.seed) == first.map(\.seed)
      let differences = arePairs ? firstDrawn.map { MetricDifferences(drawn, $0) } : nil
      if index == 0 { firstDrawn = drawn }
      return Case(
        values: study.values, reproduce: study.configuration.command,
        fingerprint: ReplicaOutcome.fingerprint(of: outcomes),
        metrics: Dictionary(
          uniqueKeysWithValues: MetricPath.all.map { path in
            (
              path,
              Number(
                mean: measured.run[path], interval: measured.interval(of: path),
                difference: differences?[path], replicas: measured.replicas(of: path))
            )
          }), invariants: SimulationResult.Invariants(outcomes, study.configuration))
    }
    self.init(study, cases, replicas: first.count, meanBytes: first.first?.meanBytes, wall: wall)
  }

  /// Creates the result of the first `cases` of `study`.
  ///
  /// - Parameter meanBytes: The mean size of a generated file in the first case; nil if unknown.
  init(_ study: Study, _ cases: [Case], replicas: Int, meanBytes: Int?, wall: Duration) {
    schema = Self.schema
    tool = SimulationTool()
    incomplete = Incomplete(finished: cases.count, planned: study.cases.count)
    kind = study.kind
    config = study.cases.first.map { Self.completed($0.configuration, meanBytes: meanBytes) }
    suite = study.suite
    parameters = study.parameters
    self.cases = cases
    self.replicas = replicas
    wallSeconds = wall.seconds
  }

  /// Returns `configuration` as a result contains it.
  ///
  /// - Parameter meanBytes: The mean size of a generated file; nil if unknown.
  static func completed(
    _ configuration: SimulationConfiguration, meanBytes: Int?
  ) -> SimulationConfiguration {
    // `Simulation` checked the layout before the run.
    guard let layout = try? configuration.checkedLayout() else { return configuration }
    return configuration.completed(layout: layout, meanBytes: meanBytes)
  }

  /// Descriptions of broken invariants, each with the command that repeats its replica.
  package var broken: [String] { cases.flatMap(\.invariants.brokenWithRepeat) }
}
