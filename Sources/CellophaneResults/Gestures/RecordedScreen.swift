package import Cellophane

/// The screen on which a scroll was recorded, as far as the log states it.
package struct RecordedScreen: Sendable, Hashable {
  /// The size of the visible part of the list, in px.
  package private(set) var size: PixelSize?
  /// The device pixels per px.
  package private(set) var density: Double?
  /// The frames per second.
  package private(set) var refreshRate: Int?

  /// Reads a line of the head of a log: `# viewport=WxH`, `# density=N` or `# hz=N`. Other lines, such as `# device=NAME`,
  /// have no effect.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` for a value outside the accepted ranges.
  mutating func read(_ line: String) throws(LoadError) {
    let pair = line.dropFirst().split(separator: "=", maxSplits: 1)
    guard pair.count == 2, let name = pair[0].split(separator: " ").last else { return }
    let value = pair[1].split(separator: " ").first ?? ""
    switch name {
    case "viewport":
      let sides = value.split(separator: "x").compactMap { Int($0) }
      guard sides.count == 2, sides.allSatisfy(ListLayout.lengths.contains) else {
        throw LoadError(.invalidRequest, "the viewport must be a size in px, such as 412x823")
      }
      size = PixelSize(width: sides[0], height: sides[1])
    case "density":
      let densities = ScreenRanges.densities
      guard let number = Double(value), densities.contains(number) else {
        throw LoadError(
          .invalidRequest, "the density must be from \(densities.lowerBound) to \(densities.upperBound)")
      }
      density = number
    case "hz":
      let rates = ScreenRanges.refreshRates
      guard let number = Int(value), rates.contains(number) else {
        throw LoadError(
          .invalidRequest, "hz must be a whole number from \(rates.lowerBound) to \(rates.upperBound)")
      }
      refreshRate = number
    default: return
    }
  }
}
