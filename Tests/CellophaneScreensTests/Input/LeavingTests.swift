internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Operators that are left, in virtual time")
struct LeavingTests {
  private enum Operator: CaseIterable {
    case debounce, throttle, merge, combineLatest, concurrentMap
  }

  private enum Way: CaseIterable {
    /// The task that reads is cancelled.
    case cancel
    /// The loop is left at the first element after that time.
    case leave
  }

  private static func read(
    _ kind: Operator, _ input: AsyncStream<Int>, on timeline: Timeline, isDone: () async -> Bool
  ) async {
    let quiet = AsyncStream<Int> { continuation in
      // Has one element, and no end.
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
    "a slow reader that is cancelled reads no more, though there is always something",
    arguments: Operator.allCases)
  private func slow(kind: Operator) {
    let time = VirtualTime()
    let timeline = time.timeline()
    let read = Shared(0)
    let hasLeft = Shared(false)
    let (input, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
    let reader = timeline.spawn {
      await Self.read(kind, input, on: timeline) {
        read.update { $0 += 1 }
        // Another task's, which nobody cancels.
        await timeline.spawn { try? await timeline.sleep(for: .milliseconds(150)) }.value
        return false
      }
      hasLeft.value = true
    }
    timeline.spawn {
      for number in 0..<400 where !hasLeft.value {
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
    #expect(hasLeft.value && time.now.nanoseconds <= 1_300_000_000, "\(kind)")
  }

  // Before the first element, in the instant of one, between two, and while one is held back.
  @Test(
    "nothing runs any more, and the input is let go, at once",
    arguments: Operator.allCases, Way.allCases)
  private func leaving(kind: Operator, way: Way) {
    for milliseconds in [0, 50, 100, 130, 200, 245] {
      let time = VirtualTime()
      let timeline = time.timeline()
      let released = Shared<Duration?>(nil)
      let hasLeft = Shared<Duration?>(nil)
      let (input, continuation) = AsyncStream.makeStream(of: Int.self)
      continuation.onTermination = { _ in released.value = released.value ?? timeline.now }
      let reader = timeline.spawn {
        await Self.read(kind, input, on: timeline) {
          way == .leave && timeline.now >= .milliseconds(milliseconds)
        }
        hasLeft.value = timeline.now
      }
      timeline.spawn {
        for number in 1...20 {
          try? await timeline.sleep(for: .milliseconds(number < 3 ? 100 : 40))
          if hasLeft.value == nil { continuation.yield(number) }
        }
      }
      timeline.spawn {
        try? await timeline.sleep(for: .milliseconds(milliseconds))
        if way == .cancel { reader.cancel() }
      }
      time.run()
      #expect(released.value == hasLeft.value && hasLeft.value != nil, "\(kind) \(way) \(milliseconds)")
      if way == .cancel { #expect(hasLeft.value == .milliseconds(milliseconds), "\(kind) \(milliseconds)") }
    }
  }
}
