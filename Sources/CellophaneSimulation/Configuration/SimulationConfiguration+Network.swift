internal import Cellophane
public import CellophaneTesting

extension SimulationConfiguration {
  /// The line between the loaders and the embedded origin.
  public struct Network: Sendable, Hashable, Codable {
    /// The line.
    public var profile: NetworkProfile
    /// The version of HTTP: 1, with a connection for each exchange that goes on, or 2, with one for all.
    public var http = 1
    /// Whether a connection begins with the handshake of TLS 1.3 too, one more round trip. As everywhere by now.
    public var tls = true
    /// How long the origin thinks before half of its answers. 30 ms: what Lighthouse takes for an origin that it knows
    /// nothing of.
    public var think = Duration.milliseconds(30)
    /// The standard deviation of the logarithm of the factor on ``think``. 0.3: two answers of three take from 3/4 to
    /// 4/3 of the median (assumed).
    public var thinkSigma = 0.3
    /// Over HTTP/1.1, a transfer that is given up with at most so many bytes to come is read to its end, and its
    /// connection used again, instead of closed. 0: libcurl closes.
    public var drainBytes = 0

    /// The line that is taken unless another is given: LTE.
    public init() {
      profile = NetworkProfile.presets.first { $0.name == "wpt-lte" } ?? .unlimited
    }

    /// The versions of HTTP that can be played.
    public static let versions = 1...2
    /// The thinking that can be played, in ms: up to a minute, longer than any deadline.
    public static let thinkingTimes = 0.0...60_000.0
    /// The deviations that can be played: beyond, nearly all answers are instant or never come.
    public static let sigmas = 0.0...5.0
    /// The bytes that can be drained: up to the largest body.
    public static let drainLimits = 0...FlowTerms.largestBody

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case preset, loss, http, tls
      case down = "down_kbps"
      case up = "up_kbps"
      case roundTrip = "rtt_ms"
      case think = "think_ms"
      case thinkSigma = "think_sigma"
      case drainBytes = "drain_bytes"

      /// Those of the line.
      static let line = [CodingKeys.down, .up, .roundTrip, .loss]

      /// What a profile's text calls it.
      var word: String {
        switch self {
        case .down: "down"
        case .up: "up"
        case .roundTrip: "rtt"
        default: rawValue
        }
      }
    }

    /// Reads the fields that are there; `preset` has the others.
    public init(from decoder: any Decoder) throws {
      let fields = try ScenarioFields<CodingKeys>(decoder)
      let preset = try fields.parsed(.preset) { try NetworkProfile(parsing: $0) } ?? Self().profile
      var words: [String] = []
      for key in CodingKeys.line {
        guard let value = try fields.value(key, Double.self) else { continue }
        let word = "\(key.word)=\(value)"
        do { _ = try NetworkProfile(parsing: word) } catch { throw fields.refused(key, error.message) }
        words.append(word)
      }
      // Later words are the field's, so the preset's come only for what no field names.
      for (key, word) in zip(CodingKeys.line, preset.words) {
        if let word, !words.contains(where: { $0.hasPrefix(key.word) }) { words.append(word) }
      }
      let profile = try NetworkProfile(parsing: words.isEmpty ? preset.name : words.joined(separator: ","))
      self.profile = profile.words == preset.words ? preset : profile
      http = try fields.value(.http) ?? http
      tls = try fields.value(.tls) ?? tls
      think = try fields.duration(.think) ?? think
      thinkSigma = try fields.value(.thinkSigma) ?? thinkSigma
      drainBytes = try fields.value(.drainBytes) ?? drainBytes
    }

    /// Writes what ``init(from:)`` reads.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(spelled.name, forKey: .preset)
      try container.encode(profile.downBitsPerSecond.map { Double($0) / 1000 }, forKey: .down)
      try container.encode(profile.upBitsPerSecond.map { Double($0) / 1000 }, forKey: .up)
      try container.encode(profile.roundTrip.milliseconds, forKey: .roundTrip)
      try container.encode(profile.loss, forKey: .loss)
      try container.encode(http, forKey: .http)
      try container.encode(tls, forKey: .tls)
      try container.encode(think.milliseconds, forKey: .think)
      try container.encode(thinkSigma, forKey: .thinkSigma)
      try container.encode(drainBytes, forKey: .drainBytes)
    }

    func check(in time: Time) throws(LoadError) {
      try ScenarioField.check(http, "network.http", within: Self.versions)
      try ScenarioField.check(think.milliseconds, "network.think_ms", within: Self.thinkingTimes)
      try ScenarioField.check(thinkSigma, "network.think_sigma", within: Self.sigmas)
      try ScenarioField.check(drainBytes, "network.drain_bytes", within: Self.drainLimits)
      guard time == .real else { return }
      if http != 1 {
        throw ScenarioField.refused(
          "network.http", "in real time the embedded origin speaks HTTP/1.1; take 1, or virtual time")
      }
      if profile.loss > 0 {
        throw ScenarioField.refused(
          "network.loss", "in real time nothing can be lost on loopback; take 0, or virtual time")
      }
      if drainBytes > 0 {
        throw ScenarioField.refused(
          "network.drain_bytes", "in real time libcurl closes connections; take 0, or virtual time")
      }
    }

    /// What a transport models of it.
    ///
    /// - Parameter connections: The most connections at once over HTTP/1.1; nil for as many as are asked for.
    func line(connections: Int?, seed: UInt64) -> ModelledLine {
      ModelledLine(
        profile: profile, sharing: http == 2 ? .http2 : .http1(limit: connections), usesTLS: tls,
        think: ThinkTime(median: think, sigma: thinkSigma), drainedBytes: drainBytes, seed: seed)
    }

    /// The same line by a name that ``NetworkProfile/init(parsing:)`` understands.
    var spelled: NetworkProfile {
      if let named = try? NetworkProfile(parsing: profile.name), named.words == profile.words {
        return profile
      }
      let words = profile.words.compactMap { $0 }
      return (try? NetworkProfile(parsing: words.joined(separator: ","))) ?? profile
    }
  }
}

extension NetworkProfile {
  /// The rates, the round trip and the loss as ``init(parsing:)`` reads them; nil for a rate without limit.
  fileprivate var words: [String?] {
    [
      downBitsPerSecond.map { "down=\(Double($0) / 1000)" },
      upBitsPerSecond.map { "up=\(Double($0) / 1000)" },
      "rtt=\(roundTrip.milliseconds)", loss > 0 ? "loss=\(loss)" : nil,
    ]
  }
}
