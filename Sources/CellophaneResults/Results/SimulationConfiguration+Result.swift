package import Cellophane

extension SimulationConfiguration {
  /// Decodes a scenario, or the settings of a result of one run.
  ///
  /// - Throws: The errors of ``init(scenario:time:otherwise:)``.
  package init(
    scenarioOrResult json: [UInt8], time: Time?, otherwise fallback: Time
  ) throws(LoadError) {
    if (try? StoredJSON.schema(of: json)) == SimulationResult.schema {
      try self.init(settingsOf: json, time: time, otherwise: fallback)
    } else {
      try self.init(scenario: json, time: time, otherwise: fallback)
    }
  }
}
