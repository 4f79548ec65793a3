internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Serial event handlers, in virtual time")
struct SerialHandlerTests {
  private struct Run {
    let handled: [Int]
    let most: Int
    let counters: SerialHandler<Int>.Counters
  }

  /// Handles events, 10 ms each, and returns the handled events and the peak of concurrent ones.
  private func run(
    capacity: Int, _ overflow: BufferOverflow, fails: @escaping @Sendable (Int) -> Bool = { _ in false },
    _ send: @escaping @Sendable (SerialHandler<Int>, Timeline) async -> Void
  ) -> Run? {
    let time = VirtualTime()
    let timeline = time.timeline()
    let handled = Shared<[Int]>([])
    let running = Shared((now: 0, most: 0))
    return time.run {
      let handler = SerialHandler<Int>(capacity: capacity, overflow: overflow, timeline: timeline) { event in
        running.update { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        defer { running.update { $0.now -= 1 } }
        try await timeline.sleep(for: .milliseconds(10))
        handled.update { $0.append(event) }
        if fails(event) { throw LoadError(.status, "\(event)") }
      }
      await send(handler, timeline)
      await handler.finished()
      return Run(handled: handled.value, most: running.value.most, counters: handler.counters)
    }
  }

  @Test("each overflow rule handles a thousand events with a buffer of ten")
  func thousand() {
    let oldest = run(capacity: 10, .dropOldest) { handler, _ in
      for event in 0..<1_000 { handler.yield(event) }
      handler.finish()
    }
    #expect(oldest?.handled == Array(990..<1_000))
    #expect(oldest?.counters.dropped == 990)
    let newest = run(capacity: 10, .dropNewest) { handler, _ in
      for event in 0..<1_000 { #expect(handler.yield(event) == (event < 10)) }
      handler.finish()
    }
    #expect(newest?.handled == Array(0..<10))
    #expect(newest?.counters.dropped == 990)
    let waiting = run(capacity: 10, .suspend) { handler, timeline in
      for event in 0..<1_000 { #expect(await handler.send(event)) }
      // At most ten events are in the buffer, and one is in progress.
      #expect(timeline.now >= .milliseconds(9_890))
      handler.finish()
    }
    #expect(waiting?.handled == Array(0..<1_000))
    #expect(waiting?.counters.dropped == 0)
    for run in [oldest, newest, waiting] {
      #expect(run?.most == 1)
      #expect(run?.counters.handled == run?.handled.count && run?.counters.buffered == 0)
    }
  }

  @Test("a thousand concurrent senders wait for room in their order")
  func senders() {
    let run = run(capacity: 10, .suspend) { handler, _ in
      await withTaskGroup { group in
        for event in 0..<1_000 { group.addTask { #expect(await handler.send(event)) } }
      }
      handler.finish()
    }
    #expect(run?.handled == Array(0..<1_000) && run?.most == 1)
  }

  @Test("a failed event is counted, and the next one is handled")
  func failing() {
    let run = run(capacity: 10, .suspend, fails: { $0.isMultiple(of: 2) }) { handler, _ in
      for event in 0..<10 { await handler.send(event) }
      handler.finish()
      #expect(await !handler.send(10))
      #expect(!handler.yield(11))
    }
    #expect(run?.handled == Array(0..<10))
    #expect(run?.counters.failed == 5 && run?.counters.handled == 5)
  }

  @Test("failures are reported with their events, in order")
  func failures() {
    let time = VirtualTime()
    let failures = Shared<[String]>([])
    time.run {
      let handler = SerialHandler<Int>(
        capacity: 3, overflow: .suspend, timeline: time.timeline(),
        onFailure: { event, error in failures.update { $0.append("\(event) \(error)") } },
        handle: { throw LoadError(.status, "\($0)") })
      for event in 0..<3 { handler.yield(event) }
      handler.finish()
      await handler.finished()
    }
    #expect(failures.value == ["0 status: 0", "1 status: 1", "2 status: 2"])
  }

  @Test("a cancellation ends the current event, drops the others and resumes waiting senders")
  func cancelling() {
    let run = run(capacity: 2, .suspend) { handler, timeline in
      for event in 0..<6 { timeline.spawn { #expect(await handler.send(event) == (event < 4)) } }
      try? await timeline.sleep(for: .milliseconds(15))
      handler.cancel()
      #expect(await !handler.send(7))
    }
    #expect(run?.handled == [0])
    #expect(run?.counters.failed == 1 && run?.counters.dropped == 4)
  }

  @Test("a sender that is cancelled while it waits withdraws its event")
  func cancelledSender() {
    let run = run(capacity: 1, .suspend) { handler, timeline in
      handler.yield(0)
      await Task.yield()
      handler.yield(1)
      let sender = timeline.spawn { #expect(await !handler.send(2)) }
      let next = timeline.spawn { #expect(await handler.send(3)) }
      try? await timeline.sleep(for: .milliseconds(5))
      sender.cancel()
      await next.value
      handler.finish()
    }
    #expect(run?.handled == [0, 1, 3] && run?.counters.dropped == 0)
  }

  @Test("releasing the handler cancels the current event")
  func release() {
    let time = VirtualTime()
    let timeline = time.timeline()
    let ended = Shared<Duration?>(nil)
    timeline.spawn {
      var handler: SerialHandler<Int>? = SerialHandler(capacity: 1, overflow: .dropOldest, timeline: timeline)
      { _ in
        defer { ended.value = timeline.now }
        try await timeline.sleep(for: .seconds(1))
      }
      weak let trace = handler
      handler?.yield(1)
      try? await timeline.sleep(for: .milliseconds(10))
      handler = nil
      #expect(trace == nil)
    }
    time.run()
    #expect(ended.value == .milliseconds(10) && time.now.nanoseconds == 10_000_000)
  }

  /// On real threads.
  @Test("all events of several threads are handled, in the order of each sender")
  func threads() async {
    let handled = Shared<[Int]>([])
    let handler = SerialHandler<Int>(capacity: 10, overflow: .suspend) { event in
      handled.update { $0.append(event) }
    }
    await withTaskGroup { group in
      for sender in 0..<8 {
        group.addTask { for number in 0..<200 { await handler.send(sender * 1_000 + number) } }
      }
    }
    handler.finish()
    await handler.finished()
    for sender in 0..<8 {
      #expect(handled.value.filter { $0 / 1_000 == sender } == (0..<200).map { sender * 1_000 + $0 })
    }
    #expect(handler.counters.handled == 1_600)
  }
}
