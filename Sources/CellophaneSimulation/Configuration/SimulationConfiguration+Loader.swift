internal import Cellophane

extension SimulationConfiguration {
  /// How the loader is used.
  public struct Loader: Sendable, Hashable, Codable {
    /// What is loaded before it comes in.
    public var prefetch = PrefetchRule.rows(8)

    /// The defaults.
    public init() {}

    private enum CodingKeys: String, CodingKey, CaseIterable { case prefetch }

    /// Reads the fields that are there.
    public init(from decoder: any Decoder) throws {
      let fields = try ScenarioFields<CodingKeys>(decoder)
      prefetch = try fields.parsed(.prefetch) { try PrefetchRule(parsing: $0) } ?? prefetch
    }

    /// Writes what ``init(from:)`` reads.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(prefetch.name, forKey: .prefetch)
    }

    func check() throws(LoadError) {
      do throws(LoadError) { _ = try PrefetchRule(parsing: prefetch.name) } catch {
        throw ScenarioField.refused("loader.prefetch", error.message)
      }
    }
  }
}
