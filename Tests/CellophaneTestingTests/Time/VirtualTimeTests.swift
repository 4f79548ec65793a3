import Cellophane
import CellophaneTesting
import Synchronization
import Testing

@Suite struct VirtualTimeTests {
  @Test func `quiescence comes when nothing is ready and nobody sleeps, one waiter after the other`() {
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

  @Test func `time that stands before a deadline is no quiescence`() {
    let time = VirtualTime()
    let timeline = time.timeline()
    let over = Notes<Bool>()
    timeline.spawn {
      await time.quiescence()
      over.add(true)
    }
    timeline.spawn { try? await timeline.sleep(for: .nanoseconds(10)) }
    time.run(until: time.now.advanced(by: .nanoseconds(9)))
    #expect(over.all.isEmpty)
    time.run()
    #expect(over.all == [true])
  }

  /// The order in which tasks go on that are ready at once: as they begin, and as they wake at the same instant.
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

  @Test func `with a seed, those that are ready go on in another order for each, the same each time`() {
    #expect(order(seed: nil) == Array(0..<16))
    let orders = (0..<50).map { order(seed: $0) }
    #expect((0..<50).map { order(seed: $0) } == orders)
    #expect(Set(orders).count == 50 && Set(orders.map { $0.suffix(8) }).count == 50)
    // Nobody wakes before its time.
    #expect(orders.allSatisfy { $0.prefix(8).allSatisfy { $0 < 8 } && $0.sorted() == Array(0..<16) })
  }

  @Test func `what waits for itself gives nothing`() {
    let time = VirtualTime()
    let value: Int? = time.run {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      for await number in stream { return number }
      continuation.finish()
      return 0
    }
    #expect(value == nil)
  }

  @Test func `instants are exact to the nanosecond, however late`() {
    let start = VirtualTime().now.advanced(by: .nanoseconds(1))
    for nanoseconds in [0, 1, 999_999_999, 12_345_678_901, 4_503_599_627_370_497, 1 << 60] as [Int64] {
      #expect(start.advanced(by: .nanoseconds(nanoseconds)).nanoseconds == nanoseconds + 1)
    }
    #expect(
      start.advanced(by: .nanoseconds(5) + Duration(secondsComponent: 0, attosecondsComponent: 9)).nanoseconds
        == 6)
  }
}

/// What tasks write down, in the order in which they do.
private final class Notes<Note: Sendable>: Sendable {
  private let notes = Mutex<[Note]>([])

  var all: [Note] { notes.withLock { $0 } }

  func add(_ note: Note) { notes.withLock { $0.append(note) } }
}
