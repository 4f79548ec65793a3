public import Cellophane

extension SimulationConfiguration {
  /// The visible part of the list.
  public struct Viewport: Sendable, Hashable, Codable {
    /// The size, in px. The default is the phone that Lighthouse emulates.
    public var size = PixelSize(width: 412, height: 823)
    /// The device pixels per px. Images are decoded to the device pixels in which they are shown. Their files
    /// do not change.
    public var density = 1.0
    /// The refresh rate, in frames per second.
    public var refreshRate = 60
    /// The number of reused cells; nil in a configuration that was not played.
    package internal(set) var slots: Int?

    /// Creates the default viewport.
    public init() {}

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case width = "w"
      case height = "h"
      case density
      case refreshRate = "hz"
      case slots
    }

    /// Decodes the present fields; missing ones have their defaults.
    public init(from decoder: any Decoder) throws {
      let fields = try ScenarioFields<CodingKeys>(decoder)
      size.width = try fields.value(.width) ?? size.width
      size.height = try fields.value(.height) ?? size.height
      density = try fields.value(.density) ?? density
      refreshRate = try fields.value(.refreshRate) ?? refreshRate
      slots = try fields.value(.slots)
    }

    /// Encodes the format that ``init(from:)`` decodes. A density of 1 is omitted, so that results from before
    /// there were densities are written unchanged.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(size.width, forKey: .width)
      try container.encode(size.height, forKey: .height)
      if density != 1 { try container.encode(density, forKey: .density) }
      try container.encode(refreshRate, forKey: .refreshRate)
      try container.encodeIfPresent(slots, forKey: .slots)
    }

    func check() throws(LoadError) {
      try ScenarioField.check(density, "viewport.density", within: ScreenRanges.densities)
      try ScenarioField.check(refreshRate, "viewport.hz", within: ScreenRanges.refreshRates)
    }
  }
}
