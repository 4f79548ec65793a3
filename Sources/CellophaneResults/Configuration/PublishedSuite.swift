/// A published suite. Its cases never change; a changed suite gets a new name.
struct PublishedSuite {
  /// One configuration with its value of each parameter.
  typealias Case = (values: [String], configuration: SimulationConfiguration)

  /// The name, which includes the version.
  let name: String
  /// The names of the settings that differ between the cases.
  let parameters: [String]
  /// The cases, each with its values in the order of ``parameters``.
  let cases: [Case]
  /// The seeds for tuning, and those for results; empty if the seed of the cases is fixed.
  let halves: [ClosedRange<UInt64>]

  /// All suites, the oldest first.
  static var all: [PublishedSuite] {
    [
      PublishedSuite(
        name: "v1", parameters: ["list", "network", "profile"], cases: SuiteV1.cases, halves: []),
      PublishedSuite(
        name: "v2", parameters: ["list", "network", "profile", "http", "physics"], cases: SuiteV2.cases,
        halves: [1...1_000, 1_001...2_000]),
    ]
  }

  /// Returns the suite and the case that `configuration` plays; nil if it plays none. The configuration of the loader and
  /// the caches and the number of replicas may differ, and the seed within a half.
  static func find(_ configuration: SimulationConfiguration) -> (suite: String, name: String)? {
    for suite in all where suite.hasSeeds(of: configuration) {
      let found = suite.cases.first { suite.adjusted($0.configuration, as: configuration) == configuration }
      if let found { return (suite.name, found.values.joined(separator: "/")) }
    }
    return nil
  }

  /// Returns `published` with the settings of `configuration` that may differ.
  func adjusted(
    _ published: SimulationConfiguration, as configuration: SimulationConfiguration
  ) -> SimulationConfiguration {
    var own = published
    (own.loader, own.cache, own.replicas) = (
      configuration.loader, configuration.cache, configuration.replicas
    )
    own.foresight = configuration.foresight
    if !halves.isEmpty { own.seed = configuration.seed }
    return own
  }

  /// Returns true if all seeds of `configuration` are in one half of the suite, or if the suite has none.
  func hasSeeds(of configuration: SimulationConfiguration) -> Bool {
    let (last, isTooLarge) = configuration.seed.addingReportingOverflow(
      UInt64(max(1, configuration.replicas) - 1))
    return halves.isEmpty
      || !isTooLarge && halves.contains { $0.contains(configuration.seed) && $0.contains(last) }
  }
}
