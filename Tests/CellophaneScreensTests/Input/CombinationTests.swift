internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Merged and combined sequences, in virtual time")
struct CombinationTests {
  private func log<Values: AsyncSequence & SendableMetatype>(
    pausing pause: Duration = .zero, _ make: @escaping @Sendable (Timeline) -> Values
  ) -> [String]? {
    let time = VirtualTime()
    return time.run { await time.timeline().record(make(time.timeline()), pausing: pause) }
  }

  @Test("merge delivers the elements of both sequences on arrival, and ends with the later one")
  func merged() {
    let log = log { timeline in
      merge(
        timeline.input([(10, "a"), (30, "b")], endsAt: 40),
        timeline.input([(20, "x"), (60, "y")], endsAt: 70),
        on: timeline)
    }
    #expect(log == ["a@10", "x@20", "b@30", "y@60", "end@70"])
  }

  @Test("merge keeps all elements for a slow reader, and the order of each sequence")
  func slow() {
    let log = log(pausing: .seconds(1)) { timeline in
      merge(
        timeline.input((0..<5).map { ($0, $0) }, endsAt: 5),
        timeline.input((0..<5).map { ($0, 10 + $0) }, endsAt: 5), on: timeline)
    }
    let values = (log ?? []).dropLast().compactMap { Int($0.split(separator: "@")[0]) }
    #expect(values.filter { $0 < 10 } == Array(0..<5))
    #expect(values.filter { $0 >= 10 } == Array(10..<15))
  }

  @Test("combineLatest delivers the latest elements of both sequences at each change")
  func combined() {
    let log = log { timeline in
      combineLatest(
        timeline.input([(10, "a"), (30, "b")], endsAt: 40), timeline.input([(20, 1), (60, 2)], endsAt: 70),
        on: timeline
      ).map { "\($0)\($1)" }
    }
    #expect(log == ["a1@20", "b1@30", "b2@60", "end@70"])
  }

  @Test("an error of one sequence ends both")
  func errors() {
    let cancelledAt = Shared<Duration?>(nil)
    let log = log { timeline in
      let (other, continuation) = AsyncStream.makeStream(of: Int.self)
      continuation.onTermination = { _ in cancelledAt.value = timeline.now }
      continuation.yield(7)
      return merge(
        timeline.input([(10, 1), (30, 2)], endsAt: 40).map { number in
          if number == 2 { throw LoadError(.status, "no") }
          return number
        },
        other.map { number in
          try await timeline.sleep(for: .milliseconds(1)); return number
        },
        on: timeline)
    }
    #expect(log == ["7@1", "1@10", "status: no@30"])
    #expect(cancelledAt.value == .milliseconds(30))
  }

  @Test("operators can be chained")
  func chain() {
    let log = log { timeline in
      let text = timeline.input([(0, "H"), (100, "He"), (200, "Hel")], endsAt: 2_000)
      let scope = timeline.input([(0, "all"), (1_000, "new")], endsAt: 2_000)
      return combineLatest(text.debounce(for: .milliseconds(300), on: timeline), scope, on: timeline)
        .map { "\($0) in \($1)" }
    }
    #expect(log == ["Hel in all@500", "Hel in new@1000", "end@2000"])
  }

  /// On the clock and the threads of the system. No element of `merge` is lost or repeated.
  @Test("merge and throttle keep the order of elements on real threads", arguments: 0..<20)
  func threads(round: Int) async {
    let timeline = Timeline()
    func numbers(from start: Int) -> AsyncStream<Int> {
      AsyncStream { continuation in
        timeline.spawn {
          for number in start..<start + 300 {
            continuation.yield(number)
            if number.isMultiple(of: 7) { await Task.yield() }
          }
          continuation.finish()
        }
      }
    }
    var merged: [Int] = []
    for await number in merge(numbers(from: 0), numbers(from: 1_000), on: timeline) { merged.append(number) }
    #expect(merged.filter { $0 < 1_000 } == Array(0..<300))
    #expect(merged.filter { $0 >= 1_000 } == Array(1_000..<1_300))
    var throttled: [Int] = []
    for await number in numbers(from: 0).throttle(for: .microseconds(50), on: timeline) {
      throttled.append(number)
    }
    // A slow reader may miss the first element.
    #expect(throttled.last == 299)
    #expect(throttled == throttled.sorted())
  }
}
