package import Cellophane

extension SimulationConfiguration {
  /// The behavior of the origin of generated images.
  package struct Origin: Sendable, Hashable, Codable {
    /// A share of slow answers.
    package struct SlowTail: Sendable, Hashable {
      /// The exponent of the Pareto distribution of the delay: the smaller, the slower.
      package var alpha: Double
      /// The share of slow answers, 0...1.
      package var share: Double

      /// Creates a slow tail.
      package init(alpha: Double, share: Double) {
        self.alpha = alpha
        self.share = share
      }

      /// Reads `pareto:ALPHA,SHARE`, with a share such as `0.02` or `2%`.
      ///
      /// - Throws: ``LoadError/Kind/invalidRequest`` if the text has another format or a value is out of
      ///   range.
      package init(parsing text: String) throws(LoadError) {
        let words = text.hasPrefix("pareto:") ? text.dropFirst("pareto:".count).split(separator: ",") : []
        guard words.count == 2, let alpha = Double(words[0]), Origin.alphas.contains(alpha),
          let share = try? Origin.share(parsing: String(words[1]))
        else {
          throw LoadError(
            .invalidRequest,
            "unknown slow tail '\(text)'; use pareto:ALPHA,SHARE with an alpha from 0.1 to 100 and a share such as 2%"
          )
        }
        self.init(alpha: alpha, share: share)
      }

      /// The text in the format of ``init(parsing:)``.
      package var name: String { "pareto:\(alpha),\(share)" }

      fileprivate enum Keys: String, CodingKey, CaseIterable {
        case alpha, share
      }
    }

    /// The share of requests that fail with status 503, 0...1.
    package var fail = 0.0
    /// The slow answers. A Pareto-distributed factor of at least 1 multiplies the time to their first byte.
    /// Nil for none.
    package var slowTail: SlowTail?
    /// The share of images that must be revalidated before each use (`no-cache`), 0...1. The origin answers
    /// 304 if the image is unchanged.
    package var revalidate = 0.0
    /// The time between two versions of an image, in s; nil if images never change. In virtual time only,
    /// because the pixels of an image do not show its version.
    package var change: Double?
    /// The freshness lifetime of an answer, in s (`max-age`). The default is a day, the duration of the
    /// longest run.
    package var maxAge = 86_400
    /// The time after ``maxAge`` in which a stale answer may be used while it is revalidated, in s
    /// (`stale-while-revalidate`).
    package var staleWhileRevalidate = 0

    /// Creates an origin without failures or slow answers, whose answers are fresh for a day.
    package init() {}

    /// The accepted exponents of a slow tail. At 0.1, every second slow answer takes a thousand times longer;
    /// at 100, none takes much longer.
    package static let alphas = 0.1...100.0

    /// The accepted times between two versions, in s: from some frames to a day.
    package static let changes = 0.1...86_400.0
    /// The accepted lifetimes of answers, in s: up to a day.
    package static let ages = 0...86_400

    /// Reads a share, such as `0.005` or `0.5%`.
    ///
    /// - Throws: ``LoadError/Kind/invalidRequest`` if the text is not a share.
    package static func share(parsing text: String) throws(LoadError) -> Double {
      let share = text.last == "%" ? Double(text.dropLast()).map { $0 / 100 } : Double(text)
      guard let share, (0...1).contains(share) else {
        throw LoadError(.invalidRequest, "'\(text)' is not a share from 0 to 1; write one such as 0.02 or 2%")
      }
      return share
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case fail, revalidate
      case slowTail = "slow_tail"
      case change = "change_s"
      case maxAge = "max_age_s"
      case staleWhileRevalidate = "stale_while_revalidate_s"
    }

    /// Decodes the present fields; missing ones have their defaults.
    package init(from decoder: any Decoder) throws {
      let fields = try ScenarioFields<CodingKeys>(decoder)
      fail = try fields.value(.fail) ?? fail
      revalidate = try fields.value(.revalidate) ?? revalidate
      change = try fields.value(.change)
      maxAge = try fields.value(.maxAge) ?? maxAge
      staleWhileRevalidate = try fields.value(.staleWhileRevalidate) ?? staleWhileRevalidate
      if let tail = try fields.fields(.slowTail, SlowTail.Keys.self) {
        // 2 % of the answers; one in 32 of them takes at least ten times longer (assumed).
        slowTail = SlowTail(alpha: try tail.value(.alpha) ?? 1.5, share: try tail.value(.share) ?? 0.02)
      }
    }

    /// Encodes the format that ``init(from:)`` decodes.
    package func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(fail, forKey: .fail)
      try container.encode(revalidate, forKey: .revalidate)
      try container.encodeIfPresent(change, forKey: .change)
      try container.encode(maxAge, forKey: .maxAge)
      try container.encode(staleWhileRevalidate, forKey: .staleWhileRevalidate)
      guard let slowTail else { return }
      var tail = container.nestedContainer(keyedBy: SlowTail.Keys.self, forKey: .slowTail)
      try tail.encode(slowTail.alpha, forKey: .alpha)
      try tail.encode(slowTail.share, forKey: .share)
    }

    func check(in time: Time, _ decoding: Decoding.Mode) throws(LoadError) {
      try ScenarioField.check(fail, "origin.fail", within: 0...1)
      try ScenarioField.check(revalidate, "origin.revalidate", within: 0...1)
      try ScenarioField.check(maxAge, "origin.max_age_s", within: Self.ages)
      try ScenarioField.check(
        staleWhileRevalidate, "origin.stale_while_revalidate_s", within: Self.ages)
      if let change {
        try ScenarioField.check(change, "origin.change_s", within: Self.changes)
        guard time == .virtual, decoding == .model else {
          throw ScenarioField.error(
            "origin.change_s",
            "pixels do not show the version of an image; use virtual time and the decoding mode model")
        }
      }
      guard let slowTail else { return }
      try ScenarioField.check(slowTail.alpha, "origin.slow_tail.alpha", within: Self.alphas)
      try ScenarioField.check(slowTail.share, "origin.slow_tail.share", within: 0...1)
    }
  }
}
