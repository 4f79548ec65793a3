internal import Cellophane

/// What a ``Simulation`` plays: a scenario. As JSON (``init(scenario:time:)``) it is an object of sections, in which
/// every field may be left out; a result repeats it under `config`, completed by what follows from it. The defaults
/// show the difference between the loaders: in virtual time a minute of scrolling, in real time 15 s, for each.
public struct SimulationConfiguration: Sendable, Hashable {
  /// How time passes.
  public enum Time: String, Sendable, CaseIterable {
    /// As fast as it can be computed, by a model of the line and of decoding, and the same each time.
    case virtual
    /// By the clock, with sockets, files and decoding of this machine.
    case real

    /// How long a list is scrolled by default.
    var duration: Duration { self == .virtual ? .seconds(60) : .seconds(15) }
  }

  /// How time passes.
  public internal(set) var time: Time
  /// The rows and their pictures.
  public var list = List()
  /// The visible part.
  public var viewport = Viewport()
  /// Who scrolls, and how the list moves.
  public var gesture = Gesture()
  /// The line between the loaders and the embedded origin; without meaning for pictures of the user's.
  public var network = Network()
  /// What the origin of generated pictures does beside answering.
  public var origin = Origin()
  /// The caches.
  public var cache = Cache()
  /// How the loader is used.
  public var loader = Loader()
  /// What decoding takes in virtual time; without meaning in real time, where pictures are decoded.
  public var decoding = Decoding()
  /// What happens beside scrolling, in any order.
  public var events: [ScheduledEvent] = []
  /// How long the list is scrolled, for each loader.
  public var duration: Duration
  /// What every random draw depends on.
  public var seed: UInt64 = 1
  /// How many times it is played, each with a seed of its own: ``seed`` and those after it.
  public var replicas: Int
  /// The numbers behind a result, and where they come from; nil in what is to be played.
  public internal(set) var assumptions: [String]?

  /// The defaults: 20 times 60 s in virtual time, once 15 s in real time.
  public init(time: Time = .virtual) {
    self.time = time
    duration = time.duration
    // Twenty: an interval is then some 5 % wider than of many (the t distribution with 19 degrees of freedom).
    replicas = time == .virtual ? 20 : 1
  }

  /// The durations that can be played: in virtual time up to a day, of which the gestures take some 30 MB; in real time
  /// up to ten minutes, longer than anybody waits.
  public static func durations(in time: Time) -> ClosedRange<Duration> {
    .milliseconds(100) ... .seconds(time == .virtual ? 86_400 : 600)
  }
  /// The numbers of times that a configuration can be played.
  public static let replicaCounts = 1...1_000

  /// The list that this describes.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` with the path of the first field that cannot be played.
  func checkedLayout() throws(LoadError) -> ListLayout {
    try list.check(in: time, decoding.mode)
    try checkSections()
    let layout = try list.layout(in: viewport, seed: seed)
    try checkRotation()
    return layout
  }

  /// Everything but the list.
  func checkSections(asPlayed: Bool = false) throws(LoadError) {
    try viewport.check()
    try gesture.check(asPlayed: asPlayed)
    if !list.isOwn { try network.check(in: time) }
    try origin.check(in: time, decoding.mode)
    try cache.check()
    try loader.check(decoding.mode)
    try decoding.check()
    let durations = Self.durations(in: time)
    guard durations.contains(duration) else {
      let most = durations.upperBound.components.seconds * 1_000
      throw ScenarioField.refused("duration_ms", "\(duration.milliseconds) is not in 100...\(most)")
    }
    try ScheduledEvent.check(events)
    try ScenarioField.check(replicas, "replicas", within: Self.replicaCounts)
  }
}
