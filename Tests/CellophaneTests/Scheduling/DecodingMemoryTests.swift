@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Memory for decoding that loaders share")
struct DecodingMemoryTests {
  /// The decodings in progress and those that ended.
  private struct Tally {
    var weight = 0
    var peak = 0
    var ended: [Int] = []
  }

  /// A decoder whose memory is the number in the body. It takes 10 ms.
  private struct HeavyDecoder: ResourceDecoder {
    let timeline: Timeline
    let limit: Int
    let tally: Shared<Tally>

    func decode(_ bytes: [UInt8], options: Int) async throws(LoadError) -> Int {
      let number = try NumberDecoder().decode(bytes, options: 1)
      let weight = min(number, limit)
      tally.update { ($0.weight, $0.peak) = ($0.weight + weight, max($0.peak, $0.weight + weight)) }
      defer { tally.update { $0.weight -= weight } }
      try await timeline.pause(for: .milliseconds(10))
      tally.update { $0.ended.append(number) }
      return number
    }
    func workingBytes(for bytes: [UInt8], options: Int) throws(LoadError) -> Int {
      try NumberDecoder().decode(bytes, options: 1)
    }
    func cost(of value: Int) -> Int { 8 }
  }

  private struct World: TestWorld {
    let base = LoaderWorld(cacheLimit: nil) { $0.transfers = 1_000 }
    let tally = Shared(Tally())
    let memory = DecodingMemory(bytes: 1_000)

    init() {
      origin.script("*") { .init(after: .milliseconds(1), $0.success()) }
    }

    func loader(_ limits: DecodingLimits = DecodingLimits(decoders: 4)) -> ResourceLoader<HeavyDecoder> {
      ResourceLoader(
        bytes: bytes, decoder: HeavyDecoder(timeline: timeline, limit: memory.bytes, tally: tally),
        memory: MemoryCache(limit: 0), reuse: .untilEvicted, limits: limits, sharing: memory)
    }

    func load(_ number: Int, _ loader: ResourceLoader<HeavyDecoder>, priority: Priority = .normal) {
      timeline.spawn { _ = try? await loader.load(NumberRequest(number, priority: priority)) }
    }
  }

  @Test("many decodings of several loaders stay within the budget and all end", arguments: 0..<20)
  func stress(seed: Int) {
    var random = SplitMix64(seed: seed)
    let world = World()
    let loaders = (0..<Int.random(in: 2...4, using: &random)).map { _ in world.loader() }
    let ended = Shared(0)
    for _ in 0..<400 {
      let (loader, start) = (
        loaders.randomElement(using: &random)!, Duration.milliseconds(Int.random(in: 0..<500, using: &random))
      )
      // Some weigh more than the budget.
      let request = NumberRequest(
        Int.random(in: 0..<1_200, using: &random), priority: Priority.allCases.randomElement(using: &random)!)
      let task = world.timeline.spawn { [request] in
        try? await world.timeline.sleep(for: start)
        _ = try? await loader.load(request)
        ended.update { $0 += 1 }
      }
      guard Int.random(in: 0..<5, using: &random) == 0 else { continue }
      let end = start + .milliseconds(Int.random(in: 0..<100, using: &random))
      world.timeline.spawn {
        try? await world.timeline.sleep(for: end)
        task.cancel()
      }
    }
    world.time.run()
    let tally = world.tally.value
    #expect(
      ended.value == 400 && tally.weight == 0 && tally.peak <= 1_000 && tally.peak > 500, "seed \(seed)")
    for loader in loaders {
      #expect(world.time.run { await loader.activity == (0, 0) } == true, "seed \(seed)")
    }
  }

  @Test("a heavy decoding of one loader does not wait behind all light ones of another")
  func heavy() {
    let world = World()
    let (light, heavy) = (world.loader(), world.loader())
    for number in 0..<200 { world.load(100 + number % 100, light) }
    world.timeline.spawn {
      try? await world.timeline.sleep(for: .milliseconds(15))
      _ = try? await heavy.load(NumberRequest(1_000))
    }
    world.time.run()
    let ended = world.tally.value.ended
    #expect(ended.firstIndex(of: 1_000).map { $0 <= 16 } == true, "\(ended)")
  }

  @Test("visible work of one loader precedes the prefetches of another")
  func visible() {
    let world = World()
    let (a, b) = (world.loader(), world.loader())
    for number in 0..<20 { world.load(900 + number, a, priority: .prefetch) }
    world.timeline.spawn {
      try? await world.timeline.sleep(for: .milliseconds(15))
      _ = try? await b.load(NumberRequest(800, priority: .visible))
    }
    world.time.run()
    #expect(world.tally.value.ended.firstIndex(of: 800).map { $0 <= 2 } == true)
  }

  @Test("a loader with a separate budget shares nothing")
  func separate() {
    let world = World()
    let (shared, separate) = (world.loader(), world.loader(DecodingLimits(decoders: 4, workingBytes: 500)))
    world.load(1_000, shared)
    for number in 1...4 { world.load(120 + number, separate) }
    world.time.run()
    // All five at the same time.
    #expect(world.tally.value.peak == 1_000 + 121 + 122 + 123 + 124)
  }

  @Test("a reservation needs room in both budgets and returns both")
  func reservations() {
    let memory = DecodingMemory(bytes: 100)
    let gates = (0..<2).map { _ in
      Gate(limits: .init(total: 1, perOrigin: 1, reserved: 0, weight: 100))
    }
    let first = memory.reserve(60, in: gates[0]) {}
    #expect(first != nil && memory.reserve(60, in: gates[1]) {} == nil)
    if let first { memory.release(first, in: gates[0]) }
    #expect(memory.reserve(100, in: gates[1]) {} != nil)
  }

  @Test("loaders share the budget of the process unless they have a separate one")
  func ofProcess() {
    #expect(DecodingMemory.ofProcess.bytes == DecodingLimits.sharedBytes)
    #expect(DecodingLimits().workingBytes == nil && DecodingLimits.sharedBytes <= 512 << 20)
  }
}
