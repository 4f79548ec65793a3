public import Cellophane

extension SimulationConfiguration {
  /// The caches of the loader.
  public struct Cache: Sendable, Hashable, Codable {
    /// The limit of the memory cache, in bytes. 2 MiB: about 40 images of the default size, or five screens.
    /// Scrolling back therefore uses the disk cache too.
    public var memoryBytes = 2 << 20
    /// The limit of the disk cache, in bytes.
    public var diskBytes = 256 << 20
    /// The eviction policy of the memory cache.
    public var policy = EvictionRule.lru

    /// Creates the default configuration.
    public init() {}

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case memoryBytes = "memory_bytes"
      case diskBytes = "disk_bytes"
      case policy
    }

    /// Decodes the present fields; missing ones have their defaults.
    public init(from decoder: any Decoder) throws {
      let fields = try ScenarioFields<CodingKeys>(decoder)
      memoryBytes = try fields.value(.memoryBytes) ?? memoryBytes
      diskBytes = try fields.value(.diskBytes) ?? diskBytes
      policy = try fields.choice(.policy) ?? policy
    }

    /// Encodes the format that ``init(from:)`` decodes.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(memoryBytes, forKey: .memoryBytes)
      try container.encode(diskBytes, forKey: .diskBytes)
      try container.encode(policy.rawValue, forKey: .policy)
    }

    func check() throws(LoadError) {
      try ScenarioField.check(memoryBytes, "cache.memory_bytes", within: 0...Int.max)
      try ScenarioField.check(diskBytes, "cache.disk_bytes", within: 0...Int.max)
    }
  }
}
