internal import Cellophane
internal import CellophaneResults

extension TestedLoader {
  /// Creates a loader that follows `rules` with the settings of a scenario.
  init(_ rules: LoaderRules, _ settings: SimulationConfiguration.Loader) throws(LoadError) {
    var rules = rules
    rules.transfers = settings.concurrency
    try self.init(settings.name.rawValue, connectionsPerHost: rules.connectionsPerHost) { [rules] context in
      RuledLoader(rules, prefetch: settings.prefetch, context)
    }
  }
}
