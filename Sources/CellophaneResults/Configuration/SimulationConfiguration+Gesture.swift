public import Cellophane

extension SimulationConfiguration {
  /// The viewer's gestures and the scroll physics.
  public struct Gesture: Sendable, Hashable, Codable {
    /// The scroll profile. A new value sets the gesture parameters to those of the profile.
    public var profile: ScrollProfile { didSet { parameters = profile.gestures } }
    /// The motion of the list after a release.
    public var physics = ScrollPhysics.ios
    /// The gesture parameters; nil for a profile without gestures.
    package var parameters: GestureParameters?

    /// Creates the gestures of `profile`.
    public init(profile: ScrollProfile = .skimmer) {
      self.profile = profile
      parameters = profile.gestures
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case profile, physics, dwell, flick, backward, caught, again, jump
      case catchTime = "catch_time"
      case drag = "drag_px"
      case dragTime = "drag_s"

      /// The fields of the gesture parameters.
      static let gestures: [CodingKeys] = [
        .dwell, .flick, .backward, .caught, .again, .jump, .catchTime, .drag, .dragTime,
      ]
    }

    /// Decodes the present fields; missing ones have the values of the profile.
    public init(from decoder: any Decoder) throws {
      let fields = try ScenarioFields<CodingKeys>(decoder)
      self.init(profile: try fields.parsed(.profile) { try ScrollProfile(parsing: $0) } ?? .skimmer)
      physics = try fields.choice(.physics) ?? physics
      guard var gestures = parameters else {
        for key in CodingKeys.gestures where fields.has(key) {
          throw fields.error(key, "the profile \(profile.name) has no gestures")
        }
        return
      }
      try gestures.dwell.read(fields.fields(.dwell, Lognormal.Keys.self))
      try gestures.flick.read(fields.fields(.flick, Lognormal.Keys.self))
      gestures.backward = try fields.value(.backward) ?? gestures.backward
      gestures.caught = try fields.value(.caught) ?? gestures.caught
      gestures.again = try fields.value(.again) ?? gestures.again
      gestures.jump = try fields.value(.jump) ?? gestures.jump
      if let ends = try fields.value(.catchTime, [Double].self) {
        guard ends.count == 2, ends[0] <= ends[1] else {
          throw fields.error(.catchTime, "must be a range, [FROM, TO]")
        }
        gestures.catchTime = ends[0]...ends[1]
      }
      gestures.drag = try fields.value(.drag) ?? gestures.drag
      gestures.dragTime = try fields.value(.dragTime) ?? gestures.dragTime
      parameters = gestures
    }

    /// Encodes the format that ``init(from:)`` decodes.
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

    /// Checks the values.
    ///
    /// - Parameter asPlayed: True for the configuration of a result, which does not contain the samples of a
    ///   log.
    /// - Throws: ``LoadError/Kind/invalidRequest`` with the path of the first invalid field.
    func check(asPlayed: Bool) throws(LoadError) {
      switch profile {
      case .reader, .browser, .skimmer, .stress: break
      case .constant(let velocity):
        try ScenarioField.check(velocity, "gesture.profile", within: ScrollProfile.velocities)
      case .log(let log):
        guard asPlayed || log.isRead else {
          throw ScenarioField.error("gesture.profile", "the log \(log.name) has not been read")
        }
      }
      guard let gestures = parameters else { return }
      try gestures.dwell.check("gesture.dwell", medians: GestureParameters.dwells)
      try gestures.flick.check("gesture.flick", medians: GestureParameters.flicks)
      let chances = [
        "backward": gestures.backward, "caught": gestures.caught, "again": gestures.again,
        "jump": gestures.jump,
      ]
      for (name, chance) in chances.sorted(by: { $0.key < $1.key }) {
        try ScenarioField.check(chance, "gesture." + name, within: 0...1)
      }
      try ScenarioField.check(gestures.catchTime.lowerBound, "gesture.catch_time[0]", within: 0...1)
      try ScenarioField.check(gestures.catchTime.upperBound, "gesture.catch_time[1]", within: 0...1)
      try ScenarioField.check(gestures.drag, "gesture.drag_px", within: GestureParameters.drags)
      try ScenarioField.check(gestures.dragTime, "gesture.drag_s", within: GestureParameters.dragTimes)
    }
  }
}

extension Lognormal {
  /// The fields in JSON.
  enum Keys: String, CodingKey, CaseIterable {
    case median, sigma
  }

  /// Updates the values from the present fields.
  mutating func read(_ fields: ScenarioFields<Keys>?) throws {
    median = try fields?.value(.median) ?? median
    sigma = try fields?.value(.sigma) ?? sigma
  }

  fileprivate func check(_ path: String, medians: ClosedRange<Double>) throws(LoadError) {
    try ScenarioField.check(median, path + ".median", within: medians)
    try ScenarioField.check(sigma, path + ".sigma", within: Self.sigmas)
  }
}
