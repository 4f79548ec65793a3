package import Cellophane

extension Study {
  /// The names of the published suites. The cases of a published suite never change; a changed suite gets a
  /// new name.
  package static let suites = PublishedSuite.all.map(\.name)

  /// Creates a study of the published cases of a suite, each for 60 s under 20 seeds. A suite fixes every setting except
  /// the use of the loader, the caches and the number of replicas; v2 also has two halves of seeds.
  ///
  /// - Parameter adjust: Changes the settings under test and the number of replicas.
  /// - Throws: ``LoadError/Kind/invalidRequest`` if the suite does not exist or `adjust` changes a setting
  ///   that the suite fixes; the errors of `adjust`.
  package init(
    suite name: String, adjust: (inout SimulationConfiguration) throws(LoadError) -> Void
  ) throws(LoadError) {
    guard let suite = PublishedSuite.all.first(where: { $0.name == name }) else {
      throw LoadError(
        .invalidRequest, "unknown suite '\(name)'; available: \(Self.suites.joined(separator: ", "))")
    }
    var cases: [Case] = []
    for case let (values, configuration) in suite.cases {
      var adjusted = configuration
      try adjust(&adjusted)
      guard suite.adjusted(configuration, as: adjusted) == adjusted else {
        throw LoadError(
          .invalidRequest,
          "suite \(name) fixes its lists, readers and networks; change only the loader, its caches, "
            + (suite.halves.isEmpty ? "and --replicas" : "--seed and --replicas"))
      }
      guard suite.hasSeeds(of: adjusted) else {
        let halves = suite.halves.map { "\($0.lowerBound) to \($0.upperBound)" }.joined(
          separator: " for tuning, ")
        throw LoadError(
          .invalidRequest,
          "suite \(name) has the seeds \(halves) for results; choose --seed and --replicas within one half")
      }
      cases.append(Case(values: values, configuration: adjusted))
    }
    kind = .suite
    self.suite = name
    parameters = suite.parameters
    self.cases = cases
  }

  /// The names of the cases of all suites.
  package static var suiteCases: [String] {
    PublishedSuite.all.flatMap { $0.cases.map { $0.values.joined(separator: "/") } }
  }

  /// Returns the settings of one case of a suite, for example `cards/lh-slow4g/browser`.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` if no suite has such a case.
  package static func suiteCase(_ name: String) throws(LoadError) -> SimulationConfiguration {
    for suite in PublishedSuite.all {
      if let found = suite.cases.first(where: { $0.values.joined(separator: "/") == name }) {
        return found.configuration
      }
    }
    let forms = PublishedSuite.all.map { suite in
      "\(suite.parameters.joined(separator: "/").uppercased()) of suite \(suite.name)"
    }
    throw LoadError(
      .invalidRequest,
      "unknown case '\(name)'; use \(forms.joined(separator: " or ")), which --list cases shows")
  }
}

extension StudyResult {
  /// The first seed for results, if this is a suite under its seeds for tuning; otherwise nil.
  package var sealedSeed: UInt64? {
    guard let seed = config?.seed, let published = PublishedSuite.all.first(where: { $0.name == suite }),
      published.halves.first?.contains(seed) == true
    else { return nil }
    return published.halves.last?.lowerBound
  }
}
