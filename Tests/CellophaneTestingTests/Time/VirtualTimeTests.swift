import Cellophane
import CellophaneTesting
import Synchronization
import Testing

@Suite struct VirtualTimeTests {
  @Test func `quiescence waits until no task is ready or sleeps, and resumes one waiter at a time`() {
    let time = VirtualTime()
    let timeline = time.timeline()
    let log = Notes<String>()
    for name in ["a", "b"] {
      timeline.spawn {
        await time.quiescence()
        log.add("\(name) \(time.now.nanoseconds)")
        try? await timeline.sleep(for: .nanoseconds(5))
      }
    }
    timeline.spawn {
      try? await timeline.sleep(for: .nanoseconds(7))
      log.add("slept")
    }
    time.run()
    #expect(log.all == ["slept", "a 7", "b 12"])
  }

  @Test func `a run that stops at a deadline before a sleeper is not quiescent`() {
    let time = VirtualTime()
    let timeline = time.timeline()
    let isQuiescent = Notes<Bool>()
    timeline.spawn {
      await time.quiescence()
      isQuiescent.add(true)
    }
    timeline.spawn { try? await timeline.sleep(for: .nanoseconds(10)) }
    time.run(until: time.now.advanced(by: .nanoseconds(9)))
    #expect(isQuiescent.all.isEmpty)
    time.run()
    #expect(isQuiescent.all == [true])
  }

  /// Returns the order of tasks that are ready at the same time: at their start, and after a sleep to the same instant.
  private func order(seed: UInt64?) -> [Int] {
    let time = VirtualTime(seed: seed)
    let log = Mutex<[Int]>([])
    for number in 0..<8 {
      let timeline = time.timeline()
      timeline.spawn { @Sendable in
        log.withLock { $0.append(number) }
        try? await timeline.sleep(for: .seconds(1))
        log.withLock { $0.append(8 + number) }
      }
    }
    time.run()
    return log.withLock(\.self)
  }

  @Test func `each seed selects another order of the ready tasks, and always the same order`() {
    #expect(order(seed: nil) == Array(0..<16))
    let orders = (0..<50).map { order(seed: $0) }
    #expect((0..<50).map { order(seed: $0) } == orders)
    #expect(Set(orders).count == 50 && Set(orders.map { $0.suffix(8) }).count == 50)
    // No task wakes before its time.
    #expect(orders.allSatisfy { $0.prefix(8).allSatisfy { $0 < 8 } && $0.sorted() == Array(0..<16) })
  }

  @Test func `an operation that never ends gives nil`() {
    let time = VirtualTime()
    let value: Int? = time.run {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      for await number in stream { return number }
      continuation.finish()
      return 0
    }
    #expect(value == nil)
  }

  @Test func `instants are exact to the nanosecond, even after years`() {
    let start = VirtualTime().now.advanced(by: .nanoseconds(1))
    for nanoseconds in [0, 1, 999_999_999, 12_345_678_901, 4_503_599_627_370_497, 1 << 60] as [Int64] {
      #expect(start.advanced(by: .nanoseconds(nanoseconds)).nanoseconds == nanoseconds + 1)
    }
    #expect(
      start.advanced(by: .nanoseconds(5) + Duration(secondsComponent: 0, attosecondsComponent: 9)).nanoseconds
        == 6)
  }
}

/// Notes of several tasks, in the order in which they were added.
private final class Notes<Note: Sendable>: Sendable {
  private let notes = Mutex<[Note]>([])

  var all: [Note] { notes.withLock { $0 } }

  func add(_ note: Note) { notes.withLock { $0.append(note) } }
}
