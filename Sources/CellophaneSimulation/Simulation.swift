public import Cellophane

/// Scrolls a list through real loaders, over real sockets and a real disk, in real time, and measures what a
/// viewer would have seen: first with a naive loader, then with Cellophane; the same gestures for both.
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
  /// - Throws: ``LoadError/Kind/invalidRequest`` with the first thing that cannot be played.
  public init(_ configuration: SimulationConfiguration, timeline: Timeline = Timeline()) throws(LoadError) {
    self.configuration = configuration
    self.timeline = timeline
    layout = try configuration.checkedLayout()
    trajectory = ScrollTrajectory(
      profile: configuration.profile, physics: configuration.physics, limit: layout.longestOffset,
      seed: configuration.seed, lasting: configuration.duration)
  }

  /// Plays it: takes a little more than twice the configured duration.
  ///
  /// - Parameter onPhase: Called at the beginning of each phase, before it.
  /// - Throws: ``LoadError`` when the embedded origin cannot run or a URL of the configuration is none;
  ///   ``LoadError/cancelled``. Loads that fail are counted, not thrown.
  public func run(
    onPhase: @Sendable (Phase) -> Void = { _ in }
  ) async throws(LoadError) -> SimulationResult {
    let start = timeline.now
    onPhase(.preparing)
    let pictures = try await pictures()
    let trial = Trial(
      configuration: configuration, layout: layout, trajectory: trajectory, pictures: pictures,
      timeline: timeline)
    onPhase(.naive(configuration.duration))
    let naive = try await trial.run(.naive)
    onPhase(.cellophane(configuration.duration))
    let cellophane = try await trial.run(.cellophane)
    onPhase(.verifying)
    let rows = naive.record.rows.union(cellophane.record.rows)
    let identities = try await pictures.identities(of: rows, in: layout)
    return SimulationResult(
      config: PlayedConfiguration(configuration, layout: layout, meanBytes: pictures.meanBytes),
      cellophane: RunMetrics(cellophane) { identities[$0] }, naive: RunMetrics(naive) { identities[$0] },
      wall: timeline.now - start)
  }

  /// The pictures of every row that comes in, and of those that may be prefetched below.
  private func pictures() async throws(LoadError) -> RowPictures {
    if let urls = configuration.urls {
      return .own(Array(urls.prefix(layout.rows)), allowsFiles: configuration.allowsFiles)
    }
    let frames = Int(configuration.duration.seconds * Double(configuration.refreshRate)) + 1
    let reach = (0...frames).reduce(0.0) { reach, frame in
      max(reach, trajectory.offset(at: .seconds(frame) / configuration.refreshRate))
    }
    let count = layout.visibleRows(at: reach).upperBound + configuration.rowsAhead
    return .generated(
      try await PictureFiles(
        count: min(count, layout.rows), size: configuration.source, seed: configuration.seed))
  }
}
