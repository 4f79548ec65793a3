internal import Cellophane

/// A simulation under one seed: the gestures and pictures that follow from it, and every loader on them.
struct Replica: Sendable {
  let configuration: SimulationConfiguration
  /// How the screen is held, from the start on.
  let postures: [Posture]
  /// Of all replicas, the first is kept over time.
  private let keepsSeries: Bool
  private let attention: Attention

  /// The list as it is at the start.
  private var layout: ListLayout { postures[0].layout }

  /// Replica `index` of `configuration`; its seed is `index` after the configuration's.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` when heights that this seed draws cannot be laid out.
  init(
    _ index: Int, of configuration: SimulationConfiguration, _ attention: Attention = Attention()
  ) throws(LoadError) {
    var one = configuration
    one.seed &+= UInt64(index)
    self.configuration = one
    postures = try Posture.all(of: one)
    keepsSeries = index == 0
    self.attention = index == 0 ? attention : Attention()
  }

  /// Plays `contenders` in virtual time, at most `threads` at once; `disturb` puts something between the loaders and the line.
  func runVirtual(
    _ contenders: [Contender], threads: Int,
    disturb: @escaping @Sendable (any Transport) -> any Transport
  ) async throws(LoadError) -> ReplicaOutcome {
    let rows = rowsWithinReach
    let files =
      switch configuration.decoding.mode {
      case .model: PictureFiles?.none
      case .real: try await files()
      }
    let played = played(of: contenders)
    let observations = try await sideBySide(played.count, threads: threads) { index throws(LoadError) in
      try await run(
        played[index],
        in: try VirtualWorld(
          configuration, layout: layout, rows: rows, connections: played[index].connectionsPerHost,
          files: files, disturb: disturb))
    }
    let pictures = ModelledPictures(contents: contents)
    var outcome = ReplicaOutcome(
      seed: configuration.seed, meanBytes: pictures.meanBytes(of: rows),
      Dictionary(uniqueKeysWithValues: zip(played, observations))
    ) { _ in nil }
    try judge(&outcome, pictures, withOracle: contenders.contains(.oracle))
    return outcome
  }

  /// Those of `contenders` that are loaders, this library on demand only when it is not on demand itself.
  private func played(of contenders: [Contender]) -> [Contender] {
    let isOnDemand = configuration.loader.prefetch == .none
    return contenders.filter { $0 != .oracle && !($0 == .noPrefetch && isOnDemand) }
  }

  /// Plays `contenders` in real time, one after the other.
  func runReal(
    _ contenders: [Contender], timeline: Timeline, onPhase: @Sendable (Simulation.Phase) -> Void
  ) async throws(LoadError) -> ReplicaOutcome {
    onPhase(.preparing)
    let pictures = try await pictures()
    var observations: [Contender: RunObservation] = [:]
    for contender in played(of: contenders) {
      onPhase(.measuring(contender, configuration.duration))
      observations[contender] = try await run(
        contender,
        in: try RealWorld(
          configuration, layout: layout, pictures: pictures,
          connectionsPerHost: contender.connectionsPerHost, timeline: timeline))
    }
    onPhase(.verifying)
    let rows = observations.values.reduce(into: Set<Int>()) { $0.formUnion($1.tally.rows.rowsToProve) }
    let identities = try await pictures.identities(of: rows, in: layout)
    var outcome = ReplicaOutcome(seed: configuration.seed, meanBytes: pictures.meanBytes, observations) {
      identities[$0]
    }
    if case .generated(_, let contents, _) = pictures {
      try judge(
        &outcome, ModelledPictures(contents: contents), withOracle: contenders.contains(.oracle),
        missed: observations.values.map { $0.tally.passed.total.missed }.max() ?? 0)
    }
    return outcome
  }

  /// What the rows of a generated list show.
  var contents: ListContents { ListContents(configuration.list, seed: configuration.seed) }

  /// The transfers of Cellophane's loader, in the time of the configuration.
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
    _ contender: Contender, in world: some TrialWorld, observers: [any RunObserver] = []
  ) async throws(LoadError) -> RunObservation {
    guard contender == .cellophane else {
      return try await Trial(
        configuration: configuration, postures: postures, world: world,
        observers: observers
      ).run(contender)
    }
    let numbers: [Int] = if case .numbers(let numbers) = world.proof { numbers } else { [] }
    let scene = RecordedScene(
      postures, urls: world.requests.map(\.url), pictures: numbers,
      refreshRate: configuration.viewport.refreshRate,
      duration: configuration.duration)
    let recorder = attention.recorder(of: scene)
    let others: [(any RunObserver)?] = [recorder, attention.teller(of: scene)]
    let trial = Trial(
      configuration: configuration, postures: postures, world: world,
      keepsSeries: keepsSeries, observers: observers + others.compactMap(\.self))
    var observation = try await trial.run(contender)
    if let (recording, requests) = recorder?.finish() {
      if attention.records { observation.recording = recording }
      if attention.keepsRequests { observation.requests = requests }
    }
    return observation
  }

  /// The pictures of every row that comes in, and of those that may be prefetched below.
  private func pictures() async throws(LoadError) -> RowPictures {
    if case .own(let urls, let allowsFiles) = configuration.list.pictures {
      return .own(Array(urls.prefix(layout.rows)), allowsFiles: allowsFiles)
    }
    let rows = rowsWithinReach
    return .generated(try await files(), contents, rows: rows)
  }

  private func files() async throws(LoadError) -> PictureFiles {
    try await PictureFiles(contents.pictures(of: rowsWithinReach), of: configuration)
  }

  /// The number of rows, from the first on, that come in or may be prefetched.
  private var rowsWithinReach: Int {
    let frames = Int(configuration.duration.seconds * Double(configuration.viewport.refreshRate)) + 1
    var last = 0
    var walk = PostureWalk(postures)
    for frame in 0...frames {
      let time = Duration.seconds(frame) / configuration.viewport.refreshRate
      // A fling that is caught would have come farther, and what is there is loaded.
      let course = walk.course(at: time)
      let reach = course.offset + (course.fling?.distance ?? 0)
      last = max(last, walk.posture.layout.visibleRows(at: reach).upperBound)
    }
    let ahead = postures.map { configuration.loader.prefetch.reach(in: $0.layout) }.max() ?? 0
    return min(last + ahead, layout.rows)
  }
}
