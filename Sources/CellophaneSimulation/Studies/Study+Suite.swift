public import Cellophane

extension Study {
  /// The names of the published suites. What a suite plays never changes; another one gets another name.
  public static let suites = ["v1"]

  /// The published cases: readers, networks and lists, each for 60 s under the seeds 1 to 20. How the loader is used,
  /// and with which caches, is what a suite is played for; everything else is the suite's.
  ///
  /// - Parameter adjust: Makes the settings under test, and the number of replicas.
  /// - Throws: ``LoadError/Kind/invalidRequest`` when there is no such suite, or `adjust` changes what is the suite's;
  ///   what `adjust` throws.
  public init(
    suite name: String, adjust: (inout SimulationConfiguration) throws(LoadError) -> Void
  ) throws(LoadError) {
    guard Self.suites.contains(name) else {
      throw LoadError(
        .invalidRequest, "there is no suite '\(name)'; there is \(Self.suites.joined(separator: ", "))")
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
          "the suite \(name) has its own lists, readers, networks and seeds; only how the loader is used, its caches"
            + " and --replicas can be chosen")
      }
      cases.append(Case(values: values, configuration: adjusted))
    }
    kind = .suite
    suite = name
    parameters = ["list", "network", "profile"]
    self.cases = cases
  }

  /// One case of a suite, by its name: `cards/lh-slow4g/browser`.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` when there is none.
  public static func suiteCase(_ name: String) throws(LoadError) -> SimulationConfiguration {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let found = SuiteV1.cases.first(where: { $0.values == parts }) else {
      throw LoadError(.invalidRequest, "there is no case '\(name)'; its parts are \(SuiteV1.parts)")
    }
    return found.configuration
  }
}
