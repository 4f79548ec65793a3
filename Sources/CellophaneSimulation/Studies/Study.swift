public import Cellophane

/// Several configurations that are played to be put beside each other, under the same seeds.
public struct Study: Sendable {
  /// What is asked.
  public enum Kind: String, Sendable, Codable {
    /// What one or two settings do.
    case sweep
    /// Which of the numbers that stand for gestures and the line matter.
    case sensitivity
    /// The published cases.
    case suite
  }

  /// One configuration, with what it has of each parameter.
  public struct Case: Sendable {
    /// In the order of ``Study/parameters``.
    public let values: [String]
    /// What is played.
    public let configuration: SimulationConfiguration
  }

  /// What is asked.
  public let kind: Kind
  /// The suite's name and version; nil when it is none.
  public let suite: String?
  /// What differs between the cases.
  public let parameters: [String]
  /// The cases; the others are compared with the first, except those of a suite.
  public let cases: [Case]

  /// Every value of `first` with every value of `second`, if there is one.
  ///
  /// - Parameter configure: The base with values set: the first parameter's, then the second's.
  /// - Throws: What `configure` throws; ``LoadError/Kind/invalidRequest`` for more than ``mostCases``.
  public init(
    sweeping parameters: [(name: String, values: [String])],
    configure: ([String]) throws(LoadError) -> SimulationConfiguration
  ) throws(LoadError) {
    guard (1...2).contains(parameters.count) else {
      throw LoadError(.invalidRequest, "one or two parameters can be swept, not \(parameters.count)")
    }
    var combinations: [[String]] = [[]]
    for parameter in parameters {
      combinations = combinations.flatMap { start in parameter.values.map { start + [$0] } }
    }
    guard combinations.count <= Self.mostCases else {
      throw LoadError(
        .invalidRequest, "the sweep has \(combinations.count) cases; at most \(Self.mostCases) are played")
    }
    var cases: [Case] = []
    for values in combinations { cases.append(Case(values: values, configuration: try configure(values))) }
    kind = .sweep
    suite = nil
    self.parameters = parameters.map(\.name)
    self.cases = cases
  }

  /// `base`, and each number behind its gestures and its line half and one and a half times as large. A probability is
  /// at most 1.
  public init(sensitivityOf base: SimulationConfiguration) {
    kind = .sensitivity
    suite = nil
    parameters = ["parameter", "factor"]
    cases =
      [Case(values: ["base", "1"], configuration: base)]
      + ScaledParameter.all.flatMap { parameter in
        [0.5, 1.5].compactMap { factor in
          parameter.scaled(base, by: factor).map {
            Case(values: [parameter.name, "\(factor)"], configuration: $0)
          }
        }
      }
  }

  /// The most cases of a sweep: beyond, nobody reads the table.
  public static let mostCases = 400

  /// Plays all cases, one after the other.
  ///
  /// - Parameters:
  ///   - keepsFinished: When cancelled, the cases that were finished are the result; see ``StudyResult/incomplete``.
  ///   - onCase: Called before each case, with its number from 0.
  /// - Throws: As ``Simulation/run(_:onPhase:)``; ``LoadError/Kind/invalidRequest`` before anything is played when one of
  ///   the cases cannot be.
  public func run(
    timeline: Timeline = Timeline(), keepsFinished: Bool = false,
    onCase: @Sendable (Int) -> Void = { _ in }
  ) async throws(LoadError) -> StudyResult {
    let start = timeline.now
    var simulations: [Simulation] = []
    for one in cases { simulations.append(try Simulation(one.configuration, timeline: timeline)) }
    var outcomes: [[ReplicaOutcome]] = []
    for (index, simulation) in simulations.enumerated() {
      onCase(index)
      do throws(LoadError) {
        outcomes.append(try await simulation.outcomes(of: [.cellophane]))
      } catch {
        if keepsFinished, error.kind == .cancelled, !outcomes.isEmpty { break }
        throw error
      }
    }
    return StudyResult(self, outcomes, wall: timeline.now - start)
  }
}
