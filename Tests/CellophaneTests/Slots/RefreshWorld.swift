@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

/// An origin whose numbers change every 20 s, and may be used for 10 s, and then for long while it is asked: the
/// value of number 3 is 3001, then 3002, …
struct RefreshWorld: Sendable {
  let time = VirtualTime()
  let timeline: Timeline
  let files = MemoryFileSystem()
  let transport: ScriptedTransport
  let bytes: ByteLoader
  let loader: ResourceLoader<NumberDecoder>
  /// What the origin answers instead of a value.
  let fails = Shared<Int?>(nil)
  /// What it says of freshness in place of that.
  let says = Shared<String?>(nil)

  init(
    memory: Int = 80_000, freshFor: Int = 10, reuse: MemoryReuse = .untilEvicted,
    configuration: ByteLoader.Configuration = .init(),
    delay: @escaping @Sendable (TransportRequest) -> Duration = { _ in .seconds(1) }
  ) {
    let timeline = time.timeline()
    self.timeline = timeline
    transport = ScriptedTransport(timeline: timeline) { [fails, says] request in
      let version = 1 + timeline.now.components.seconds / 20
      var response = TransportResponse(
        status: 200,
        headers: [
          "cache-control": says.value ?? "max-age=\(freshFor), stale-while-revalidate=1000",
          "etag": "\"\(version)\"",
        ], body: Array("\(request.number * 1_000 + Int(version))".utf8), url: request.url)
      if request.headers["if-none-match"] == "\"\(version)\"" { (response.status, response.body) = (304, []) }
      if let status = fails.value { response.status = status }
      return .init(after: delay(request), .success(response))
    }
    var configuration = configuration
    // The tests tell when each exchange begins and ends.
    configuration.retry.retries = 0
    bytes = ByteLoader(
      transport: transport,
      disk: DiskCache(directory: "/cache", fileSystem: files, executor: time.lane(), timeline: timeline),
      configuration: configuration, timeline: timeline)
    loader = ResourceLoader(
      bytes: bytes, decoder: NumberDecoder(), memory: MemoryCache(limit: memory), reuse: reuse)
  }

  func sleep(_ seconds: Double) async { try? await timeline.sleep(for: .seconds(seconds)) }

  /// The value and its source, or that it is stale.
  func load(_ number: Int, policy: CachePolicy = .standard) async -> String {
    guard let loaded = try? await loader.load(NumberRequest(number, policy: policy)) else { return "error" }
    return "\(loaded.value) \(loaded.isStale ? "stale" : loaded.source.rawValue)"
  }

  /// Forgets what is in memory, as a restart does.
  func forget() { loader.memory.trim(to: 0) }

  func isQuiet() async -> Bool {
    let bytes = await bytes.activity
    let loader = await loader.activity
    return bytes == (0, 0, 0) && loader == (0, 0) && transport.running == 0
  }
}

/// Some slots, and what each was told.
actor RefreshScreen {
  private var slots: [Slot<NumberDecoder>] = []
  private let log: Shared<[[String]]>
  nonisolated var states: [[String]] { log.value }

  init(_ world: RefreshWorld, slots count: Int) {
    let log = Shared<[[String]]>(Array(repeating: [], count: count))
    self.log = log
    slots = (0..<count).map { index in
      Slot(world.loader) { state in log.update { $0[index].append(state.word) } }
    }
  }

  func show(_ number: Int?, in slot: Int) { slots[slot].show(number.map { NumberRequest($0) }) }
  func value(in slot: Int) -> Int? { slots[slot].state.value }
  func release() { slots = [] }
}
