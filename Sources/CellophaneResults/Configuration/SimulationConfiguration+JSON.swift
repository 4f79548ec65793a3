public import Cellophane

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension SimulationConfiguration {
  /// Decodes a scenario.
  ///
  /// - Parameters:
  ///   - time: The passage of time, which overrides `json`; nil to use the value in `json`.
  ///   - fallback: The passage of time if `json` does not contain it.
  /// - Throws: ``LoadError/Kind/invalidRequest`` with the path of the first field that is unknown, repeated
  ///   or of the wrong type. ``Simulation/init(_:timeline:)`` checks the values.
  public init(
    scenario json: [UInt8], time: Time? = nil, otherwise fallback: Time = .virtual
  ) throws(LoadError) {
    try self.init(json, time: time, otherwise: fallback) { decoder throws in
      try decoder.decode(Scenario.self, from: Data(json))
    }
  }

  /// Decodes the settings in a result of one run.
  ///
  /// - Throws: The errors of ``init(scenario:time:otherwise:)``.
  init(settingsOf result: [UInt8], time: Time?, otherwise fallback: Time) throws(LoadError) {
    try self.init(result, time: time, otherwise: fallback) { decoder throws in
      let played = try decoder.decode(PlayedScenario.self, from: Data(result))
      guard let config = played.config else { throw ScenarioField.error("", "is a result without config") }
      return config
    }
    self = asPlayed
  }

  private init(
    _ json: [UInt8], time: Time?, otherwise fallback: Time, _ decode: (JSONDecoder) throws -> Scenario
  ) throws(LoadError) {
    do {
      self.init(try decode(JSONDecoder()), time: time, otherwise: fallback)
    } catch let error as LoadError {
      throw error
    } catch {
      throw ScenarioField.error("", "is not JSON")
    }
    if let path = JSONWalk.repeatedKey(in: json) {
      throw ScenarioField.error(path, "occurs twice; remove one of them")
    }
  }

  /// Returns all settings as a scenario, without derived values: JSON on one line with sorted keys.
  public func scenario() throws -> [UInt8] { try JSONText.line(asPlayed) }

  /// The configuration without the values that only a result has.
  var asPlayed: SimulationConfiguration {
    var configuration = self
    configuration.list.meanBytes = nil
    configuration.viewport.slots = nil
    configuration.assumptions = nil
    return configuration
  }

  private init(_ scenario: Scenario, time: Time?, otherwise fallback: Time) {
    self.init(time: time ?? scenario.time ?? fallback)
    list = scenario.list ?? list
    viewport = scenario.viewport ?? viewport
    gesture = scenario.gesture ?? gesture
    network = scenario.network ?? network
    origin = scenario.origin ?? origin
    cache = scenario.cache ?? cache
    loader = scenario.loader ?? loader
    decoding = scenario.decoding ?? decoding
    events = scenario.events ?? events
    duration = scenario.duration ?? duration
    seed = scenario.seed ?? seed
    replicas = scenario.replicas ?? replicas
    foresight = scenario.foresight ?? foresight
    assumptions = scenario.assumptions
  }
}

extension SimulationConfiguration: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case time, list, viewport, gesture, network, origin, cache, loader, decoding, events, seed, replicas,
      foresight, assumptions
    case duration = "duration_ms"
  }

  /// The field of a result that has the settings of its run.
  private struct PlayedScenario: Decodable { let config: Scenario? }

  /// The fields of a scenario; nil if missing.
  private struct Scenario: Decodable {
    let time: Time?
    let list: List?
    let viewport: Viewport?
    let gesture: Gesture?
    let network: Network?
    let origin: Origin?
    let cache: Cache?
    let loader: Loader?
    let decoding: Decoding?
    let events: [ScheduledEvent]?
    let duration: Duration?
    let seed: UInt64?
    let replicas: Int?
    let foresight: Bool?
    let assumptions: [String]?

    package init(from decoder: any Decoder) throws {
      let fields = try ScenarioFields<CodingKeys>(decoder)
      time = try fields.choice(.time)
      list = try fields.value(.list)
      viewport = try fields.value(.viewport)
      gesture = try fields.value(.gesture)
      network = try fields.value(.network)
      origin = try fields.value(.origin)
      cache = try fields.value(.cache)
      loader = try fields.value(.loader)
      decoding = try fields.value(.decoding)
      events = try fields.value(.events)
      duration = try fields.duration(.duration, from: 100)
      seed = try fields.value(.seed)
      replicas = try fields.value(.replicas)
      foresight = try fields.value(.foresight)
      assumptions = try fields.value(.assumptions)
    }
  }

  /// Decodes the present fields; missing ones have their defaults.
  public init(from decoder: any Decoder) throws {
    self.init(try Scenario(from: decoder), time: nil, otherwise: .virtual)
  }

  /// Encodes the format that ``init(from:)`` decodes, without sections that do not apply.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(time.rawValue, forKey: .time)
    try container.encode(list, forKey: .list)
    try container.encode(viewport, forKey: .viewport)
    try container.encode(gesture, forKey: .gesture)
    if !list.isOwn {
      try container.encode(network, forKey: .network)
      try container.encode(origin, forKey: .origin)
    }
    try container.encode(cache, forKey: .cache)
    try container.encode(loader, forKey: .loader)
    if time == .virtual { try container.encode(decoding, forKey: .decoding) }
    if !events.isEmpty { try container.encode(events, forKey: .events) }
    try container.encode(duration.milliseconds, forKey: .duration)
    try container.encode(seed, forKey: .seed)
    try container.encode(replicas, forKey: .replicas)
    if foresight { try container.encode(foresight, forKey: .foresight) }
    try container.encodeIfPresent(assumptions, forKey: .assumptions)
  }
}
