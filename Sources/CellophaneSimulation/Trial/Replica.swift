internal import Cellophane

/// A simulation under one seed: its gestures and images, with all loaders.
struct Replica: Sendable {
  let configuration: SimulationConfiguration
  /// The orientations of the screen in the order of time.
  let orientations: [ScreenOrientation]
  /// True for the first replica, which keeps the series over time.
  let keepsSeries: Bool
  private let instrumentation: Instrumentation
  /// The loader under test; nil for Cellophane.
  private let tested: TestedLoader?

  /// The layout of the list at the start.
  private var layout: ListLayout { orientations[0].layout }

  /// Creates replica `index` of `configuration`. Its seed is the seed of the configuration plus `index`.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` if the layout cannot show the heights that this seed draws.
  init(
    _ index: Int, of configuration: SimulationConfiguration, testing tested: TestedLoader? = nil,
    _ instrumentation: Instrumentation = Instrumentation()
  ) throws(LoadError) {
    var one = configuration
    one.seed &+= UInt64(index)
    self.configuration = one
    self.tested = tested
    orientations = try ScreenOrientation.all(of: one)
    keepsSeries = index == 0
    self.instrumentation = index == 0 ? instrumentation : Instrumentation()
  }

  /// Plays `loaders` in virtual time, at most `threads` concurrently. `disturb` returns a transport between a
  /// loader and the link, for tests.
  ///
  /// - Parameter measured: The observations of loaders that are not played, such as those of a trace.
  func runVirtual(
    _ loaders: [LoaderUnderTest], threads: Int, beside measured: [LoaderUnderTest: RunObservation] = [:],
    disturb: @escaping @Sendable (any Transport) -> any Transport
  ) async throws(LoadError) -> ReplicaOutcome {
    let rows = rowsWithinReach
    let played = played(of: loaders)
    let files =
      switch configuration.decoding.mode {
      case .real where !played.isEmpty: try await files()
      case .real, .model: LazyPictureFiles?.none
      }
    let observations = try await runConcurrently(played.count, threads: threads) { index throws(LoadError) in
      try await run(
        played[index],
        in: try VirtualWorld(
          configuration, layout: layout, rows: rows, connections: connections(of: played[index]),
          files: files, disturb: disturb))
    }
    let pictures = ModeledPictures(contents: contents)
    var outcome = ReplicaOutcome(
      seed: configuration.seed, meanBytes: pictures.meanBytes(of: rows),
      measured.merging(zip(played, observations)) { first, _ in first }
    ) { _ in nil }
    // Only the frames of a trace can be late.
    try addBounds(
      &outcome, pictures, withOracle: loaders.contains(.oracle),
      missed: measured.values.map { $0.tally.missed }.max() ?? 0)
    return outcome
  }

  /// Returns the loaders that are played: not the oracle, and not Cellophane without prefetching if the
  /// configuration has no prefetching anyway.
  private func played(of loaders: [LoaderUnderTest]) -> [LoaderUnderTest] {
    let isOnDemand = configuration.loader.ofCellophane.prefetch == .none
    return loaders.filter { $0 != .oracle && !($0 == .noPrefetch && isOnDemand) }
  }

  /// Returns the maximum number of connections of `loader` to a host; nil if the loader has its own limit.
  private func connections(of loader: LoaderUnderTest) -> Int? {
    loader == .other ? tested?.connectionsPerHost : loader.connectionsPerHost
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
          connectionsPerHost: connections(of: loader), timeline: timeline))
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

  /// Returns the transfers and the measurement of a run of Cellophane with generated images, in the time mode of the
  /// configuration.
  func transfers(
    timeline: Timeline, onPhase: @Sendable (Simulation.Phase) -> Void
  ) async throws(LoadError) -> (transfers: [TransferTimes.Transfer], run: Measurement) {
    let recorder = TransferTimes()
    let observation: RunObservation
    switch configuration.time {
    case .virtual:
      let world = try VirtualWorld(configuration, layout: layout, rows: rowsWithinReach, connections: nil)
      observation = try await run(.cellophane, in: world, observers: [recorder])
    case .real:
      onPhase(.preparing)
      let pictures = try await pictures()
      onPhase(.measuring(.cellophane, configuration.duration))
      let world = try RealWorld(
        configuration, layout: layout, pictures: pictures, connectionsPerHost: nil, timeline: timeline)
      observation = try await run(.cellophane, in: world, observers: [recorder])
    }
    return (recorder.transfers, RunMeasurement(observation) { _ in nil }.overall)
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
    let trace = scene.flatMap { instrumentation.traceWriter(of: loader, $0) }
    let trial = Trial(
      configuration: configuration, orientations: orientations, world: world,
      tested: tested, keepsSeries: keepsSeries && loader == instrumentation.subject,
      observers: observers + others.compactMap(\.self), trace: trace)
    var observation = try await trial.run(loader)
    // A scenario is text and numbers, which can always be encoded.
    observation.trace = try? trace?.text(
      of: loader == .other ? tested?.name ?? "" : loader.rawValue, configuration, observation.traceCounters)
    if let (recording, requests) = recorder?.finish() {
      if instrumentation.records { observation.recording = recording }
      if instrumentation.keepsRequests, loader == instrumentation.subject { observation.requests = requests }
    }
    return observation
  }

  private func scene(of world: some TrialWorld) -> RecordedScene {
    let numbers: [Int] = if case .numbers(let numbers) = world.evidence { numbers } else { [] }
    return scene(urls: world.requests.map(\.url), numbers: numbers)
  }

  private func scene(urls: [String], numbers: [Int]) -> RecordedScene {
    RecordedScene(
      orientations, urls: urls, pictures: numbers, refreshRate: configuration.viewport.refreshRate,
      duration: configuration.duration)
  }

  /// Returns a recorder of the loader under test in a list of rows with `urls` and images with `numbers`; nil unless
  /// requested.
  func recorder(urls: [String], numbers: [Int]) -> Recorder? {
    guard instrumentation.observes(instrumentation.subject) else { return nil }
    return instrumentation.recorder(of: instrumentation.subject, scene(urls: urls, numbers: numbers))
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
    let policies = [configuration.loader.prefetch, configuration.loader.ofCellophane.prefetch]
    let ahead = orientations.flatMap { one in policies.map { $0.reach(in: one.layout) } }.max() ?? 0
    return min(last + ahead, layout.rows)
  }
}
