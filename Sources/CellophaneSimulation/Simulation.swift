public import Cellophane

/// Scrolls a list through real loaders and measures what a viewer would have seen: first with a naive loader, then
/// with Cellophane; the same gestures for both. In virtual time, over a model of the line and of decoding, a run takes
/// a moment and is the same each time; in real time it takes its time, over real sockets, a real disk and real decoders.
public struct Simulation: Sendable {
  /// What a simulation is doing.
  public enum Phase: Sendable, Hashable {
    /// The pictures are generated.
    case preparing
    /// The naive loader is measured, for so long.
    case naive(Duration)
    /// Cellophane is measured, for so long.
    case cellophane(Duration)
    /// The pictures that were shown are compared with those that the URLs have.
    case verifying
  }

  /// What is played.
  public let configuration: SimulationConfiguration
  private let layout: ListLayout
  private let trajectory: ScrollTrajectory
  private let timeline: Timeline

  /// A simulation of `configuration`.
  ///
  /// - Parameter timeline: The clock of real time, which also tells how long a virtual run took.
  /// - Throws: ``LoadError/Kind/invalidRequest`` with the first thing that cannot be played.
  public init(_ configuration: SimulationConfiguration, timeline: Timeline = Timeline()) throws(LoadError) {
    self.configuration = configuration
    self.timeline = timeline
    layout = try configuration.checkedLayout()
    trajectory = ScrollTrajectory(
      profile: configuration.gesture.profile, gestures: configuration.gesture.parameters,
      physics: configuration.gesture.physics, limit: layout.longestOffset,
      seed: configuration.seed, lasting: configuration.duration)
  }

  /// Plays it. In real time that takes a little more than twice the configured duration.
  ///
  /// - Parameter onPhase: Called at the beginning of each phase, before it.
  /// - Throws: ``LoadError`` when the embedded origin cannot run or a URL of the configuration is none;
  ///   ``LoadError/cancelled``. Loads that fail are counted, not thrown.
  public func run(
    onPhase: @Sendable (Phase) -> Void = { _ in }
  ) async throws(LoadError) -> SimulationResult {
    switch configuration.time {
    case .virtual: try await runVirtual(onPhase: onPhase)
    case .real: try await runReal(onPhase: onPhase)
    }
  }

  /// The same in virtual time; `disturb` puts something between the loaders and the line.
  func runVirtual(
    onPhase: @Sendable (Phase) -> Void = { _ in }, disturb: (any Transport) -> any Transport = { $0 }
  ) async throws(LoadError) -> SimulationResult {
    let rows = rowsWithinReach
    let pictures = ModelledPictures(size: configuration.list.image, seed: configuration.seed)
    return try await compare(meanBytes: pictures.meanBytes(of: rows), onPhase: onPhase) {
      contender throws(LoadError) in
      try VirtualWorld(
        configuration, layout: layout, rows: rows, connections: contender.connectionsPerHost,
        disturb: disturb)
    } identities: { _ in
      [:]
    }
  }

  private func runReal(onPhase: @Sendable (Phase) -> Void) async throws(LoadError) -> SimulationResult {
    onPhase(.preparing)
    let pictures = try await pictures()
    return try await compare(meanBytes: pictures.meanBytes, onPhase: onPhase) {
      contender throws(LoadError) in
      try RealWorld(
        configuration, layout: layout, pictures: pictures, connectionsPerHost: contender.connectionsPerHost,
        timeline: timeline)
    } identities: { rows throws(LoadError) in
      onPhase(.verifying)
      return try await pictures.identities(of: rows, in: layout)
    }
  }

  /// Runs both loaders, each in a world of its own.
  private func compare<World: TrialWorld>(
    meanBytes: Int?, onPhase: @Sendable (Phase) -> Void,
    makeWorld: (Contender) throws(LoadError) -> World,
    identities: (Set<Int>) async throws(LoadError) -> [Int: PictureIdentity]
  ) async throws(LoadError) -> SimulationResult {
    let start = timeline.now
    func run(_ contender: Contender) async throws(LoadError) -> RunObservation {
      let trial = Trial(
        configuration: configuration, layout: layout, trajectory: trajectory,
        world: try makeWorld(contender))
      return try await trial.run(contender)
    }
    onPhase(.naive(configuration.duration))
    let naive = try await run(.naive)
    onPhase(.cellophane(configuration.duration))
    let cellophane = try await run(.cellophane)
    let identities = try await identities(
      naive.tally.rows.rowsToProve.union(cellophane.tally.rows.rowsToProve))
    return SimulationResult(
      configuration, config: configuration.completed(layout: layout, meanBytes: meanBytes),
      cellophane: cellophane, naive: naive, wall: timeline.now - start
    ) { identities[$0] }
  }

  /// The pictures of every row that comes in, and of those that may be prefetched below.
  private func pictures() async throws(LoadError) -> RowPictures {
    if case .own(let urls, let allowsFiles) = configuration.list.pictures {
      return .own(Array(urls.prefix(layout.rows)), allowsFiles: allowsFiles)
    }
    return .generated(
      try await PictureFiles(
        count: rowsWithinReach, size: configuration.list.image, seed: configuration.seed))
  }

  /// The number of rows, from the first on, that come in or may be prefetched.
  private var rowsWithinReach: Int {
    let frames = Int(configuration.duration.seconds * Double(configuration.viewport.refreshRate)) + 1
    let reach = (0...frames).reduce(0.0) { reach, frame in
      let time = Duration.seconds(frame) / configuration.viewport.refreshRate
      // A fling that is caught would have come farther, and what is there is loaded.
      return max(reach, trajectory.offset(at: time) + (trajectory.fling(at: time)?.distance ?? 0))
    }
    return min(layout.visibleRows(at: reach).upperBound + configuration.loader.prefetch.reach, layout.rows)
  }
}
