internal import Cellophane

extension SimulationConfiguration {
  /// How the loader is used.
  public struct Loader: Sendable, Hashable, Codable {
    /// What is loaded before it comes in.
    public var prefetch = PrefetchRule.landing
    /// Whether slots show what has arrived of a picture that takes long.
    public var previews = false
    /// Transfers at once from the origin, within ``concurrencies``. 6: as the library has it. What the line asks for less,
    /// or what is loaded ahead, keeps to fewer; see `ByteLoader.Configuration.transfersPerOrigin`.
    public var concurrency = ByteLoader.Configuration().transfersPerOrigin

    /// How many transfers there may be at once. 64: more than any line that can be named has use for.
    public static let concurrencies = 1...64

    /// The defaults.
    public init() {}

    private enum CodingKeys: String, CodingKey, CaseIterable { case prefetch, previews, concurrency }

    /// Reads the fields that are there.
    public init(from decoder: any Decoder) throws {
      let fields = try ScenarioFields<CodingKeys>(decoder)
      prefetch = try fields.parsed(.prefetch) { try PrefetchRule(parsing: $0) } ?? prefetch
      previews = try fields.value(.previews) ?? previews
      concurrency = try fields.value(.concurrency) ?? concurrency
    }

    /// Writes what ``init(from:)`` reads.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(prefetch.name, forKey: .prefetch)
      try container.encode(previews, forKey: .previews)
      try container.encode(concurrency, forKey: .concurrency)
    }

    func check(_ decoding: Decoding.Mode) throws(LoadError) {
      if previews, decoding == .real {
        throw ScenarioField.refused(
          "loader.previews", "in virtual time they are modelled, and have no pixels; take model, or real time"
        )
      }
      try ScenarioField.check(concurrency, "loader.concurrency", within: Self.concurrencies)
      do throws(LoadError) { _ = try PrefetchRule(parsing: prefetch.name) } catch {
        throw ScenarioField.refused("loader.prefetch", error.message)
      }
    }
  }
}
