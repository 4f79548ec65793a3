internal import Cellophane

/// The parts of a run that depend on the loader.
private struct LoaderHooks: Sendable {
  /// Reports the progress of the loader to the observers before a frame.
  var noteProgress: @Sendable () -> Void = {}
  /// Adds the counters of the loader at the end of the plan.
  var addCounters: @Sendable (inout RunObservation) -> Void = { _ in }
  /// Waits for work that continues after its requests were cancelled.
  var settle: @Sendable () async -> Void = {}
  /// Returns the amount of work in progress.
  let pendingWork: @Sendable () async -> Int

  /// Returns true if no work is in progress.
  func isIdle() async -> Bool {
    await settle()
    return await pendingWork() == 0
  }
}

/// One run of one loader in its own world.
struct Trial<World: TrialWorld>: Sendable {
  let configuration: SimulationConfiguration
  let orientations: [ScreenOrientation]
  let world: World
  /// The loader under test; nil for Cellophane.
  var tested: TestedLoader?
  /// True to measure the series over time too.
  var keepsSeries = false
  /// The observers besides the meter.
  var observers: [any RunObserver] = []
  /// The trace of the run; nil unless requested.
  var trace: RunTraceWriter?

  /// Runs `loader` once and closes the world.
  ///
  /// - Throws: ``LoadError/cancelled``; ``LoadError/Kind/io`` if the run waits for an event that never
  ///   happens.
  func run(_ loader: LoaderUnderTest) async throws(LoadError) -> RunObservation {
    let outcome = await world.host { () async -> Result<RunObservation, LoadError> in
      switch loader {
      case .naive: await runNaive()
      case .cellophane: await runCellophane(settings.prefetch)
      case .noPrefetch: await runCellophane(.none)
      case .other: await runTested()
      case .oracle: .failure(LoadError(.invalidRequest, "the oracle cannot be run, because it is computed"))
      }
    }
    await world.end()
    if Task.isCancelled { throw .cancelled }
    guard let outcome else {
      var one = configuration
      one.replicas = 1
      throw LoadError(
        .io,
        "the simulation (\(loader == .other ? tested?.name ?? "" : loader.rawValue)) waits for an event that never happens"
          + (one.command.map { "; to repeat it: \($0)" } ?? ""))
    }
    return try outcome.get()
  }

  /// The settings of Cellophane.
  private var settings: SimulationConfiguration.Loader { configuration.loader.ofCellophane }

  private func runNaive() async -> Result<RunObservation, LoadError> {
    let (meter, observers) = makeObservers(showsPreviews: false)
    let transport = RecordingTransport(world.transport, observers: observers)
    let list = NaiveList(
      transport: transport, decoder: world.decoder(observers), identify: world.identify,
      timeline: world.timeline)
    return await play(
      list, over: transport, meter, observers, LoaderHooks(pendingWork: { transport.openExchanges }))
  }

  private func runTested() async -> Result<RunObservation, LoadError> {
    guard let tested else { return .failure(LoadError(.invalidRequest, "no loader is under test")) }
    let (meter, observers) = makeObservers(showsPreviews: false)
    let transport = RecordingTransport(world.transport, observers: observers)
    let list = TestedList(
      loader: tested, transport: transport,
      decoder: ScreenlessDecoder(decoder: world.decoder(observers), identify: world.identify),
      timeline: world.timeline, caches: configuration.cache,
      warnings: configuration.events.filter { $0.kind == .memoryWarning }.map(\.time))
    return await play(
      list, over: transport, meter, observers, LoaderHooks(pendingWork: { transport.openExchanges }))
  }

  private func runCellophane(_ prefetch: PrefetchRule) async -> Result<RunObservation, LoadError> {
    let (meter, observers) = makeObservers(showsPreviews: settings.previews)
    let transport = RecordingTransport(world.transport, observers: observers)
    var loading = ByteLoader.Configuration()
    loading.retry.seed = configuration.seed
    loading.transfersPerOrigin = settings.concurrency
    loading.transfers = max(loading.transfers, settings.concurrency)
    let bytes = ByteLoader(
      transport: transport, disk: world.disk, configuration: loading, timeline: world.timeline,
      bodies: nil)
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
      showsPreviews: settings.previews)
    let listening = world.log.map { log in
      world.timeline.spawn { for await event in bytes.events.events(limit: .max) { log.note(event) } }
    }
    defer { listening?.cancel() }
    let hooks = LoaderHooks {
      observers.note(.cached(loader.memory.cost))
    } addCounters: { observation in
      observation.staleDropped = bytes.events.counters.staleDrops
      observation.peakMemoryCost = loader.memory.counters.peakCost
    } settle: {
      // Cancelled loads may store their bytes. They must not do so after their directory is removed.
      await bytes.settle()
    } pendingWork: {
      // A response that arrived may still be written to the disk.
      let (load, values) = (await bytes.activity, await loader.activity)
      return transport.openExchanges + load.running + load.waiting + load.inFlight + values.inFlight
        + values.decoding
    }
    return await play(list, over: transport, meter, observers, hooks)
  }

  /// Creates the meter of a run, and the set of all observers.
  private func makeObservers(showsPreviews: Bool) -> (RunMeter, RunObservers) {
    let meter = RunMeter(
      RunTally(
        refreshRate: configuration.viewport.refreshRate, urls: world.requests.map(\.url),
        evidence: world.evidence,
        versions: PictureVersions(configuration.origin, seed: configuration.seed),
        showsPreviews: showsPreviews, keepsSeries: keepsSeries))
    var all: [any RunObserver] = [meter]
    if let log = world.log { all.append(log) }
    if let trace { all.append(trace) }
    return (meter, RunObservers(all + observers, timeline: world.timeline))
  }

  /// Plays the plan, measures it, waits until all work has finished, and counts the remaining work.
  private func play(
    _ list: some ListLoader, over transport: RecordingTransport, _ meter: RunMeter,
    _ observers: RunObservers, _ hooks: LoaderHooks
  ) async -> Result<RunObservation, LoadError> {
    let requests: (upright: [ImageRequest], rotated: [ImageRequest])
    do throws(LoadError) { requests = try self.requests() } catch { return .failure(error) }
    let plan = ScreenPlan(
      orientations: orientations, requests: requests,
      refreshRate: configuration.viewport.refreshRate, duration: configuration.duration)
    let screen = Screen(
      plan, loader: list, executor: world.screenExecutor, observers: observers,
      willDraw: { [looksAhead = configuration.loader.previews, world] in
        // A modeled link delivers bytes only when its state changes.
        if looksAhead { world.catchUp() }
        guard observers.needsProgress else { return }
        transport.noteProgress()
        hooks.noteProgress()
      },
      residentMemory: world.residentMemory)
    var observation: RunObservation
    do throws(LoadError) {
      let end = try await screen.play()
      world.catchUp()
      transport.noteProgress()
      trace?.end(at: observers.now)
      observation = RunObservation(
        tally: meter.finish(at: end), peakTransfers: world.peakTransfers,
        connections: world.connectionsOpened,
        receivedAfterCancel: world.receivedAfterCancel)
    } catch {
      await screen.end()
      await world.wait { await hooks.isIdle() }
      return .failure(error)
    }
    observation.framesCanBeLate = world.framesCanBeLate
    hooks.addCounters(&observation)
    if await world.quiescence() { observation.waitingRows = await screen.waitingRows }
    await screen.end()
    await world.wait { await hooks.isIdle() }
    observation.leftOver = await hooks.pendingWork()
    observation.fingerprint = world.log?.fingerprint
    return .success(observation)
  }

  /// Returns the requests of the rows: for the upright screen, and for the rotated one if the screen is
  /// rotated during the run.
  private func requests() throws(LoadError) -> (upright: [ImageRequest], rotated: [ImageRequest]) {
    var (upright, rotated) = (world.requests, [ImageRequest]())
    let layout = orientations.first(where: \.isRotated)?.layout
    for row in upright.indices {
      if let layout {
        var request = try ImageRequest(
          upright[row].url, size: layout.pixelSize(of: row), priority: .visible)
        request.row = row
        rotated.append(request)
      }
      upright[row].row = row
    }
    return (upright, rotated)
  }
}
