internal import Cellophane

/// An event at a time of the run.
package struct ScheduledEvent: Sendable, Hashable, Codable {
  /// The kind of an event.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A memory warning of the system. The app empties its memory cache; the visible images stay.
    case memoryWarning = "memory_warning"
    /// A rotation of the screen by a quarter turn: the first from the scenario's orientation, the next one
    /// back. The list gets a new layout, and all images are requested at their new sizes.
    case rotation
  }

  /// The time since the start of the scroll.
  package var time: Duration
  /// The kind of the event.
  package var kind: Kind

  /// Creates an event.
  package init(_ kind: Kind, at time: Duration) {
    self.kind = kind
    self.time = time
  }

  /// The maximum number of events: more than one per minute for a day.
  package static let maxEvents = 2_000

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case kind
    case time = "at_s"
  }

  /// Decodes a time and a kind, both required.
  package init(from decoder: any Decoder) throws {
    let fields = try ScenarioFields<CodingKeys>(decoder)
    guard let seconds = try fields.value(.time, Double.self) else {
      throw fields.error(.time, "is missing")
    }
    guard let kind: Kind = try fields.choice(.kind) else { throw fields.error(.kind, "is missing") }
    // A day: the longest run, and far from overflow.
    guard (0...86_400).contains(seconds) else {
      throw fields.error(.time, ScenarioField.rangeReason(0...86_400, not: seconds))
    }
    self.init(kind, at: .roundedSeconds(seconds))
  }

  /// Encodes the format that ``init(from:)`` decodes.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(time.seconds, forKey: .time)
    try container.encode(kind.rawValue, forKey: .kind)
  }

  static func check(_ events: [ScheduledEvent]) throws(LoadError) {
    guard events.count <= maxEvents else {
      throw ScenarioField.error("events", "\(events.count) events exceed the maximum of \(maxEvents)")
    }
    for (index, event) in events.enumerated() where event.time < .zero || event.time > .seconds(86_400) {
      throw ScenarioField.error("events[\(index)].at_s", range: 0...86_400, not: event.time.seconds)
    }
  }
}
