internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Cancellation of operators, in virtual time")
struct OperatorCancellationTests {
  private enum Operator: CaseIterable {
    case debounce, throttle, merge, combineLatest, concurrentMap
  }

  private enum End: CaseIterable {
    /// The reading task is cancelled.
    case cancellation
    /// The loop ends at the first element after that time.
    case loopExit
  }

  private static func read(
    _ kind: Operator, _ input: AsyncStream<Int>, on timeline: Timeline, isDone: () async -> Bool
  ) async {
    let quiet = AsyncStream<Int> { continuation in
      // One element, and no end.
      continuation.yield(0)
      continuation.onTermination = { [continuation] _ in _ = continuation }
    }
    switch kind {
    case .debounce:
      for await _ in input.debounce(for: .milliseconds(60), on: timeline) { if await isDone() { break } }
    case .throttle:
      for await _ in input.throttle(for: .milliseconds(60), on: timeline) { if await isDone() { break } }
    case .merge: for await _ in merge(input, quiet, on: timeline) { if await isDone() { break } }
    case .combineLatest:
      for await _ in combineLatest(quiet, input, on: timeline) { if await isDone() { break } }
    case .concurrentMap:
      let values = (0..<100).concurrentMapUnordered(limit: 3, on: timeline) { number in
        for await _ in input { break }
        return number
      }
      for await _ in values { if await isDone() { break } }
    }
  }

  @Test(
    "a cancelled slow reader stops, even if elements are always available",
    arguments: Operator.allCases)
  private func slow(kind: Operator) {
    let time = VirtualTime()
    let timeline = time.timeline()
    let read = Shared(0)
    let hasEnded = Shared(false)
    let (input, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
    let reader = timeline.spawn {
      await Self.read(kind, input, on: timeline) {
        read.update { $0 += 1 }
        // The sleep of a separate task, which is not cancelled.
        await timeline.spawn { try? await timeline.sleep(for: .milliseconds(150)) }.value
        return false
      }
      hasEnded.value = true
    }
    timeline.spawn {
      for number in 0..<400 where !hasEnded.value {
        continuation.yield(number)
        try? await timeline.sleep(for: .milliseconds(100))
      }
    }
    timeline.spawn {
      try? await timeline.sleep(for: .milliseconds(1_000))
      reader.cancel()
    }
    time.run()
    #expect((1...9).contains(read.value), "\(kind) \(read.value)")
    #expect(hasEnded.value && time.now.nanoseconds <= 1_300_000_000, "\(kind)")
  }

  // Before the first element, at the time of an element, between two elements, and while one is held back.
  @Test(
    "the end of the reader ends all work and releases the input at once",
    arguments: Operator.allCases, End.allCases)
  private func ending(kind: Operator, end: End) {
    for milliseconds in [0, 50, 100, 130, 200, 245] {
      let time = VirtualTime()
      let timeline = time.timeline()
      let released = Shared<Duration?>(nil)
      let endedAt = Shared<Duration?>(nil)
      let (input, continuation) = AsyncStream.makeStream(of: Int.self)
      continuation.onTermination = { _ in released.value = released.value ?? timeline.now }
      let reader = timeline.spawn {
        await Self.read(kind, input, on: timeline) {
          end == .loopExit && timeline.now >= .milliseconds(milliseconds)
        }
        endedAt.value = timeline.now
      }
      timeline.spawn {
        for number in 1...20 {
          try? await timeline.sleep(for: .milliseconds(number < 3 ? 100 : 40))
          if endedAt.value == nil { continuation.yield(number) }
        }
      }
      timeline.spawn {
        try? await timeline.sleep(for: .milliseconds(milliseconds))
        if end == .cancellation { reader.cancel() }
      }
      time.run()
      #expect(released.value == endedAt.value && endedAt.value != nil, "\(kind) \(end) \(milliseconds)")
      if end == .cancellation {
        #expect(endedAt.value == .milliseconds(milliseconds), "\(kind) \(milliseconds)")
      }
    }
  }
}
