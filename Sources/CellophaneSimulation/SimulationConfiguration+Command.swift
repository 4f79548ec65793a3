internal import Cellophane
internal import CellophaneTesting

extension SimulationConfiguration {
  /// The command that plays this, every setting written out, so that it means the same when a default changes; nil for
  /// pictures of the user's own, whose list has a name that is not known here.
  public var command: String? {
    guard urls == nil else { return nil }
    let words = [
      "--time", time.rawValue, "--rows", "\(rows)", "--row-height", "\(rowHeight)", "--image", picture.text,
      "--source", source.text, "--viewport", viewport.text, "--profile", profile.name,
      "--physics", physics.rawValue, "--network", network.name, "--memory", "\(memoryBytes)",
      "--disk", "\(diskBytes)", "--prefetch", "\(rowsAhead)", "--hz", "\(refreshRate)",
      "--duration", "\(duration.seconds)", "--seed", "\(seed)",
    ]
    return (["cellophane", "simulate"] + words).joined(separator: " ")
  }
}

extension PixelSize {
  fileprivate var text: String { "\(width)x\(height)" }
}
