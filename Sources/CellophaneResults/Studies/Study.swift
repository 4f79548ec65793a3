package import Cellophane

/// Several configurations that are simulated under the same seeds and compared.
package struct Study: Sendable {
  /// The purpose of a study.
  package enum Kind: String, Sendable, Codable {
    /// The effect of one or two settings.
    case sweep
    /// The effect of each gesture and network parameter.
    case sensitivity
    /// The published cases.
    case suite
  }

  /// One configuration with its value of each parameter.
  package struct Case: Sendable {
    /// The values, in the order of ``Study/parameters``.
    package let values: [String]
    /// The settings of the simulation.
    package let configuration: SimulationConfiguration
  }

  /// The purpose of the study.
  package let kind: Kind
  /// The name of the suite, which includes its version; nil for other studies.
  package let suite: String?
  /// The names of the settings that differ between the cases.
  package let parameters: [String]
  /// The cases. All are compared with the first, except in a suite.
  package let cases: [Case]

  /// Creates a sweep of one parameter, or of all combinations of two.
  ///
  /// - Parameters:
  ///   - parameters: One or two parameters with their values.
  ///   - configure: Returns the settings for values of the first and of the second parameter.
  /// - Throws: ``LoadError/Kind/invalidRequest`` for more than ``maxCases`` cases; the errors of
  ///   `configure`.
  package init(
    sweeping parameters: [(name: String, values: [String])],
    configure: ([String]) throws(LoadError) -> SimulationConfiguration
  ) throws(LoadError) {
    if let defect = Kind.sweep.defect(ofParameters: parameters.count) {
      throw LoadError(.invalidRequest, defect + "; vary one or two options, and set the others")
    }
    var combinations: [[String]] = [[]]
    for parameter in parameters {
      combinations = combinations.flatMap { start in parameter.values.map { start + [$0] } }
    }
    guard combinations.count <= Self.maxCases else {
      throw LoadError(
        .invalidRequest,
        "the sweep has \(combinations.count) cases, more than \(Self.maxCases); use fewer values")
    }
    var cases: [Case] = []
    for values in combinations { cases.append(Case(values: values, configuration: try configure(values))) }
    kind = .sweep
    suite = nil
    self.parameters = parameters.map(\.name)
    self.cases = cases
  }

  /// Creates a sensitivity study: `base`, and each of its gesture and network parameters multiplied by 0.5
  /// and by 1.5. Probabilities are limited to 1.
  package init(sensitivityOf base: SimulationConfiguration) {
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

  /// The maximum number of cases of a sweep. A longer table is unreadable.
  package static let maxCases = 400
}
