internal import ArgumentParser
internal import CellophaneResults

/// A share from 0 to 1: `0.3` or `30%`.
struct Share: ExpressibleByArgument {
  let value: Double

  init?(argument: String) {
    guard let value = try? SimulationConfiguration.Origin.share(parsing: argument) else { return nil }
    self.value = value
  }
}
