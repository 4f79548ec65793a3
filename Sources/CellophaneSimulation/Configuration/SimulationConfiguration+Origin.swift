public import Cellophane

extension SimulationConfiguration {
  /// What the origin of generated pictures does beside answering.
  public struct Origin: Sendable, Hashable, Codable {
    /// Answers that take longer than others.
    public struct SlowTail: Sendable, Hashable {
      /// The exponent of their Pareto distribution: the smaller, the longer they take.
      public var alpha: Double
      /// Their share of all answers, 0...1.
      public var share: Double

      /// So many answers, so much longer.
      public init(alpha: Double, share: Double) {
        self.alpha = alpha
        self.share = share
      }

      /// Reads `pareto:ALPHA,SHARE`, the share as in `0.02` or `2%`.
      ///
      /// - Throws: ``LoadError/Kind/invalidRequest`` when it is nothing of the kind, or out of range.
      public init(parsing text: String) throws(LoadError) {
        let words = text.hasPrefix("pareto:") ? text.dropFirst("pareto:".count).split(separator: ",") : []
        guard words.count == 2, let alpha = Double(words[0]), Origin.alphas.contains(alpha),
          let share = try? Origin.share(parsing: String(words[1]))
        else {
          throw LoadError(
            .invalidRequest,
            "no slow tail '\(text)'; take pareto:ALPHA,SHARE with an alpha in 0.1...100 and a share such as 2%"
          )
        }
        self.init(alpha: alpha, share: share)
      }

      /// What ``init(parsing:)`` reads.
      public var name: String { "pareto:\(alpha),\(share)" }

      fileprivate enum Keys: String, CodingKey, CaseIterable {
        case alpha, share
      }
    }

    /// The share of requests that are answered with 503, 0...1.
    public var fail = 0.0
    /// The answers that take longer: the time to their first byte is so many times the usual one as a Pareto distribution
    /// from 1 on has it. Nil without any.
    public var slowTail: SlowTail?
    /// The share of pictures about which a cache has to ask each time that it needs one (`no-cache`), 0...1. It is told
    /// 304 of those that did not change.
    public var revalidate = 0.0
    /// How many seconds after the other the versions of a picture come; nil where pictures never change. In virtual time
    /// only: the pixels of a picture do not tell its version.
    public var change: Double?
    /// For how many seconds an answer may be kept without asking (`max-age`). A day: longer than any run.
    public var maxAge = 86_400
    /// For how many seconds more it may be shown while its origin is asked (`stale-while-revalidate`).
    public var staleWhileRevalidate = 0

    /// An origin that answers everything at once, for a day.
    public init() {}

    /// The exponents that a slow tail can have: at 0.1 one answer of two takes a thousand times longer, at 100 none
    /// takes much longer.
    public static let alphas = 0.1...100.0

    /// The seconds between two versions that can be played: from some frames to a day.
    public static let changes = 0.1...86_400.0
    /// The seconds that answers can be kept: up to a day, longer than any run.
    public static let ages = 0...86_400

    /// Reads a share, such as `0.005` or `0.5%`.
    ///
    /// - Throws: ``LoadError/Kind/invalidRequest`` when it is none.
    public static func share(parsing text: String) throws(LoadError) -> Double {
      let share = text.last == "%" ? Double(text.dropLast()).map { $0 / 100 } : Double(text)
      guard let share, (0...1).contains(share) else {
        throw LoadError(.invalidRequest, "'\(text)' is no share; take one such as 0.005 or 0.5%")
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

    /// Reads the fields that are there.
    public init(from decoder: any Decoder) throws {
      let fields = try ScenarioFields<CodingKeys>(decoder)
      fail = try fields.value(.fail) ?? fail
      revalidate = try fields.value(.revalidate) ?? revalidate
      change = try fields.value(.change)
      maxAge = try fields.value(.maxAge) ?? maxAge
      staleWhileRevalidate = try fields.value(.staleWhileRevalidate) ?? staleWhileRevalidate
      if let tail = try fields.fields(.slowTail, SlowTail.Keys.self) {
        // Two answers of a hundred, of which one in 32 takes ten times longer (assumed).
        slowTail = SlowTail(alpha: try tail.value(.alpha) ?? 1.5, share: try tail.value(.share) ?? 0.02)
      }
    }

    /// Writes what ``init(from:)`` reads.
    public func encode(to encoder: any Encoder) throws {
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
          throw ScenarioField.refused(
            "origin.change_s", "pixels do not tell versions apart; take virtual time without them")
        }
      }
      guard let slowTail else { return }
      try ScenarioField.check(slowTail.alpha, "origin.slow_tail.alpha", within: Self.alphas)
      try ScenarioField.check(slowTail.share, "origin.slow_tail.share", within: 0...1)
    }
  }
}
