package import Cellophane

/// A scenario that a ``Simulation`` plays. In JSON (``init(scenario:time:otherwise:)``) it is an object of
/// sections, in which every field is optional. A result contains it as `config`, with derived values. The
/// defaults show the difference between the loaders: each scrolls for a minute in virtual time, or for 15 s
/// in real time.
public struct SimulationConfiguration: Sendable, Hashable {
  /// The passage of time.
  public enum Time: String, Sendable, CaseIterable {
    /// As fast as the machine computes, with models of the network and of decoding. A run is reproducible.
    case virtual
    /// By the clock, with the sockets, files and decoders of this machine.
    case real

    /// The default duration of a scroll.
    var duration: Duration { self == .virtual ? .seconds(60) : .seconds(15) }
  }

  /// The passage of time.
  public package(set) var time: Time
  /// The rows and their images.
  public var list = List()
  /// The visible part of the list.
  public var viewport = Viewport()
  /// The viewer's gestures and the scroll physics.
  public var gesture = Gesture()
  /// The network between the loaders and the embedded origin. Ignored for the user's images.
  public var network = Network()
  /// The behavior of the origin of generated images.
  package var origin = Origin()
  /// The caches.
  public var cache = Cache()
  /// The configuration of the loader.
  public var loader = Loader()
  /// The costs of decoding in virtual time. Ignored in real time, where images are decoded.
  package var decoding = Decoding()
  /// The events during a run, in any order.
  package var events: [ScheduledEvent] = []
  /// The duration of the scroll, for each loader.
  public var duration: Duration
  /// The seed of all random draws.
  public var seed: UInt64 = 1
  /// The number of replicas. Each has its own seed: ``seed`` and the numbers after it.
  public var replicas: Int
  /// True to compute the metrics ``Metric/foresight0s`` to ``Metric/foresightAll`` too.
  public var foresight = false
  /// The assumptions behind a result and their sources; nil in a configuration that was not played.
  package internal(set) var assumptions: [String]?

  /// Creates the defaults: 20 replicas of 60 s in virtual time, or one of 15 s in real time.
  public init(time: Time = .virtual) {
    self.time = time
    duration = time.duration
    // 20: an interval is then about 5 % wider than with many (the t distribution with 19 degrees of freedom).
    replicas = time == .virtual ? 20 : 1
  }

  /// Returns the accepted durations. In virtual time up to a day, whose gestures take about 30 MB; in real
  /// time up to ten minutes.
  package static func durations(in time: Time) -> ClosedRange<Duration> {
    .milliseconds(100) ... .seconds(time == .virtual ? 86_400 : 600)
  }
  /// The longest duration with ``foresight``: up to it, the slices of the oracle are short enough for a planner.
  package static let longestForesight = Duration.seconds(60)
  /// The accepted numbers of replicas.
  package static let replicaCounts = 1...1_000

  /// Checks all values; returns the layout of the list.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` with the path of the first field that cannot be played.
  package func checkedLayout() throws(LoadError) -> ListLayout {
    // First, because the smallest image depends on the density.
    try viewport.check()
    try list.check(in: time, decoding.mode, density: viewport.density)
    try checkSections()
    let layout = try list.layout(in: viewport, seed: seed)
    try checkRotation()
    return layout
  }

  /// The number of hosts from which the images are loaded.
  package var hostCount: Int { list.listed?.hostCount ?? network.origins }

  /// Returns the index of the host of `picture`, below ``hostCount``.
  package func host(of picture: Int) -> Int {
    list.listed?.host(of: picture) ?? picture % network.origins
  }

  /// Checks all sections except the list and the viewport.
  func checkSections(asPlayed: Bool = false) throws(LoadError) {
    try gesture.check(asPlayed: asPlayed)
    if !list.isOwn { try network.check(in: time) }
    if list.listed != nil, network.origins != 1 {
      throw ScenarioField.error("network.origins", "the URLs of the list name its hosts; leave it out")
    }
    try origin.check(in: time, decoding.mode)
    try cache.check()
    try loader.check(decoding.mode)
    try decoding.check()
    let durations = Self.durations(in: time)
    guard durations.contains(duration) else {
      let most = durations.upperBound.components.seconds * 1_000
      throw ScenarioField.error("duration_ms", range: 100...most, not: duration.milliseconds)
    }
    if foresight {
      if list.isOwn {
        throw ScenarioField.error(
          "foresight", "does nothing for images of your own in real time; leave it out")
      }
      if duration > Self.longestForesight {
        throw ScenarioField.error(
          "foresight", "needs a duration of at most one minute; shorten duration_ms (--duration)")
      }
    }
    try ScheduledEvent.check(events)
    try ScenarioField.check(replicas, "replicas", within: Self.replicaCounts)
  }
}
