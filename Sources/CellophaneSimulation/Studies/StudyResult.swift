internal import Cellophane

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

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
  /// What was asked.
  public let kind: Study.Kind
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

  private enum CodingKeys: String, CodingKey {
    case schema, tool, incomplete, kind, suite, parameters, cases, replicas
    case wallSeconds = "wall_s"
  }

  /// What `outcomes` of the cases of `study` come to.
  init(_ study: Study, _ outcomes: [[ReplicaOutcome]], wall: Duration) {
    func own(_ outcomes: [ReplicaOutcome]) -> [Measurement] {
      outcomes.compactMap { $0.runs[.cellophane]?.whole }
    }
    schema = Self.schema
    tool = SimulationTool()
    incomplete = Incomplete(finished: outcomes.count, planned: study.cases.count)
    kind = study.kind
    suite = study.suite
    parameters = study.parameters
    replicas = outcomes.first?.count ?? 0
    wallSeconds = wall.seconds
    let first = outcomes.first ?? []
    cases = zip(study.cases, outcomes).enumerated().map { index, one in
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
  }

  /// What broke, with the command that repeats it.
  public var broken: [String] {
    cases.flatMap { one in
      one.invariants.broken + (one.invariants.repeatBroken.map { ["to repeat it: " + $0] } ?? [])
    }
  }

  /// The result as JSON text with sorted keys and a final line break.
  public func json() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
  }
}
