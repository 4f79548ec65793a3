internal import Cellophane

/// Something that happens to an app at a certain time.
public struct ScheduledEvent: Sendable, Hashable, Codable {
  /// What happens.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The system is short of memory: the app empties its memory cache, as it is asked to. What is on the screen stays.
    case memoryWarning = "memory_warning"
    /// The screen is turned by a quarter, at first from how the scenario has it and then back: the list is laid out
    /// anew, and every picture is asked for at its new size.
    case rotation
  }

  /// When, from the beginning of the scroll.
  public var time: Duration
  /// What.
  public var kind: Kind

  /// `kind` at `time`.
  public init(_ kind: Kind, at time: Duration) {
    self.kind = kind
    self.time = time
  }

  /// The most events that can be played: more than one a minute for a day.
  public static let mostEvents = 2_000

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case kind
    case time = "at_s"
  }

  /// Reads a time and a kind; neither has a default.
  public init(from decoder: any Decoder) throws {
    let fields = try ScenarioFields<CodingKeys>(decoder)
    guard let seconds = try fields.value(.time, Double.self) else {
      throw fields.refused(.time, "is missing")
    }
    guard let kind: Kind = try fields.choice(.kind) else { throw fields.refused(.kind, "is missing") }
    // A day, the longest run; also far from overflow.
    guard (0...86_400).contains(seconds) else {
      throw fields.refused(.time, "\(seconds) is not in 0...86400")
    }
    self.init(kind, at: .roundedSeconds(seconds))
  }

  /// Writes what ``init(from:)`` reads.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(time.seconds, forKey: .time)
    try container.encode(kind.rawValue, forKey: .kind)
  }

  static func check(_ events: [ScheduledEvent]) throws(LoadError) {
    guard events.count <= mostEvents else {
      throw ScenarioField.refused("events", "\(events.count) are more than \(mostEvents)")
    }
    for (index, event) in events.enumerated() where event.time < .zero || event.time > .seconds(86_400) {
      throw ScenarioField.refused("events[\(index)].at_s", "\(event.time.seconds) is not in 0...86400")
    }
  }
}
