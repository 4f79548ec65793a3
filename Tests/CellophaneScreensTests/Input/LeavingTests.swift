internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
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
    _ kind: Operator, _ input: AsyncStream<Int>, on timeline: Timeline, isDone: () -> Bool
  ) async {
    let quiet = AsyncStream<Int> { continuation in
      // Has one element, and no end.
      continuation.yield(0)
      continuation.onTermination = { [continuation] _ in _ = continuation }
    }
    switch kind {
    case .debounce:
      for await _ in input.debounce(for: .milliseconds(60), on: timeline) where isDone() { break }
    case .throttle:
      for await _ in input.throttle(for: .milliseconds(60), on: timeline) where isDone() { break }
    case .merge: for await _ in merge(input, quiet, on: timeline) where isDone() { break }
    case .combineLatest: for await _ in combineLatest(quiet, input, on: timeline) where isDone() { break }
    case .concurrentMap:
      let values = (0..<100).concurrentMapUnordered(limit: 3, on: timeline) { number in
        for await _ in input { break }
        return number
      }
      for await _ in values where isDone() { break }
    }
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
