public import Cellophane

extension SimulationConfiguration {
  /// The visible part of the list.
  public struct Viewport: Sendable, Hashable, Codable {
    /// Its size, in px: the phone that Lighthouse emulates.
    public var size = PixelSize(width: 412, height: 823)
    /// Frames a second.
    public var refreshRate = 60
    /// The number of reused cells; nil in what is to be played.
    public internal(set) var slots: Int?

    /// The defaults.
    public init() {}

    /// The refresh rates that can be played: below 1 there is no scrolling, above 240 no screen.
    public static let refreshRates = 1...240

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case width = "w"
      case height = "h"
      case refreshRate = "hz"
      case slots
    }

    /// Reads the fields that are there.
    public init(from decoder: any Decoder) throws {
      let fields = try ScenarioFields<CodingKeys>(decoder)
      size.width = try fields.value(.width) ?? size.width
      size.height = try fields.value(.height) ?? size.height
      refreshRate = try fields.value(.refreshRate) ?? refreshRate
      slots = try fields.value(.slots)
    }

    /// Writes what ``init(from:)`` reads.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(size.width, forKey: .width)
      try container.encode(size.height, forKey: .height)
      try container.encode(refreshRate, forKey: .refreshRate)
      try container.encodeIfPresent(slots, forKey: .slots)
    }

    func check() throws(LoadError) {
      try ScenarioField.check(refreshRate, "viewport.hz", within: Self.refreshRates)
    }
  }
}
