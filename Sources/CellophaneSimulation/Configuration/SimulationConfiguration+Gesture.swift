public import Cellophane

extension SimulationConfiguration {
  /// Who scrolls, and how the list moves.
  public struct Gesture: Sendable, Hashable, Codable {
    /// Who scrolls. To change it sets ``parameters`` to the profile's own.
    public var profile: ScrollProfile { didSet { parameters = profile.gestures } }
    /// How the list moves after the finger has left it.
    public var physics = ScrollPhysics.ios
    /// What the fingers do; nil for a profile without fingers.
    public var parameters: GestureParameters?

    /// The gestures of `profile`.
    public init(profile: ScrollProfile = .skimmer) {
      self.profile = profile
      parameters = profile.gestures
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case profile, physics, dwell, flick, backward, caught, again, jump
      case catchTime = "catch_time"
      case drag = "drag_px"
      case dragTime = "drag_s"

      /// Those of the fingers.
      static let ofFingers: [CodingKeys] = [
        .dwell, .flick, .backward, .caught, .again, .jump, .catchTime, .drag, .dragTime,
      ]
    }

    /// Reads the fields that are there; the profile has the others.
    public init(from decoder: any Decoder) throws {
      let fields = try ScenarioFields<CodingKeys>(decoder)
      self.init(profile: try fields.parsed(.profile) { try ScrollProfile(parsing: $0) } ?? .skimmer)
      physics = try fields.choice(.physics) ?? physics
      guard var hand = parameters else {
        for key in CodingKeys.ofFingers where fields.has(key) {
          throw fields.refused(key, "the profile \(profile.name) has no fingers")
        }
        return
      }
      try hand.dwell.read(fields.fields(.dwell, Lognormal.Keys.self))
      try hand.flick.read(fields.fields(.flick, Lognormal.Keys.self))
      hand.backward = try fields.value(.backward) ?? hand.backward
      hand.caught = try fields.value(.caught) ?? hand.caught
      hand.again = try fields.value(.again) ?? hand.again
      hand.jump = try fields.value(.jump) ?? hand.jump
      if let ends = try fields.value(.catchTime, [Double].self) {
        guard ends.count == 2, ends[0] <= ends[1] else {
          throw fields.refused(.catchTime, "must be the ends of a range, [FROM, TO]")
        }
        hand.catchTime = ends[0]...ends[1]
      }
      hand.drag = try fields.value(.drag) ?? hand.drag
      hand.dragTime = try fields.value(.dragTime) ?? hand.dragTime
      parameters = hand
    }

    /// Writes what ``init(from:)`` reads.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(profile.name, forKey: .profile)
      try container.encode(physics.rawValue, forKey: .physics)
      guard let parameters else { return }
      try container.encode(parameters.dwell, forKey: .dwell)
      try container.encode(parameters.flick, forKey: .flick)
      try container.encode(parameters.backward, forKey: .backward)
      try container.encode(parameters.caught, forKey: .caught)
      try container.encode(parameters.again, forKey: .again)
      try container.encode(parameters.jump, forKey: .jump)
      let catchTime = [parameters.catchTime.lowerBound, parameters.catchTime.upperBound]
      try container.encode(catchTime, forKey: .catchTime)
      try container.encode(parameters.drag, forKey: .drag)
      try container.encode(parameters.dragTime, forKey: .dragTime)
    }

    /// - Parameter asPlayed: A recorded scroll may be in its file.
    func check(asPlayed: Bool) throws(LoadError) {
      switch profile {
      case .reader, .browser, .skimmer, .stress: break
      case .constant(let velocity):
        try ScenarioField.check(velocity, "gesture.profile", within: ScrollProfile.velocities)
      case .log(let log):
        guard asPlayed || log.isRead else {
          throw ScenarioField.refused("gesture.profile", "the log \(log.name) has not been read")
        }
      }
      guard let hand = parameters else { return }
      try hand.dwell.check("gesture.dwell", medians: GestureParameters.dwells)
      try hand.flick.check("gesture.flick", medians: GestureParameters.flicks)
      let chances = [
        "backward": hand.backward, "caught": hand.caught, "again": hand.again, "jump": hand.jump,
      ]
      for (name, chance) in chances.sorted(by: { $0.key < $1.key }) {
        try ScenarioField.check(chance, "gesture." + name, within: 0...1)
      }
      try ScenarioField.check(hand.catchTime.lowerBound, "gesture.catch_time[0]", within: 0...1)
      try ScenarioField.check(hand.catchTime.upperBound, "gesture.catch_time[1]", within: 0...1)
      try ScenarioField.check(hand.drag, "gesture.drag_px", within: GestureParameters.drags)
      try ScenarioField.check(hand.dragTime, "gesture.drag_s", within: GestureParameters.dragTimes)
    }
  }
}

extension Lognormal {
  /// The names of its fields.
  enum Keys: String, CodingKey, CaseIterable {
    case median, sigma
  }

  /// Takes over the fields that are there.
  mutating func read(_ fields: ScenarioFields<Keys>?) throws {
    median = try fields?.value(.median) ?? median
    sigma = try fields?.value(.sigma) ?? sigma
  }

  fileprivate func check(_ path: String, medians: ClosedRange<Double>) throws(LoadError) {
    try ScenarioField.check(median, path + ".median", within: medians)
    try ScenarioField.check(sigma, path + ".sigma", within: Self.sigmas)
  }
}
