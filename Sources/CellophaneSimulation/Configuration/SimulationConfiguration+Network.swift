internal import Cellophane
public import CellophaneTesting

extension SimulationConfiguration {
  /// The line between the loaders and the embedded origin.
  public struct Network: Sendable, Hashable, Codable {
    /// The line.
    public var profile: NetworkProfile

    /// The line that is taken unless another is given: LTE.
    public init() {
      profile = NetworkProfile.presets.first { $0.name == "wpt-lte" } ?? .unlimited
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case preset
      case down = "down_kbps"
      case up = "up_kbps"
      case roundTrip = "rtt_ms"

      /// What a profile's text calls it.
      var word: String {
        switch self {
        case .preset: "preset"
        case .down: "down"
        case .up: "up"
        case .roundTrip: "rtt"
        }
      }
    }

    /// Reads the fields that are there; `preset` has the others.
    public init(from decoder: any Decoder) throws {
      let fields = try ScenarioFields<CodingKeys>(decoder)
      let preset = try fields.parsed(.preset) { try NetworkProfile(parsing: $0) } ?? Self().profile
      var words: [String] = []
      for key in [CodingKeys.down, .up, .roundTrip] {
        guard let value = try fields.value(key, Double.self) else { continue }
        let word = "\(key.word)=\(value)"
        do { _ = try NetworkProfile(parsing: word) } catch { throw fields.refused(key, error.message) }
        words.append(word)
      }
      // Later words are the field's, so the preset's come only for what no field names.
      for (key, word) in zip([CodingKeys.down, .up, .roundTrip], preset.words) {
        if let word, !words.contains(where: { $0.hasPrefix(key.word) }) { words.append(word) }
      }
      let profile = try NetworkProfile(parsing: words.isEmpty ? preset.name : words.joined(separator: ","))
      self.profile = profile.words == preset.words ? preset : profile
    }

    /// Writes what ``init(from:)`` reads.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(spelled.name, forKey: .preset)
      try container.encode(profile.downBitsPerSecond.map { Double($0) / 1000 }, forKey: .down)
      try container.encode(profile.upBitsPerSecond.map { Double($0) / 1000 }, forKey: .up)
      try container.encode(profile.roundTrip.milliseconds, forKey: .roundTrip)
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
  /// The rates and the round trip as ``init(parsing:)`` reads them; nil for a rate without limit.
  fileprivate var words: [String?] {
    [
      downBitsPerSecond.map { "down=\(Double($0) / 1000)" },
      upBitsPerSecond.map { "up=\(Double($0) / 1000)" },
      "rtt=\(roundTrip.milliseconds)",
    ]
  }
}
