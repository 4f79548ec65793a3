internal import Cellophane
package import CellophaneResults

/// Short studies.
package enum StudyFixture {
  /// A configuration of two seconds.
  package static var short: SimulationConfiguration {
    var configuration = SimulationConfiguration()
    configuration.duration = .seconds(2)
    configuration.replicas = 2
    configuration.list.rows = 100
    return configuration
  }

  /// Returns a sweep over prefetch policies and sizes of the memory cache.
  package static func sweep(_ parameters: [(name: String, values: [String])]) throws -> Study {
    try Study(sweeping: parameters) { values throws(LoadError) in
      var one = short
      for (parameter, value) in zip(parameters, values) {
        switch parameter.name {
        case "prefetch": one.loader.prefetch = try PrefetchRule(parsing: value)
        default: one.cache.memoryBytes = Int(value) ?? -1
        }
      }
      return one
    }
  }
}
