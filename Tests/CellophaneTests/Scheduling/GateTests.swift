internal import Testing

@testable internal import Cellophane

@Suite("The gate releases cancelled work", .timeLimit(.minutes(1))) struct GateTests {
  @Test("work that is cancelled in the queue leaves nothing behind") func cancelled() async throws {
    let gate = Gate(limits: GateQueue.Limits(total: 1, perOrigin: 1, reserved: 0))
    let (hasBegun, mayEnd) = (OneShot<Void>(), OneShot<Void>())
    let first = Task {
      try await gate.run(for: nil, priority: LivePriority(.normal)) {
        hasBegun.settle(())
        await mayEnd.value
      }
    }
    await hasBegun.value
    weak var retained: LivePriority?
    let second: Task<Void, any Error>
    do {
      let priority = LivePriority(.normal)
      retained = priority
      second = Task { try await gate.run(for: nil, priority: priority) {} }
    }
    while gate.load.waiting == 0 { await Task.yield() }
    second.cancel()
    await #expect(throws: LoadError.cancelled) { try await second.value }
    #expect(gate.load == (1, 0))
    mayEnd.settle(())
    try await first.value
    #expect(retained == nil && gate.load == (0, 0))
  }
}
