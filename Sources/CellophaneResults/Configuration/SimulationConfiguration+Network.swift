internal import Cellophane
public import CellophaneNetwork

extension SimulationConfiguration {
  /// The network between the loaders and the embedded origin.
  public struct Network: Sendable, Hashable, Codable {
    /// The rates, the round trip and the loss of the link.
    public var profile: NetworkProfile
    /// The version of HTTP.
    public var http = HTTPVersion.http1
    /// True if a connection begins with the handshake of TLS 1.3, which costs one more round trip. The
    /// default is true, because almost all image servers use TLS.
    public var tls = true
    /// The median time that the origin takes to answer. 30 ms: Lighthouse's value for an origin that it has
    /// not measured.
    public var think = Duration.milliseconds(30)
    /// The standard deviation of the logarithm of the factor on ``think``. 0.3: two of three answers take 3/4
    /// to 4/3 of the median (assumed).
    public var thinkSigma = 0.3
    /// The maximum number of remaining bytes for which a cancelled HTTP/1.1 transfer is read to its end. Its
    /// connection is then reused; otherwise it closes. 0: libcurl closes it.
    public var drainBytes = 0
    /// The number of hosts over which the images are spread evenly. Each has its own connections.
    public var origins = 1
    /// True if the client resumes the TLS sessions of an earlier run. Over HTTP/3 it then sends its first requests at once
    /// (0-RTT).
    public var isWarm = false
    /// The change of a congestion window while its connection is idle.
    public var idleRestart = IdleRestart.reset

    /// Creates the default network: LTE.
    public init() {
      profile = NetworkProfile.presets.first { $0.name == "wpt-lte" } ?? .unlimited
    }

    /// The accepted numbers of hosts. Pages on more are rare.
    package static let originCounts = 1...64
    /// The accepted think times, in ms: up to a minute, longer than any deadline.
    package static let thinkingTimes = 0.0...60_000.0
    /// The accepted standard deviations. With more, nearly all answers are immediate or never arrive.
    package static let sigmas = 0.0...5.0
    /// The size of the largest body of the modeled network, in bytes. 1 GiB: its remaining amount fits 64 bits,
    /// and no image is as large.
    package static let maxBody = 1 << 30
    /// The size of a request, in bytes: the request line and the few fields of an image request (assumed).
    package static let requestSize = 150
    /// The accepted values of ``drainBytes``: up to the largest body.
    package static let drainLimits = 0...maxBody

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case preset, loss, queue, http, tls, trace, origins
      case isWarm = "warm"
      case down = "down_kbps"
      case up = "up_kbps"
      case roundTrip = "rtt_ms"
      case wake = "wake_ms"
      case sleep = "sleep_ms"
      case think = "think_ms"
      case thinkSigma = "think_sigma"
      case drainBytes = "drain_bytes"
      case idleRestart = "idle_restart"

      /// The fields of the link.
      static let link = [CodingKeys.down, .up, .roundTrip, .loss, .queue, .wake, .sleep]

      /// The field's name in the text of a profile.
      var word: String {
        switch self {
        case .down: "down"
        case .up: "up"
        case .roundTrip: "rtt"
        case .wake: "wake"
        case .sleep: "sleep"
        default: rawValue
        }
      }
    }

    /// Decodes the present fields. Missing fields of the link have the values of `preset`, others have their defaults.
    public init(from decoder: any Decoder) throws {
      let fields = try ScenarioFields<CodingKeys>(decoder)
      profile = try Self.profile(from: fields)
      http = try fields.value(.http, HTTPVersion.self) ?? http
      tls = try fields.value(.tls) ?? tls
      think = try fields.duration(.think) ?? think
      thinkSigma = try fields.value(.thinkSigma) ?? thinkSigma
      drainBytes = try fields.value(.drainBytes) ?? drainBytes
      origins = try fields.value(.origins) ?? origins
      isWarm = try fields.value(.isWarm) ?? isWarm
      idleRestart = try fields.choice(.idleRestart) ?? idleRestart
    }

    private static func profile(from fields: ScenarioFields<CodingKeys>) throws -> NetworkProfile {
      var preset = try fields.parsed(.preset) { try NetworkProfile(parsing: $0) } ?? Self().profile
      let schedule = try fields.value(.trace, RateSchedule.self)
      if let schedule {
        if !preset.needsTrace {
          (preset.variation, preset.downBitsPerSecond) = (.trace(file: nil, nil), nil)
        }
        preset = preset.reading(schedule)
      }
      var words: [String] = []
      for key in CodingKeys.link {
        guard let value = try Self.text(of: key, in: fields) else { continue }
        let word = "\(key.word)=\(value)"
        let probe = key == .sleep ? "wake=0,\(word)" : word
        do { _ = try NetworkProfile(parsing: probe) } catch { throw fields.error(key, error.message) }
        words.append(word)
      }
      // The preset provides the values without a field.
      for (key, word) in zip(CodingKeys.link, preset.words) {
        if let word, !words.contains(where: { $0.hasPrefix(key.word) }) { words.append(word) }
      }
      words = (preset.variationText.map { [$0] } ?? []) + words
      var profile: NetworkProfile
      do {
        profile = try NetworkProfile(parsing: words.isEmpty ? preset.name : words.joined(separator: ","))
      } catch {
        // Only this field depends on another one.
        throw fields.error(.sleep, error.message)
      }
      if let schedule { profile = profile.reading(schedule) }
      return profile.words == preset.words && profile.variationText == preset.variationText ? preset : profile
    }

    /// Returns the value of a field of the link as text; nil if absent.
    private static func text(of key: CodingKeys, in fields: ScenarioFields<CodingKeys>) throws -> String? {
      if key == .queue, let text = try? fields.value(key, String.self) { return text }
      return try fields.value(key, Double.self).map { "\($0)" }
    }

    /// Encodes the format that ``init(from:)`` decodes. The settings of special networks are left out if they have their
    /// defaults.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(parsableProfile.name, forKey: .preset)
      try container.encode(profile.downBitsPerSecond.map { Double($0) / 1000 }, forKey: .down)
      try container.encode(profile.upBitsPerSecond.map { Double($0) / 1000 }, forKey: .up)
      try container.encode(profile.roundTrip.milliseconds, forKey: .roundTrip)
      try container.encode(profile.loss, forKey: .loss)
      switch profile.queue {
      case .dropTail(let time): try container.encode(time.milliseconds, forKey: .queue)
      case .codel: try container.encode("codel", forKey: .queue)
      case nil: break
      }
      if let radio = profile.wakeUp {
        try container.encode(radio.delay.milliseconds, forKey: .wake)
        try container.encode(radio.idleTime.milliseconds, forKey: .sleep)
      }
      if case .trace(_, let schedule?) = profile.variation { try container.encode(schedule, forKey: .trace) }
      try container.encode(http, forKey: .http)
      try container.encode(tls, forKey: .tls)
      try container.encode(think.milliseconds, forKey: .think)
      try container.encode(thinkSigma, forKey: .thinkSigma)
      try container.encode(drainBytes, forKey: .drainBytes)
      if origins != 1 { try container.encode(origins, forKey: .origins) }
      if isWarm { try container.encode(isWarm, forKey: .isWarm) }
      if idleRestart != .reset { try container.encode(idleRestart.rawValue, forKey: .idleRestart) }
    }

    /// The same link under a name that ``NetworkProfile/init(parsing:)`` reads.
    var parsableProfile: NetworkProfile {
      if let named = try? NetworkProfile(parsing: profile.name), named.words == profile.words,
        named.variationText == profile.variationText
      {
        return profile
      }
      let words = ([profile.variationText] + profile.words).compactMap { $0 }
      guard var parsed = try? NetworkProfile(parsing: words.joined(separator: ",")) else { return profile }
      if case .trace(_, let schedule?) = profile.variation { parsed = parsed.reading(schedule) }
      return parsed
    }
  }
}

extension NetworkProfile {
  /// The rates, the round trip and the loss in the format of ``init(parsing:)``; nil for an unlimited rate, for the
  /// mean rate of a trace, or for no loss.
  fileprivate var words: [String?] {
    [
      isAsTraced ? nil : downBitsPerSecond.map { "down=\(Double($0) / 1000)" },
      upBitsPerSecond.map { "up=\(Double($0) / 1000)" },
      "rtt=\(roundTrip.milliseconds)", loss > 0 ? "loss=\(loss)" : nil,
      queue.map { "queue=\($0.text)" },
      wakeUp.map { "wake=\($0.delay.milliseconds)" }, wakeUp.map { "sleep=\($0.idleTime.milliseconds)" },
    ]
  }

  /// True if the mean rate is that of the trace.
  private var isAsTraced: Bool {
    guard case .trace(_, let schedule?) = variation else { return false }
    return downBitsPerSecond.map(Int64.init) == schedule.mean
  }
}
