internal import Cellophane
internal import CellophaneTesting
internal import Synchronization

/// A machine that is only thought of: one thread that jumps from event to event, a modelled line, files in memory,
/// decoding that takes modelled time. The same configuration gives the same run, to the nanosecond.
struct VirtualWorld: TrialWorld {
  let timeline: Timeline
  let log: EventLog?
  let requests: [ImageRequest]
  let disk: DiskCache
  let decodingLimits: DecodingLimits
  let screenExecutor: any SerialExecutor
  let transport: any Transport
  private let time: VirtualTime
  private let line: FlowTransport
  private let contents: ListContents
  private let costs: SimulationConfiguration.Decoding

  /// A world at the beginning of time.
  ///
  /// - Parameters:
  ///   - rows: How many rows may be asked for.
  ///   - connections: The most connections at once over HTTP/1.1, for a loader that sets no limit itself.
  ///   - files: The pictures, where they are decoded.
  ///   - disturb: Puts something between the loaders and the line.
  /// - Throws: ``LoadError`` when a URL is none.
  init(
    _ configuration: SimulationConfiguration, layout: ListLayout, rows: Int, connections: Int?,
    files: PictureFiles? = nil, disturb: (any Transport) -> any Transport = { $0 }
  ) throws(LoadError) {
    time = VirtualTime()
    timeline = time.timeline()
    log = EventLog()
    contents = ListContents(configuration.list, seed: configuration.seed)
    let pictures = ModelledPictures(contents: contents)
    var requests: [ImageRequest] = []
    requests.reserveCapacity(rows)
    for row in 0..<rows {
      requests.append(
        try ImageRequest(
          ModelledPictures.base + PictureFiles.path(of: contents.picture(of: row)),
          size: layout.pictureSize(of: row), priority: .visible))
    }
    self.requests = requests
    let origin = PictureOrigin(
      configuration, thinks: false, now: { [timeline, start = timeline.now] in timeline.now - start }
    ) { picture, version in
      files.map { $0.file(of: picture) } ?? pictures.file(of: picture, version: version)
    }
    line = FlowTransport(
      configuration.network.line(connections: connections, seed: configuration.seed), timeline: timeline
    ) { origin.answer($0, at: ModelledPictures.base) }
    transport = disturb(line)
    disk = DiskCache(
      directory: "/cache", limit: configuration.cache.diskBytes, fileSystem: MemoryFileSystem(),
      executor: time.lane(), timeline: timeline)
    costs = configuration.decoding
    var limits = DecodingLimits()
    limits.decoders = costs.cores
    decodingLimits = limits
    screenExecutor = time.lane()
  }

  var mostInFlight: Int? { line.mostExchanges }
  var connectionsOpened: Int? { line.connectionsOpened }
  var receivedAfterCancel: Int? { line.receivedAfterCancel }
  var canBeLate: Bool { false }
  var proof: RowsSeen.Proof { .numbers(requests.indices.map(contents.picture)) }

  func decoder(_ observers: RunObservers) -> ModelledDecoder {
    ModelledDecoder(
      costs: costs, processor: ModelledProcessor(cores: costs.cores, timeline: timeline), observers: observers
    )
  }

  func identify(_ value: ModelledDecoder.Picture) -> PictureIdentity { value.identity }

  /// The process simulates; it is not what is simulated.
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
    // What the cancellation woke after the run had ended.
    await thread.run(time)
    return result.value.withLock { $0 }
  }

  func catchUp() { line.catchUp() }

  func quiescence() async -> Bool {
    await time.quiescence()
    return true
  }

  func wait(until isOver: @escaping @Sendable () async -> Bool) async { await time.quiescence() }

  func end() async {}
}

/// Where a task leaves its result.
private final class Outcome<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
}
