internal import Cellophane

extension SimulationConfiguration {
  /// The configuration of the loader.
  public struct Loader: Sendable, Hashable, Codable {
    /// The loader under test. A change also changes the prefetch policy and the number of concurrent transfers, if they
    /// are the defaults of the loader before.
    public var name = ListedLoader.cellophane {
      didSet {
        if prefetch == oldValue.prefetch { prefetch = name.prefetch }
        if concurrency == oldValue.concurrency { concurrency = name.concurrency }
      }
    }
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

    private enum CodingKeys: String, CodingKey, CaseIterable { case name, prefetch, previews, concurrency }

    /// Decodes the present fields; missing ones have their defaults.
    public init(from decoder: any Decoder) throws {
      let fields = try ScenarioFields<CodingKeys>(decoder)
      let known: ListedLoader? = try fields.choice(.name)
      if let known { name = known; (prefetch, concurrency) = (known.prefetch, known.concurrency) }
      prefetch = try fields.parsed(.prefetch) { try PrefetchRule(parsing: $0) } ?? prefetch
      previews = try fields.value(.previews) ?? previews
      concurrency = try fields.value(.concurrency) ?? concurrency
    }

    /// Encodes the format that ``init(from:)`` decodes.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      if name != .cellophane { try container.encode(name.rawValue, forKey: .name) }
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
      if let rules = name.rules {
        guard !previews else {
          throw ScenarioField.error(
            "loader.previews", "the rules of \(rules.version) have no previews; leave it out")
        }
        guard prefetch != .deadline, prefetch != .landing else {
          throw ScenarioField.error(
            "loader.prefetch",
            "\(prefetch.name) is a policy of Cellophane; use none, rows, screens, flutter or compose")
        }
      }
      try ScenarioField.check(concurrency, "loader.concurrency", within: Self.concurrencies)
      do throws(LoadError) { _ = try PrefetchRule(parsing: prefetch.name) } catch {
        throw ScenarioField.error("loader.prefetch", error.message)
      }
    }

    /// The settings of Cellophane in the same run: the defaults if another loader is under test, whose settings these are.
    package var ofCellophane: Loader { name == .cellophane ? self : Loader() }
  }
}

extension ListedLoader {
  /// The default prefetch policy.
  fileprivate var prefetch: PrefetchRule { rules?.prefetch ?? SimulationConfiguration.Loader().prefetch }

  /// The default number of concurrent transfers.
  fileprivate var concurrency: Int { rules?.transfers ?? SimulationConfiguration.Loader().concurrency }
}
