internal import Cellophane

/// One run of one loader in a world of its own.
struct Trial<World: TrialWorld>: Sendable {
  let configuration: SimulationConfiguration
  let postures: [Posture]
  let world: World
  /// Also measure how the run goes over time.
  var keepsSeries = false
  /// What listens to the run beside its meter.
  var observers: [any RunObserver] = []

  /// Runs `contender` once, and ends the world.
  ///
  /// - Throws: ``LoadError/cancelled``; ``LoadError/Kind/io`` when the run itself waits for ever.
  func run(_ contender: Contender) async throws(LoadError) -> RunObservation {
    let outcome = await world.host { () async -> Result<RunObservation, LoadError> in
      switch contender {
      case .naive: await runNaive()
      case .cellophane: await runCellophane(configuration.loader.prefetch)
      case .noPrefetch: await runCellophane(.none)
      case .oracle: .failure(LoadError(.invalidRequest, "an oracle loads nothing; it is computed"))
      }
    }
    await world.end()
    if Task.isCancelled { throw .cancelled }
    guard let outcome else {
      var one = configuration
      one.replicas = 1
      throw LoadError(
        .io,
        "the simulation (\(contender.rawValue)) waits for something that never happens"
          + (one.command.map { "; to repeat it: \($0)" } ?? ""))
    }
    return try outcome.get()
  }

  private func runNaive() async -> Result<RunObservation, LoadError> {
    let (meter, observers) = audience(showsPreviews: false)
    let transport = RecordingTransport(world.transport, observers: observers)
    let list = NaiveList(
      transport: transport, decoder: world.decoder(observers), identify: world.identify,
      timeline: world.timeline)
    return await play(
      list, over: transport, meter, observers, note: { _ in }, busy: { transport.inside })
  }

  private func runCellophane(_ prefetch: PrefetchRule) async -> Result<RunObservation, LoadError> {
    let (meter, observers) = audience(showsPreviews: configuration.loader.previews)
    let transport = RecordingTransport(world.transport, observers: observers)
    var loading = ByteLoader.Configuration()
    loading.retry.seed = configuration.seed
    loading.transfersPerOrigin = configuration.loader.concurrency
    loading.transfers = max(loading.transfers, configuration.loader.concurrency)
    let bytes = ByteLoader(
      transport: transport, disk: world.disk, configuration: loading, timeline: world.timeline)
    let loader = ResourceLoader(
      bytes: bytes, decoder: world.decoder(observers),
      memory: MemoryCache(limit: configuration.cache.memoryBytes, eviction: configuration.cache.policy),
      limits: world.decodingLimits)
    let warnings = configuration.events.filter { $0.kind == .memoryWarning }.map { event in
      world.timeline.spawn { [memory = loader.memory, timeline = world.timeline] in
        do { try await timeline.sleep(for: event.time) } catch { return }
        memory.trim(to: 0)
      }
    }
    defer { for warning in warnings { warning.cancel() } }
    let list = CellophaneList(
      loader: loader, identify: world.identify, policy: prefetch.policy,
      showsPreviews: configuration.loader.previews)
    let listening = world.log.map { log in
      world.timeline.spawn { for await event in bytes.events.events(limit: .max) { log.note(event) } }
    }
    defer { listening?.cancel() }
    let cached: @Sendable () -> Void = { observers.note(.cached(loader.memory.cost)) }
    return await play(list, over: transport, meter, observers, noteProgress: cached) { observation in
      observation.staleDropped = bytes.events.counters.staleDrops
      observation.peakMemoryCost = loader.memory.counters.peakCost
    } settle: {
      // What is kept of a load that was left would come after its directory was removed.
      await bytes.settle()
    } busy: {
      // A response that arrived may still be on its way to the disk.
      let (load, values) = (await bytes.activity, await loader.activity)
      return transport.inside + load.running + load.waiting + load.inFlight + values.inFlight
        + values.decoding
    }
  }

  /// The meter of a run, and everybody who listens to it.
  private func audience(showsPreviews: Bool) -> (RunMeter, RunObservers) {
    let meter = RunMeter(
      RunTally(
        refreshRate: configuration.viewport.refreshRate, urls: world.requests.map(\.url), proof: world.proof,
        versions: PictureVersions(configuration.origin, seed: configuration.seed),
        showsPreviews: showsPreviews, keepsSeries: keepsSeries))
    var all: [any RunObserver] = [meter]
    if let log = world.log { all.append(log) }
    return (meter, RunObservers(all + observers, timeline: world.timeline))
  }

  /// Plays the plan, observes it, lets everything come to its end, and counts what is left over.
  ///
  /// - Parameters:
  ///   - noteProgress: Tells the observers how far the loader is, before a frame.
  ///   - note: Adds what the loader itself counted by the end of the plan.
  ///   - settle: Waits for what the loader does for nobody any more.
  ///   - busy: How much the loader has to do.
  private func play(
    _ list: some ListLoader, over transport: RecordingTransport, _ meter: RunMeter,
    _ observers: RunObservers, noteProgress: @escaping @Sendable () -> Void = {},
    note: (inout RunObservation) -> Void, settle: @escaping @Sendable () async -> Void = {},
    busy: @escaping @Sendable () async -> Int
  ) async -> Result<RunObservation, LoadError> {
    let requests: (upright: [ImageRequest], turned: [ImageRequest])
    do throws(LoadError) { requests = try self.requests() } catch { return .failure(error) }
    let plan = ScreenPlan(
      postures: postures, requests: requests,
      refreshRate: configuration.viewport.refreshRate, duration: configuration.duration)
    let screen = Screen(
      plan, loader: list, executor: world.screenExecutor, observers: observers,
      willDraw: { [looksAhead = configuration.loader.previews, world] in
        // A line that is only thought of hands bytes over when something changes on it.
        if looksAhead { world.catchUp() }
        guard observers.wantProgress else { return }
        transport.noteProgress()
        noteProgress()
      },
      residentMemory: world.residentMemory)
    var observation: RunObservation
    do throws(LoadError) {
      let end = try await screen.play()
      world.catchUp()
      transport.noteProgress()
      observation = RunObservation(
        tally: meter.finish(at: end), mostInFlight: world.mostInFlight, connections: world.connectionsOpened,
        receivedAfterCancel: world.receivedAfterCancel)
    } catch {
      await screen.end()
      await world.wait {
        await settle()
        return await busy() == 0
      }
      return .failure(error)
    }
    observation.canBeLate = world.canBeLate
    note(&observation)
    if await world.quiescence() { observation.waitingRows = await screen.waitingRows }
    await screen.end()
    await world.wait {
      await settle()
      return await busy() == 0
    }
    observation.leftOver = await busy()
    observation.fingerprint = world.log?.fingerprint
    return .success(observation)
  }

  /// What rows ask for, upright and, if the screen is ever turned, then.
  private func requests() throws(LoadError) -> (upright: [ImageRequest], turned: [ImageRequest]) {
    var (upright, turned) = (world.requests, [ImageRequest]())
    let layout = postures.first(where: \.isTurned)?.layout
    for row in upright.indices {
      if let layout {
        var request = try ImageRequest(
          upright[row].url, size: layout.pictureSize(of: row), priority: .visible)
        request.row = row
        turned.append(request)
      }
      upright[row].row = row
    }
    return (upright, turned)
  }
}
