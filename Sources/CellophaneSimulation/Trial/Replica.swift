internal import Cellophane

/// A simulation under one seed: its gestures and images, with all loaders.
struct Replica: Sendable {
  let configuration: SimulationConfiguration
  /// The orientations of the screen in the order of time.
  let orientations: [ScreenOrientation]
  /// True for the first replica, which keeps the series over time.
  private let keepsSeries: Bool
  private let instrumentation: Instrumentation

  /// The layout of the list at the start.
  private var layout: ListLayout { orientations[0].layout }

  /// Creates replica `index` of `configuration`. Its seed is the seed of the configuration plus `index`.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` if the layout cannot show the heights that this seed draws.
  init(
    _ index: Int, of configuration: SimulationConfiguration,
    _ instrumentation: Instrumentation = Instrumentation()
  ) throws(LoadError) {
    var one = configuration
    one.seed &+= UInt64(index)
    self.configuration = one
    orientations = try ScreenOrientation.all(of: one)
    keepsSeries = index == 0
    self.instrumentation = index == 0 ? instrumentation : Instrumentation()
  }

  /// Plays `loaders` in virtual time, at most `threads` concurrently. `disturb` returns a transport between a
  /// loader and the link, for tests.
  func runVirtual(
    _ loaders: [LoaderUnderTest], threads: Int,
    disturb: @escaping @Sendable (any Transport) -> any Transport
  ) async throws(LoadError) -> ReplicaOutcome {
    let rows = rowsWithinReach
    let files =
      switch configuration.decoding.mode {
      case .model: LazyPictureFiles?.none
      case .real: try await files()
      }
    let played = played(of: loaders)
    let observations = try await runConcurrently(played.count, threads: threads) { index throws(LoadError) in
      try await run(
        played[index],
        in: try VirtualWorld(
          configuration, layout: layout, rows: rows, connections: played[index].connectionsPerHost,
          files: files, disturb: disturb))
    }
    let pictures = ModeledPictures(contents: contents)
    var outcome = ReplicaOutcome(
      seed: configuration.seed, meanBytes: pictures.meanBytes(of: rows),
      Dictionary(uniqueKeysWithValues: zip(played, observations))
    ) { _ in nil }
    try addBounds(&outcome, pictures, withOracle: loaders.contains(.oracle))
    return outcome
  }

  /// Returns the loaders that are played: not the oracle, and not Cellophane without prefetching if the
  /// configuration has no prefetching anyway.
  private func played(of loaders: [LoaderUnderTest]) -> [LoaderUnderTest] {
    let isOnDemand = configuration.loader.prefetch == .none
    return loaders.filter { $0 != .oracle && !($0 == .noPrefetch && isOnDemand) }
  }

  /// Plays `loaders` in real time, one after the other.
  func runReal(
    _ loaders: [LoaderUnderTest], timeline: Timeline, onPhase: @Sendable (Simulation.Phase) -> Void
  ) async throws(LoadError) -> ReplicaOutcome {
    onPhase(.preparing)
    let pictures = try await pictures()
    var observations: [LoaderUnderTest: RunObservation] = [:]
    for loader in played(of: loaders) {
      onPhase(.measuring(loader, configuration.duration))
      observations[loader] = try await run(
        loader,
        in: try RealWorld(
          configuration, layout: layout, pictures: pictures,
          connectionsPerHost: loader.connectionsPerHost, timeline: timeline))
    }
    onPhase(.verifying)
    let rows = observations.values.reduce(into: Set<Int>()) { $0.formUnion($1.tally.rows.rowsToVerify) }
    let identities = try await pictures.identities(of: rows, in: layout)
    var outcome = ReplicaOutcome(seed: configuration.seed, meanBytes: pictures.meanBytes, observations) {
      identities[$0]
    }
    if case .generated(_, let contents, _) = pictures {
      try addBounds(
        &outcome, ModeledPictures(contents: contents), withOracle: loaders.contains(.oracle),
        missed: observations.values.map { $0.tally.missed }.max() ?? 0)
    }
    return outcome
  }

  /// The images of a generated list.
  var contents: ListContents { ListContents(configuration.list, seed: configuration.seed) }

  /// Returns the transfers of Cellophane, in the time mode of the configuration.
  func transfers(
    timeline: Timeline, onPhase: @Sendable (Simulation.Phase) -> Void
  ) async throws(LoadError) -> [TransferTimes.Transfer] {
    let recorder = TransferTimes()
    switch configuration.time {
    case .virtual:
      let world = try VirtualWorld(configuration, layout: layout, rows: rowsWithinReach, connections: nil)
      _ = try await run(.cellophane, in: world, observers: [recorder])
    case .real:
      onPhase(.preparing)
      let pictures = try await pictures()
      onPhase(.measuring(.cellophane, configuration.duration))
      let world = try RealWorld(
        configuration, layout: layout, pictures: pictures, connectionsPerHost: nil, timeline: timeline)
      _ = try await run(.cellophane, in: world, observers: [recorder])
    }
    return recorder.transfers
  }

  private func run(
    _ loader: LoaderUnderTest, in world: some TrialWorld, observers: [any RunObserver] = []
  ) async throws(LoadError) -> RunObservation {
    // A scene has a dictionary of all rows, so it is not made for nothing.
    let scene = instrumentation.observes(loader) ? self.scene(of: world) : nil
    let recorder = scene.flatMap { instrumentation.recorder(of: loader, $0) }
    let others: [(any RunObserver)?] = [
      recorder, scene.flatMap { instrumentation.frameReader(of: loader, $0) },
    ]
    let trial = Trial(
      configuration: configuration, orientations: orientations, world: world,
      keepsSeries: keepsSeries && loader == .cellophane, observers: observers + others.compactMap(\.self))
    var observation = try await trial.run(loader)
    if let (recording, requests) = recorder?.finish() {
      if instrumentation.records { observation.recording = recording }
      if instrumentation.keepsRequests, loader == .cellophane { observation.requests = requests }
    }
    return observation
  }

  private func scene(of world: some TrialWorld) -> RecordedScene {
    let numbers: [Int] = if case .numbers(let numbers) = world.evidence { numbers } else { [] }
    return RecordedScene(
      orientations, urls: world.requests.map(\.url), pictures: numbers,
      refreshRate: configuration.viewport.refreshRate, duration: configuration.duration)
  }

  /// Returns the images of all rows that appear or can be prefetched.
  private func pictures() async throws(LoadError) -> RowPictures {
    if case .own(let urls, let allowsFiles) = configuration.list.pictures {
      return .own(Array(urls.prefix(layout.rows)), allowsFiles: allowsFiles)
    }
    let rows = rowsWithinReach
    return .generated(try await files(), contents, rows: rows)
  }

  /// Returns the generated files of all rows that appear or can be prefetched.
  private func files() async throws(LoadError) -> LazyPictureFiles {
    let files = LazyPictureFiles(contents.pictures(of: rowsWithinReach), of: configuration)
    try await files.generate()
    return files
  }

  /// The number of rows, from the first on, that appear or can be prefetched.
  private var rowsWithinReach: Int {
    let frames = Int(configuration.duration.seconds * Double(configuration.viewport.refreshRate)) + 1
    var last = 0
    var walk = OrientationWalk(orientations)
    for frame in 0...frames {
      let time = Duration.seconds(frame) / configuration.viewport.refreshRate
      // Without a finger that stops it, a fling would go further. The rows at its end may be prefetched.
      let state = walk.state(at: time)
      let reach = state.offset + (state.fling?.distance ?? 0)
      last = max(last, walk.orientation.layout.visibleRows(at: reach).upperBound)
    }
    let ahead = orientations.map { configuration.loader.prefetch.reach(in: $0.layout) }.max() ?? 0
    return min(last + ahead, layout.rows)
  }
}
