@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Cancellation under stress", .thorough)
struct CancellationStressTests {
  /// The results of the callers.
  struct Tally: Equatable {
    var values = 0
    var failures = 0
    var cancelled = 0
    var wrong = 0
    var total: Int { values + failures + cancelled }
  }

  static func load(
    _ request: NumberRequest, from loader: ResourceLoader<NumberDecoder>, into tally: Shared<Tally>
  ) async {
    let result: Result<Int, LoadError>
    do throws(LoadError) { result = .success(try await loader.load(request).value) } catch {
      result = .failure(error)
    }
    tally.update { tally in
      switch result {
      case .success(let value):
        tally.values += 1
        if value % 1_000 != 0 || value / 1_000 != Int(request.url.split(separator: "/").last ?? "") {
          tally.wrong += 1
        }
      case .failure(.cancelled): tally.cancelled += 1
      case .failure: tally.failures += 1
      }
    }
  }

  /// Weak references to the objects that each task of a loader retains. Nil when no task is left.
  struct WeakReferences {
    weak let loader: ResourceLoader<NumberDecoder>?
    weak let bytes: ByteLoader?
  }

  @Test(
    "20 000 loads of 50 keys end once each, though a third is cancelled before, during or after them",
    arguments: 0..<TestScope.rounds(4, soak: 10))
  func virtualTime(seed: Int) {
    let references = stress(seed: seed)
    #expect(references.loader == nil && references.bytes == nil, "seed \(seed): a task is left")
  }

  func stress(seed: Int) -> WeakReferences {
    var random = SplitMix64(seed: seed)
    let world = NumberWorld(memory: 10 * (8 + MemoryCacheLimit.entryCost)) { request in
      let delay = Duration.microseconds(request.number &* 37 % 900)
      return request.number % 10 == 9
        ? .init(after: delay, .failure(LoadError(.tls, "distrusted")))
        : .init(after: delay, request.success())
    }
    let tally = Shared(Tally())
    var cancelled = 0
    for _ in 0..<20_000 {
      let request = NumberRequest(
        Int.random(in: 0..<50, using: &random), times: 1_000,
        priority: Priority.allCases[Int.random(in: 0..<3, using: &random)])
      let start = Duration.microseconds(Int.random(in: 0..<40_000, using: &random))
      let task = world.timeline.spawn {
        try? await world.timeline.sleep(for: start)
        await Self.load(request, from: world.loader, into: tally)
      }
      guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
      cancelled += 1
      let end = start + .microseconds(Int.random(in: -50..<900, using: &random))
      world.timeline.spawn {
        try? await world.timeline.sleep(for: end)
        task.cancel()
      }
    }
    world.time.run()
    let outcome = tally.value
    #expect(outcome.total == 20_000 && outcome.wrong == 0, "seed \(seed)")
    #expect(outcome.cancelled <= cancelled && outcome.cancelled > 0, "seed \(seed)")
    #expect(world.origin.counters.duplicates == 0, "seed \(seed)")
    #expect(
      world.origin.counters.cancelled > 0 && world.origin.counters.mostAtOnce <= 6, "seed \(seed)")
    #expect(world.time.run { await world.isIdle() } == true, "seed \(seed)")
    return WeakReferences(loader: world.loader, bytes: world.bytes)
  }

  @Test("20 000 loads on real threads end once each, though another thread cancels a third", arguments: 0..<4)
  func threads(seed: Int) async {
    let timeline = Timeline()
    // No delay: on real threads the races come from the threads.
    let transport = ScriptedTransport(timeline: timeline) { .init($0.success()) }
    let bytes = ByteLoader(transport: transport, timeline: timeline)
    let loader = ResourceLoader(
      bytes: bytes, decoder: NumberDecoder(),
      memory: MemoryCache(limit: 10 * (8 + MemoryCacheLimit.entryCost)))
    let tally = Shared(Tally())
    var random = SplitMix64(seed: seed)
    var tasks: [Task<Void, Never>] = []
    var cancelled = 0
    for _ in 0..<20_000 {
      let request = NumberRequest(Int.random(in: 0..<50, using: &random), times: 1_000)
      let task = timeline.spawn { await Self.load(request, from: loader, into: tally) }
      tasks.append(task)
      // Cancels a load at once, or some loads later while it runs on another thread.
      if Int.random(in: 0..<3, using: &random) == 0 {
        cancelled += 1
        tasks[tasks.count - 1 - Int.random(in: 0..<min(tasks.count, 30), using: &random)].cancel()
      }
    }
    for task in tasks { await task.value }
    let outcome = tally.value
    #expect(outcome.total == 20_000 && outcome.wrong == 0 && outcome.failures == 0, "seed \(seed)")
    #expect(outcome.cancelled <= cancelled, "seed \(seed)")
    // Callers return at once. The cancellation of their loads ends later.
    while true {
      let (running, waiting, inFlight) = await bytes.activity
      let (values, decoding) = await loader.activity
      if running + waiting + inFlight + values + decoding == 0 { break }
      await Task.yield()
    }
  }
}
