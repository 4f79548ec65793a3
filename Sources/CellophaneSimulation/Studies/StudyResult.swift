internal import Cellophane

/// What came of a ``Study``.
public struct StudyResult: Sendable, Hashable, Codable {
  /// The shape's name; it only grows.
  public static let schema = "cellophane.study/1"

  /// One number of one case.
  public struct Number: Sendable, Hashable, Codable {
    /// The mean over replicas, or the quantile of the waits of all; nil when it is not known.
    public let mean: Double?
    /// Its interval.
    public let interval: ConfidenceInterval?
    /// This case less the first, from pairs of replicas; nil for the first, and where replicas are no pairs.
    public let difference: MetricDifference?

    private enum CodingKeys: String, CodingKey {
      case mean
      case interval = "ci95"
      case difference = "less_first"
    }
  }

  /// What came of one case.
  public struct Case: Sendable, Hashable, Codable {
    /// What it has of each parameter.
    public let values: [String]
    /// The command that plays it; nil for pictures of the user's own.
    public let reproduce: String?
    /// The hash of everything that happened; nil in real time.
    public let fingerprint: String?
    /// The numbers, by name.
    public let metrics: [MetricPath: Number]
    /// What must hold.
    public let invariants: SimulationResult.Invariants
  }

  /// ``schema``.
  public let schema: String
  /// What measured it.
  public let tool: SimulationTool
  /// Said of a study that was cancelled; nil when all cases were played.
  public let incomplete: Incomplete?
  /// The command that plays the same again; nil when nobody said it.
  public var reproduce: String?
  /// What was asked.
  public let kind: Study.Kind
  /// What the first case played, completed by what follows from it; nil where it is not known.
  public let config: SimulationConfiguration?
  /// The suite's name and version; nil when it is none.
  public let suite: String?
  /// What differs between the cases.
  public let parameters: [String]
  /// The cases.
  public let cases: [Case]
  /// How many replicas each case has.
  public let replicas: Int
  /// How long it took, in s.
  public let wallSeconds: Double

  enum CodingKeys: String, CodingKey {
    case schema, tool, incomplete, reproduce, kind, config, suite, parameters, cases, replicas
    case wallSeconds = "wall_s"
  }

  /// What `outcomes` of the cases of `study` come to.
  init(_ study: Study, _ outcomes: [[ReplicaOutcome]], wall: Duration) {
    func own(_ outcomes: [ReplicaOutcome]) -> [Measurement] {
      outcomes.compactMap { $0.runs[.cellophane]?.whole }
    }
    let first = outcomes.first ?? []
    let cases = zip(study.cases, outcomes).enumerated().map { index, one in
      let (study, outcomes) = one
      let bootstrap = Bootstrap(count: outcomes.count, seed: study.configuration.seed)
      let drawn = DrawnReplicas(own(outcomes), bootstrap)
      let measured = MeasuredMetrics(drawn)
      let arePairs = index > 0 && outcomes.map(\.seed) == first.map(\.seed)
      let differences =
        arePairs ? MetricDifferences(drawn, DrawnReplicas(own(first), bootstrap)) : nil
      return Case(
        values: study.values, reproduce: study.configuration.command,
        fingerprint: ReplicaOutcome.fingerprint(of: outcomes),
        metrics: Dictionary(
          uniqueKeysWithValues: MetricPath.all.map { path in
            (
              path,
              Number(
                mean: measured.run[path], interval: measured.interval(of: path),
                difference: differences?[path])
            )
          }), invariants: SimulationResult.Invariants(outcomes, study.configuration))
    }
    self.init(study, cases, replicas: first.count, meanBytes: first.first?.meanBytes, wall: wall)
  }

  /// `cases`, the first of `study`.
  ///
  /// - Parameter meanBytes: The mean size of a generated file in the first; nil when nobody knows.
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

  private static func completed(
    _ configuration: SimulationConfiguration, meanBytes: Int?
  ) -> SimulationConfiguration {
    // It was checked before it was played.
    guard let layout = try? configuration.checkedLayout() else { return configuration }
    return configuration.completed(layout: layout, meanBytes: meanBytes)
  }

  /// What broke, with the command that repeats it.
  public var broken: [String] {
    cases.flatMap { one in
      one.invariants.broken + (one.invariants.repeatBroken.map { ["to repeat it: " + $0] } ?? [])
    }
  }
}
