internal import TestSupport

#if Publishers
  internal import Cellophane
  internal import CellophanePublishers
  internal import CellophaneTesting
  #if canImport(Combine)
    internal import Combine
  #else
    internal import OpenCombine
  #endif
  internal import Testing

  /// The numbers below `count`, each after 10 ms, then `error` if there is one. Counts the requested elements.
  private struct Numbers: AsyncSequence, Sendable {
    typealias Element = Int

    let count: Int
    let timeline: Timeline
    var error: LoadError?
    let requested = Shared(0)
    let cancelled = Shared(0)
    var token: LifetimeToken?

    func makeAsyncIterator() -> Iterator { Iterator(numbers: self) }

    struct Iterator: AsyncIteratorProtocol {
      let numbers: Numbers
      var next = 0

      mutating func next(isolation: isolated (any Actor)?) async throws(LoadError) -> Int? {
        numbers.requested.update { $0 += 1 }
        do { try await numbers.timeline.sleep(for: .milliseconds(10)) } catch {
          numbers.cancelled.update { $0 += 1 }
          throw .cancelled
        }
        if next == numbers.count, let error = numbers.error { throw error }
        defer { next += 1 }
        return next < numbers.count ? next : nil
      }

      mutating func next() async throws(LoadError) -> Int? { try await next(isolation: #isolation) }
    }
  }

  @Suite("Async sequences as publishers, in virtual time")
  struct SequencePublisherTests {
    private typealias NumberProbe = Probe<Int, LoadError>

    private let time = VirtualTime()
    private var timeline: Timeline { time.timeline() }

    private func numbers(_ count: Int, failing error: LoadError? = nil) -> Numbers {
      Numbers(count: count, timeline: timeline, error: error)
    }

    @Test("a publisher requests as many elements as demanded, and demands add up")
    func demand() {
      let numbers = numbers(5)
      let probe = NumberProbe()
      numbers.publisher(on: timeline).subscribe(probe)
      time.run()
      #expect(numbers.requested.value == 0)
      probe.request(.max(1))
      probe.request(.max(2))
      time.run()
      #expect(probe.log == ["0", "1", "2"] && numbers.requested.value == 3)
      probe.request(.max(2))
      time.run()
      // The end of the sequence is not known yet.
      #expect(probe.log == ["0", "1", "2", "3", "4"] && numbers.requested.value == 5)
      probe.request(.max(1))
      time.run()
      #expect(probe.log.last == "finished" && numbers.requested.value == 6)
      #expect(probe.faults == [])
    }

    @Test("unlimited demand delivers all elements, then the completion or the error")
    func unlimited() {
      for error in [nil, LoadError(.status, "no")] {
        let probe = NumberProbe(demand: .unlimited)
        numbers(3, failing: error).publisher(on: timeline).subscribe(probe)
        time.run()
        #expect(probe.log == ["0", "1", "2", error == nil ? "finished" : "status: no"] && probe.faults == [])
      }
    }

    @Test("demand within `receive`, returned or requested, adds up")
    func reentrancy() {
      let returning = NumberProbe(demand: .max(1)) { _, number in number < 3 ? 1 : 0 }
      let requesting = NumberProbe(demand: .max(1)) { probe, number in
        if number < 3 { probe.request(.max(1)) }
        return 0
      }
      let both = NumberProbe(demand: .max(1)) { probe, number in
        if number == 0 { probe.request(.max(2)) }
        return number == 0 ? 1 : 0
      }
      for probe in [returning, requesting, both] {
        let numbers = numbers(9)
        numbers.publisher(on: timeline).subscribe(probe)
        time.run()
        #expect(probe.log == ["0", "1", "2", "3"] && numbers.requested.value == 4 && probe.faults == [])
      }
    }

    @Test("a cancellation within `receive` ends the values; one from outside cancels the task")
    func cancelling() {
      let inside = NumberProbe(demand: .unlimited) { probe, number in
        if number == 1 { probe.cancel() }
        return 1
      }
      let numbers = numbers(9)
      numbers.publisher(on: timeline).subscribe(inside)
      time.run()
      #expect(inside.log == ["0", "1"] && inside.faults == [] && numbers.requested.value <= 3)

      let outside = NumberProbe(demand: .unlimited)
      let others = self.numbers(9)
      others.publisher(on: timeline).subscribe(outside)
      time.run(until: time.now.advanced(by: .milliseconds(15)))
      outside.cancel()
      let end = time.now
      time.run()
      #expect(outside.log == ["0"] && others.cancelled.value == 1 && time.now == end)

      let early = NumberProbe()
      let never = self.numbers(9)
      never.publisher(on: timeline).subscribe(early)
      early.cancel()
      early.request(.unlimited)
      time.run()
      #expect(early.log == [] && never.requested.value == 0)
    }

    @Test("a cancellation ends a task that waits for demand")
    func cancellingWithoutDemand() {
      let alive = Shared(0)
      let probe = NumberProbe(demand: .max(1))
      var numbers = numbers(9)
      numbers.token = LifetimeToken(alive)
      numbers.publisher(on: timeline).subscribe(probe)
      numbers.token = nil
      time.run()
      #expect(probe.log == ["0"] && alive.value == 1)
      probe.cancel()
      time.run()
      #expect(alive.value == 0)
    }

    @Test("each subscriber iterates separately, and all iterations are released")
    func cold() {
      let alive = Shared(0)
      var numbers = numbers(2)
      numbers.token = LifetimeToken(alive)
      weak var trace: NumberProbe?
      do {
        let publisher = numbers.publisher(on: timeline)
        let probes = [NumberProbe(demand: .unlimited), NumberProbe(demand: .max(1)), NumberProbe()]
        trace = probes.last
        for probe in probes { publisher.subscribe(probe) }
        time.run()
        #expect(probes.map(\.log) == [["0", "1", "finished"], ["0"], []])
        // The last subscriber had no demand.
        probes[1].cancel()
        probes[2].cancel()
        time.run()
      }
      numbers.token = nil
      #expect(alive.value == 0 && trace == nil)
    }

    /// An executor that runs a task at once, before its creator continues: the worst order for a subscription.
    private final class ImmediateExecutor: TaskExecutor {
      func enqueue(_ job: consuming ExecutorJob) {
        unsafe UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
      }
    }

    @Test("no value arrives before the subscription")
    func order() {
      let timeline = Timeline(clock: ContinuousClock(), executor: ImmediateExecutor()) { 0 }
      let probe = NumberProbe(demand: .unlimited)
      TaskPublisher(on: timeline) { () async throws(LoadError) in 7 }.subscribe(probe)
      #expect(probe.log == ["7", "finished"] && probe.faults == [])
    }

    @Test("a task publisher delivers one value and the completion, or an error")
    func single() {
      let runs = Shared(0)
      let publisher = TaskPublisher(on: timeline) { () async throws(LoadError) in
        runs.update { $0 += 1 }
        if runs.value == 2 { throw LoadError(.status, "no") }
        return runs.value
      }
      let probes = [NumberProbe(demand: .max(1)), NumberProbe(demand: .max(1)), NumberProbe()]
      for probe in probes { publisher.subscribe(probe) }
      time.run()
      #expect(probes.map(\.log) == [["1", "finished"], ["status: no"], []] && runs.value == 2)
    }

    @Test("demand and cancellation on several threads keep the rules", arguments: 0..<200)
    func threads(seed: Int) async {
      var random = SplitMix64(seed: seed)
      let requests = (0..<40).map { _ in Int.random(in: 1...10, using: &random) }
      let cancels = Bool.random(using: &random)
      let cancelIndex = Int.random(in: 0..<40, using: &random)
      let alive = Shared(0)
      let probe = Probe<Int, Never>(demand: .max(1)) { _, number in number % 3 == 0 ? 1 : 0 }
      do {
        let token = LifetimeToken(alive)
        let numbers = AsyncStream(unfolding: { [count = Shared(0)] in
          _ = token
          count.update { $0 += 1 }
          return count.value <= 100 ? count.value : nil
        })
        numbers.publisher(on: Timeline()).subscribe(probe)
      }
      await withTaskGroup { group in
        for (number, request) in requests.enumerated() {
          group.addTask {
            if cancels, number == cancelIndex { return probe.cancel() }
            probe.request(.max(request))
          }
        }
      }
      if cancels { probe.cancel() } else { probe.request(.unlimited) }
      while cancels ? alive.value > 0 : !probe.hasEnded { await Task.yield() }
      #expect(probe.faults == [])
      let expected = (1...100).map { "\($0)" } + ["finished"]
      #expect(cancels ? expected.starts(with: probe.log) : probe.log == expected)
    }
  }
#endif
