internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Debounce and throttle, in virtual time")
struct PacedSequenceTests {
  private func log<Values: AsyncSequence & SendableMetatype>(
    pausing pause: Duration = .zero, _ make: @escaping @Sendable (Timeline) -> Values
  ) -> [String]? {
    let time = VirtualTime()
    return time.run { await time.timeline().record(make(time.timeline()), pausing: pause) }
  }

  private static let typing = [(0, "H"), (100, "He"), (200, "Hel"), (900, "Hell"), (1_000, "Hello")]

  @Test("debounce delivers the last element of each burst, and the pending one at the end")
  func debounce() {
    let log = log { timeline in
      timeline.input(Self.typing, endsAt: 1_100).debounce(for: .milliseconds(300), on: timeline)
    }
    #expect(log == ["Hel@500", "Hello@1100", "end@1100"])
  }

  @Test("throttle delivers the first element at once, then the latest at the end of each interval")
  func throttle() {
    let log = log { timeline in
      timeline.input(Self.typing, endsAt: 1_100).throttle(for: .milliseconds(300), on: timeline)
    }
    #expect(log == ["H@0", "Hel@300", "Hell@900", "Hello@1200", "end@1200"])
  }

  @Test("a slow reader gets the latest element")
  func slow() {
    let log = log(pausing: .milliseconds(930)) { timeline in
      timeline.input((0..<20).map { ($0 * 100, $0) }, endsAt: 2_000).throttle(
        for: .milliseconds(100), on: timeline)
    }
    #expect(log == ["0@0", "9@930", "18@1860", "19@2790", "end@3720"])
  }

  @Test("an empty input ends without a delay")
  func empty() {
    #expect(
      log { $0.input([(at: Int, value: Int)](), endsAt: 50).debounce(for: .seconds(1), on: $0) } == ["end@50"]
    )
    #expect(
      log { $0.input([(at: Int, value: Int)](), endsAt: 50).throttle(for: .seconds(1), on: $0) } == ["end@50"]
    )
  }

  @Test("an error follows the pending element")
  func errors() {
    let failing: @Sendable (Timeline) -> AsyncThrowingMapSequence<AsyncStream<String>, String> = { timeline in
      timeline.input(Self.typing, endsAt: 1_100).map { text in
        if text == "Hell" { throw LoadError(.status, "no") }
        return text
      }
    }
    let debounced = log { failing($0).debounce(for: .milliseconds(800), on: $0) }
    #expect(debounced == ["Hel@900", "status: no@900"])
    let throttled = log { failing($0).throttle(for: .seconds(1), on: $0) }
    #expect(throttled == ["H@0", "Hel@1000", "status: no@1000"])
  }

  /// Compares inputs at random times with the documented behavior of the operators.
  @Test("random inputs match the definitions of both operators", arguments: 0..<500)
  func random(seed: Int) {
    var random = SplitMix64(seed: seed)
    var time = 0
    let input = (0..<Int.random(in: 0..<40, using: &random)).map { number in
      time += [0, 1, 7, 50, 99, 100, 101, 300].randomElement(using: &random) ?? 0
      return (at: time, value: number)
    }
    let end = time + Int.random(in: 0..<200, using: &random)

    let debounced = log { $0.input(input, endsAt: end).debounce(for: .milliseconds(100), on: $0) }
    let expected = input.indices.compactMap { index -> String? in
      let (at, value) = input[index]
      guard index + 1 < input.count else { return "\(value)@\(min(at + 100, end))" }
      return input[index + 1].at > at + 100 ? "\(value)@\(at + 100)" : nil
    }
    // If a value arrives exactly when another is due, either order is correct.
    if !input.indices.dropLast().contains(where: { input[$0 + 1].at == input[$0].at + 100 }) {
      #expect(debounced == expected + ["end@\(end)"], "seed \(seed)")
    }

    let throttled = (log { $0.input(input, endsAt: end).throttle(for: .milliseconds(100), on: $0) } ?? [])
      .dropLast()
    let times = throttled.compactMap { Int($0.split(separator: "@")[1]) }
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 100 }, "seed \(seed): \(throttled)")
    #expect(throttled.last?.hasPrefix("\(input.last?.value ?? -1)@") ?? input.isEmpty, "seed \(seed)")
    #expect(throttled.first.map { $0.hasSuffix("@\(input[0].at)") } ?? input.isEmpty, "seed \(seed)")
    for (at, value) in zip(times, throttled.compactMap { Int($0.split(separator: "@")[0]) }) {
      // The latest value at that time.
      #expect(input.allSatisfy { $0.at >= at || $0.value <= value }, "seed \(seed): \(throttled)")
      #expect(input[value].at <= at && at <= input[value].at + 100, "seed \(seed): \(throttled)")
    }
  }
}
