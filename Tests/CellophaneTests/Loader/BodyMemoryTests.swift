@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("The memory that bodies of loads in progress share")
struct BodyMemoryTests {
  /// A loader with a limit of memory for bodies, in virtual time.
  private struct World {
    let time: VirtualTime
    let origin: ScriptedTransport
    let memory: BodyMemory
    let bytes: ByteLoader
    let ended = Shared<[String: Int]>([:])

    init(bytes limit: Int, seed: Int = 0) {
      time = VirtualTime(seed: UInt64(seed))
      origin = ScriptedTransport(timeline: time.timeline())
      memory = BodyMemory(bytes: limit)
      var configuration = ByteLoader.Configuration()
      (configuration.transfers, configuration.transfersPerOrigin) = (64, 64)
      bytes = ByteLoader(
        transport: origin, configuration: configuration, timeline: origin.timeline, bodies: memory)
    }

    /// Starts a load, and records the size of its body; -1 after an error.
    @discardableResult
    func load(_ url: String, _ priority: Priority = .normal) -> Task<Void, Never> {
      origin.timeline.spawn { [bytes, ended] in
        let loaded = try? await bytes.load(Request<Int>(url, options: 0, priority: priority))
        ended.update { $0[url] = loaded?.bytes.count ?? -1 }
      }
    }

    /// Records the peak of the memory in use every 100 µs until `end`.
    func watch(until end: Duration) -> Shared<Int> {
      let peak = Shared(0)
      origin.timeline.spawn { [memory, timeline = origin.timeline] in
        while timeline.now < end {
          peak.update { $0 = max($0, memory.load.used) }
          try? await timeline.sleep(for: .microseconds(100))
        }
      }
      return peak
    }
  }

  private static func body(_ count: Int, hasLength: Bool = true, _ headers: HeaderFields = [:])
    -> ScriptedTransport.Answer
  {
    var headers = headers
    if hasLength { headers["content-length"] = "\(count)" }
    return .status(200, headers, body: [UInt8](repeating: 1, count: count))
      .after(.milliseconds(1)).inPieces(of: max(1, count / 10), every: .milliseconds(1))
  }

  @Test(
    "bodies that exceed the memory together arrive one after the other",
    arguments: [(true, 100_000), (false, 100_000), (true, 900_000), (false, 900_000)])
  func tooMuchTogether(hasLength: Bool, count: Int) {
    // 900 000 bytes exceed the memory alone.
    let world = World(bytes: 250_000)
    let peak = world.watch(until: .seconds(1))
    world.origin.script("*") { _ in Self.body(count, hasLength: hasLength) }
    for number in 1...8 { world.load("http://h/\(number)") }
    world.time.run()
    #expect(world.ended.value.count == 8 && world.ended.value.values.allSatisfy { $0 == count })
    #expect(peak.value <= max(250_000, 4 * count) && peak.value >= count)
    #expect(world.memory.load == (0, 0))
    #expect(world.origin.counters.started <= 8 * 3)
  }

  @Test("a load that lacked memory ends in time, although it waited for longer than its time")
  func deadline() {
    let world = World(bytes: 250_000)
    world.origin.script("*") { _ in
      Self.body(200_000).inPieces(of: 5_000, every: .seconds(1))
    }
    for number in 1...5 { world.load("http://h/\(number)") }
    world.time.run()
    #expect(world.ended.value.values.allSatisfy { $0 == 200_000 })
    #expect(world.origin.timeline.now > .seconds(160))
  }

  @Test("a visible load gets memory before loads that wait longer")
  func priority() {
    let world = World(bytes: 100_000)
    let order = Shared<[String]>([])
    world.origin.script("*") { request in
      order.update { $0.append(request.url) }
      return Self.body(80_000)
    }
    for number in 1...4 { world.load("http://h/\(number)", .prefetch) }
    world.time.run(until: world.time.now.advanced(by: .milliseconds(5)))
    world.load("http://h/visible", .visible)
    world.time.run()
    #expect(world.ended.value.count == 5)
    // Three of the four requests at once are refused, and wait behind the visible one.
    #expect(order.value.dropFirst(4).first == "http://h/visible", "\(order.value)")
  }

  @Test("all loads end well, and no memory is left, though some are cancelled", arguments: 0..<40)
  func stress(seed: Int) {
    var random = SplitMix64(seed: seed)
    let world = World(bytes: 200_000, seed: seed)
    var sizes: [String: Int] = [:]
    for number in 0..<120 {
      let (url, count) = ("http://h\(number % 3)/\(number)", Int.random(in: 0..<300_000, using: &random))
      sizes[url] = count
      let whole = Self.body(
        count, hasLength: Bool.random(using: &random), ["etag": "\"1\"", "accept-ranges": "bytes"]
      ).obeyingConditions()
      let breaks = Int.random(in: 0..<4, using: &random) == 0
      world.origin.script(url, breaks ? [whole.broken(after: count / 2), whole] : [whole])
      let (start, priority) = (
        Duration.microseconds(Int.random(in: 0..<50_000, using: &random)),
        Priority.allCases.randomElement(using: &random)!
      )
      let isCancelled = Int.random(in: 0..<5, using: &random) == 0
      let end = Duration.microseconds(Int.random(in: 0..<100_000, using: &random))
      if isCancelled { sizes[url] = nil }
      world.origin.timeline.spawn { [timeline = world.origin.timeline] in
        try? await timeline.sleep(for: start)
        let task = world.load(url, priority)
        guard isCancelled else { return }
        try? await timeline.sleep(for: end)
        task.cancel()
      }
    }
    world.time.run()
    #expect(world.ended.value.count == 120, "seed \(seed)")
    for (url, size) in sizes { #expect(world.ended.value[url] == size, "seed \(seed): \(url)") }
    #expect(world.memory.load == (0, 0), "seed \(seed)")
  }

  @Test("the page of an error takes no memory, and a declared length takes none that the body does not need")
  func others() {
    let world = World(bytes: 1_000)
    world.origin.script("http://h/error", .status(404, ["content-length": "5000"], body: [1]))
    world.origin.script("http://h/huge", .status(200, ["content-length": "\(Int.max)"], body: [1]))
    world.load("http://h/error")
    world.load("http://h/huge")
    world.time.run()
    #expect(world.ended.value == ["http://h/error": -1, "http://h/huge": 1])
    #expect(world.memory.load == (0, 0))
  }

  @Test("the bytes of a batch count until it drops them, and those of other callers do not count")
  func kept() throws {
    let world = World(bytes: 1_000)
    world.origin.script("*") { _ in Self.body(800) }
    let request = try Request<Int>("http://h/1", options: 0)
    let batch = world.time.run { [bytes = world.bytes] in
      try? await bytes.load(request, observer: FetchObserver(), retries: nil)
    }
    #expect(world.memory.load.used >= 800)
    let bytes = batch??.withoutMemory.bytes.count
    _ = consume batch
    let loaded = world.time.run { [bytes = world.bytes] in try? await bytes.load(request) }
    #expect(world.memory.load.used == 0 && bytes == 800 && loaded??.bytes.count == 800)
  }
}
