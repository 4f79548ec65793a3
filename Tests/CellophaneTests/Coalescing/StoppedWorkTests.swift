@testable internal import Cellophane
internal import Synchronization
internal import Testing

@Suite("Work that has stopped without waiters", .timeLimit(.minutes(1)))
struct StoppedWorkTests {
  /// The progress of work that continues without waiters and cannot be joined again.
  private struct StoppedProgress: FlightProgress {
    func noteJoined() -> Bool { false }
  }

  private actor Loader: Coalescing {
    var inFlight = InFlightTable<Int, CoalescedWaiter<Int>, CoalescedWork<StoppedProgress>>()
    nonisolated let timeline = Timeline()
    nonisolated let events = EventHub(timeline: Timeline())

    nonisolated func grace(for key: Int, _ progress: StoppedProgress, _ priority: Priority) -> Duration? {
      .seconds(3_600)
    }
    var count: Int { inFlight.count }
    func waiters(of key: Int) -> Int { inFlight.waiters(of: key) }
  }

  /// Work that signals its start and waits for permission to end.
  private final class Work: Sendable {
    let begun = OneShot<Void>()
    let mayEnd = OneShot<Void>()

    func run(_ value: Int) async -> Int {
      begun.settle(())
      await mayEnd.value
      return value
    }
  }

  @Test("a caller that joins stopped work starts new work")
  func stopped() async throws {
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
