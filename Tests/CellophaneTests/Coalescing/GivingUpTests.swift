@testable internal import Cellophane
internal import Synchronization
internal import Testing

@Suite("Work that gives up when nobody waits", .timeLimit(.minutes(1)))
struct GivingUpTests {
  /// Goes on although nobody waits, but nobody may join it again.
  private struct GivenUp: FlightProgress {
    func noteJoined() -> Bool { false }
  }

  private actor Loader: Coalescing {
    var inFlight = InFlightTable<Int, CoalescedWaiter<Int>, CoalescedWork<GivenUp>>()
    nonisolated let timeline = Timeline()
    nonisolated let events = EventHub(timeline: Timeline())

    nonisolated func grace(for key: Int, _ progress: GivenUp, _ priority: Priority) -> Duration? {
      .seconds(3_600)
    }
    var count: Int { inFlight.count }
    func waiters(of key: Int) -> Int { inFlight.waiters(of: key) }
  }

  /// One piece of work: when it has begun, and when it may end.
  private final class Work: Sendable {
    let begun = OneShot<Void>()
    let mayEnd = OneShot<Void>()

    func run(_ value: Int) async -> Int {
      begun.settle(())
      await mayEnd.value
      return value
    }
  }

  @Test("who comes when the work has given up gets work of its own")
  func givenUp() async throws {
    let loader = Loader()
    let works = [Work(), Work()]
    let load: @Sendable (Int) async throws -> Int = { index in
      try await loader.coalesce(1, priority: .normal) { _, _ in await works[index].run(index) }
    }
    let first = Task { try await load(0) }
    await works[0].begun.value
    first.cancel()
    await #expect(throws: LoadError.cancelled) { try await first.value }
    while await loader.waiters(of: 1) > 0 { await Task.yield() }
    #expect(await loader.count == 1)
    let second = Task { try await load(1) }
    await works[1].begun.value
    works[0].mayEnd.settle(())
    works[1].mayEnd.settle(())
    #expect(try await second.value == 1)
    while await loader.count > 0 { await Task.yield() }
  }
}
