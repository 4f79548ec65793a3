package import Cellophane

extension Study {
  /// The names of the published suites. The cases of a published suite never change; a changed suite gets a
  /// new name.
  package static let suites = ["v1"]

  /// Creates a study of the published cases of a suite: combinations of list, network and scroll profile,
  /// each for 60 s under the seeds 1 to 20. A suite fixes every setting except the use of the loader, the
  /// caches and the number of replicas.
  ///
  /// - Parameter adjust: Changes the settings under test and the number of replicas.
  /// - Throws: ``LoadError/Kind/invalidRequest`` if the suite does not exist or `adjust` changes a setting
  ///   that the suite fixes; the errors of `adjust`.
  package init(
    suite name: String, adjust: (inout SimulationConfiguration) throws(LoadError) -> Void
  ) throws(LoadError) {
    guard Self.suites.contains(name) else {
      throw LoadError(
        .invalidRequest, "unknown suite '\(name)'; available: \(Self.suites.joined(separator: ", "))")
    }
    var cases: [Case] = []
    for case let (values, configuration) in SuiteV1.cases {
      var adjusted = configuration
      try adjust(&adjusted)
      var own = configuration
      (own.loader, own.cache, own.replicas) = (adjusted.loader, adjusted.cache, adjusted.replicas)
      guard own == adjusted else {
        throw LoadError(
          .invalidRequest,
          "suite \(name) fixes its lists, readers, networks and seeds; change only the loader, its caches and"
            + " --replicas")
      }
      cases.append(Case(values: values, configuration: adjusted))
    }
    kind = .suite
    suite = name
    parameters = ["list", "network", "profile"]
    self.cases = cases
  }

  /// Returns the settings of one case of a suite, for example `cards/lh-slow4g/browser`.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` if the suite has no such case.
  package static func suiteCase(_ name: String) throws(LoadError) -> SimulationConfiguration {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let found = SuiteV1.cases.first(where: { $0.values == parts }) else {
      throw LoadError(
        .invalidRequest, "unknown case '\(name)'; use LIST/NETWORK/PROFILE with \(SuiteV1.parts)")
    }
    return found.configuration
  }
}
