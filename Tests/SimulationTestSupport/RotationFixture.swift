internal import Cellophane
package import CellophaneResults

/// Settings of runs with rotations of the screen.
package enum RotationFixture {
  /// Returns the settings of a list of 300 rows that scrolls for ten seconds.
  package static func configuration(
    _ kind: ListKind, rotatedAt times: Duration...
  ) -> SimulationConfiguration {
    var configuration = SimulationConfiguration()
    configuration.list.layout = kind
    configuration.list.rows = 300
    configuration.viewport.size = PixelSize(width: 400, height: 800)
    configuration.duration = .seconds(10)
    configuration.replicas = 1
    configuration.events = times.map { ScheduledEvent(.rotation, at: $0) }
    return configuration
  }
}
