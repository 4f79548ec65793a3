internal import Cellophane

/// The versions of an origin's images. The versions of an image follow at even intervals from a random time
/// on. A pure function of the seed.
package struct PictureVersions: Sendable {
  /// The time between two versions, in ns.
  private let period: Int64
  private let draw: SeededDraw

  /// Creates the versions at `origin`, whose values have been checked; nil if its images never change.
  package init?(_ origin: SimulationConfiguration.Origin, seed: UInt64) {
    guard let change = origin.change else { return nil }
    period = Duration.roundedSeconds(change).wholeNanoseconds
    draw = SeededDraw(seed: seed)
  }

  /// Returns the version of `picture` at `time` of the run, from 0.
  package func version(of picture: Int, at time: Duration) -> Int {
    let first = Int64((Double(period) * draw.uniform("version", picture)).rounded(.up))
    let passed = time.wholeNanoseconds - first
    return passed < 0 ? 0 : 1 + Int(passed / period)
  }
}
