internal import Cellophane

/// When the pictures of an origin come to have newer versions: each evenly, from a moment of its own on. A pure function
/// of the seed.
struct PictureVersions: Sendable {
  /// Nanoseconds between two versions.
  private let period: Int64
  private let draw: SeededDraw

  /// The versions at `origin`, whose numbers have been checked; nil where pictures never change.
  init?(_ origin: SimulationConfiguration.Origin, seed: UInt64) {
    guard let change = origin.change else { return nil }
    period = Duration.roundedSeconds(change).wholeNanoseconds
    draw = SeededDraw(seed: seed)
  }

  /// How many versions of `picture` came before that of `time` of the run.
  func version(of picture: Int, at time: Duration) -> Int {
    let first = Int64((Double(period) * draw.uniform("version", picture)).rounded(.up))
    let passed = time.wholeNanoseconds - first
    return passed < 0 ? 0 : 1 + Int(passed / period)
  }
}
