internal import Cellophane

extension SimulationConfiguration {
  /// The configuration of the loader.
  public struct Loader: Sendable, Hashable, Codable {
    /// The prefetch policy.
    public var prefetch = PrefetchRule.rows(8, screens: 2.5)
    /// True if slots show previews of images that arrive slowly.
    public var previews = false
    /// The maximum number of concurrent transfers from the origin, 1 to 64. The default is the loader's,
    /// 6. Prefetches and transfers over a saturated link may use fewer; see
    /// `ByteLoader.Configuration.transfersPerOrigin`.
    public var concurrency = ByteLoader.Configuration().transfersPerOrigin

    /// The accepted numbers of concurrent transfers. No supported link can use more than 64.
    package static let concurrencies = 1...64

    /// Creates the default configuration.
    public init() {}

    private enum CodingKeys: String, CodingKey, CaseIterable { case prefetch, previews, concurrency }

    /// Decodes the present fields; missing ones have their defaults.
    public init(from decoder: any Decoder) throws {
      let fields = try ScenarioFields<CodingKeys>(decoder)
      prefetch = try fields.parsed(.prefetch) { try PrefetchRule(parsing: $0) } ?? prefetch
      previews = try fields.value(.previews) ?? previews
      concurrency = try fields.value(.concurrency) ?? concurrency
    }

    /// Encodes the format that ``init(from:)`` decodes.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(prefetch.name, forKey: .prefetch)
      try container.encode(previews, forKey: .previews)
      try container.encode(concurrency, forKey: .concurrency)
    }

    func check(_ decoding: Decoding.Mode) throws(LoadError) {
      if previews, decoding == .real {
        throw ScenarioField.error(
          "loader.previews",
          "in virtual time previews are modeled without pixels; use the decoding mode model, or real time"
        )
      }
      try ScenarioField.check(concurrency, "loader.concurrency", within: Self.concurrencies)
      do throws(LoadError) { _ = try PrefetchRule(parsing: prefetch.name) } catch {
        throw ScenarioField.error("loader.prefetch", error.message)
      }
    }
  }
}
