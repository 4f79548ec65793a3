internal import Cellophane
internal import CellophaneTesting
internal import Synchronization

/// A modeled machine in virtual time: one thread that advances from event to event, a modeled link, files in
/// memory, and decoding with modeled durations. The same configuration results in the same run, to the
/// nanosecond.
struct VirtualWorld: TrialWorld {
  let timeline: Timeline
  let log: EventLog?
  let requests: [ImageRequest]
  let disk: DiskCache
  let decodingLimits: DecodingLimits
  let screenExecutor: any SerialExecutor
  let transport: any Transport
  private let time: VirtualTime
  private let link: FlowTransport
  private let contents: ListContents
  private let costs: SimulationConfiguration.Decoding
  private let duration: Duration

  /// Creates a world at time 0.
  ///
  /// - Parameters:
  ///   - rows: The number of rows that can be requested.
  ///   - connections: The maximum number of concurrent HTTP/1.1 connections, for a loader without its own
  ///     limit.
  ///   - files: The files of the images, if they are decoded for real.
  ///   - disturb: Returns a transport between the loader and the link, for tests.
  /// - Throws: ``LoadError`` if a URL is invalid.
  init(
    _ configuration: SimulationConfiguration, layout: ListLayout, rows: Int, connections: Int?,
    files: LazyPictureFiles? = nil, disturb: (any Transport) -> any Transport = { $0 }
  ) throws(LoadError) {
    time = VirtualTime()
    timeline = time.timeline()
    log = EventLog()
    contents = ListContents(configuration.list, seed: configuration.seed)
    let pictures = ModeledPictures(contents: contents)
    var requests: [ImageRequest] = []
    requests.reserveCapacity(rows)
    for row in 0..<rows {
      let picture = contents.picture(of: row)
      requests.append(
        try ImageRequest(
          ModeledPictures.base(ofHost: configuration.host(of: picture)) + PictureFiles.path(of: picture),
          size: layout.pixelSize(of: row), priority: .visible))
    }
    self.requests = requests
    let origin = PictureOrigin(
      configuration, hasThinkTime: false, now: { [timeline, start = timeline.now] in timeline.now - start }
    ) { picture, version throws(LoadError) in
      guard let files else { return pictures.file(of: picture, version: version) }
      return try files.file(of: picture)
    }
    var link = configuration.network.link(connections: connections, seed: configuration.seed)
    link.origins = configuration.hostCount
    self.link = FlowTransport(link, timeline: timeline) { origin.answer($0.target, headers: $0.headers) }
    transport = disturb(self.link)
    disk = DiskCache(
      directory: "/cache", limit: configuration.cache.diskBytes, fileSystem: MemoryFileSystem(),
      executor: time.lane(), timeline: timeline)
    (costs, duration) = (configuration.decoding, configuration.duration)
    // A separate budget, so that runs of the same seed do not depend on other runs or on the machine.
    decodingLimits = DecodingLimits(decoders: costs.cores, workingBytes: 512 << 20)
    screenExecutor = time.lane()
  }

  var peakTransfers: Int? { link.peakExchanges }
  var connectionsOpened: Int? { link.connectionsOpened }
  var receivedAfterCancel: Int? { link.receivedAfterCancel }
  var framesCanBeLate: Bool { false }
  var evidence: RowTally.Evidence { .numbers(requests.indices.map(contents.picture)) }

  func decoder(_ observers: RunObservers) -> ModeledDecoder {
    ModeledDecoder(
      costs: costs, processor: ModeledProcessor(cores: costs.cores, timeline: timeline), observers: observers,
      duration: duration)
  }

  func identify(_ value: ModeledDecoder.Picture) -> PictureIdentity { value.identity }

  /// Nil: the memory of this process is that of the simulation, not of the loader.
  func residentMemory() -> Int? { nil }

  func host<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value? {
    let result = Outcome<Value>()
    let task = timeline.spawn {
      let value = await body()
      result.value.withLock { $0 = value }
    }
    let thread = WorldThread()
    await withTaskCancellationHandler {
      await thread.run(time)
    } onCancel: {
      task.cancel()
    }
    // Runs the tasks that the cancellation woke after the end of the run.
    await thread.run(time)
    return result.value.withLock { $0 }
  }

  func catchUp() { link.catchUp() }

  func quiescence() async -> Bool {
    await time.quiescence()
    return true
  }

  func wait(until hasEnded: @escaping @Sendable () async -> Bool) async { await time.quiescence() }

  func end() async {}
}

/// The result of a task.
private final class Outcome<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
}
