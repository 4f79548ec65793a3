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

  @Suite("Async maps of publishers, in virtual time")
  struct MappingTests {
    private let time = VirtualTime()
    private var timeline: Timeline { time.timeline() }
    private let log = Shared<[String]>([])

    /// An operation that takes the given number of milliseconds, and fails for numbers above 900.
    private struct Work: Sendable {
      let timeline: Timeline
      let running = Shared((now: 0, most: 0, cancelled: 0))

      @Sendable func run(_ number: Int) async throws(LoadError) -> String {
        running.update { $0 = ($0.now + 1, Swift.max($0.most, $0.now + 1), $0.cancelled) }
        defer { running.update { $0.now -= 1 } }
        do { try await timeline.sleep(for: .milliseconds(number)) } catch {
          running.update { $0.cancelled += 1 }
          throw .cancelled
        }
        if number > 900 { throw LoadError(.status, "no \(number)") }
        return "\(number)@\(Int((timeline.now / .milliseconds(1)).rounded()))"
      }
    }

    private func source(_ numbers: [Int]) -> AnyPublisher<Int, LoadError> {
      numbers.publisher.setFailureType(to: LoadError.self).logged(in: log)
    }

    /// Returns a publisher of numbers at given times, in milliseconds, which finishes at `end`.
    private func timed(_ numbers: [(at: Int, number: Int)], end: Int) -> AnyPublisher<Int, LoadError> {
      let (values, failure) = (
        timeline.input(numbers.map { (at: $0.at, value: $0.number) }, endsAt: end), LoadError.self
      )
      return values.publisher(on: timeline).setFailureType(to: failure).logged(in: log)
    }

    @Test("asyncMap runs one operation at a time, and requests a value only when a result is requested")
    func ordered() {
      let work = Work(timeline: timeline)
      let probe = Probe<String, LoadError>()
      source([30, 10, 20]).asyncMap(on: timeline, work.run).subscribe(probe)
      time.run()
      #expect(log.value == [])
      probe.request(.max(1))
      time.run()
      #expect(probe.log == ["30@30"] && log.value == ["1"])
      probe.request(.unlimited)
      time.run()
      #expect(probe.log == ["30@30", "10@40", "20@60", "finished"] && probe.faults == [])
      #expect(work.running.value.most == 1)
    }

    @Test("asyncMap ends with an error of an operation or of the upstream publisher")
    func orderedErrors() {
      let work = Work(timeline: timeline)
      let first = Probe<String, LoadError>(demand: .unlimited)
      source([10, 999, 20]).asyncMap(on: timeline, work.run).subscribe(first)
      let second = Probe<String, LoadError>(demand: .unlimited)
      source([10]).append(Fail(error: LoadError(.timeout, "late"))).asyncMap(on: timeline, work.run)
        .subscribe(second)
      time.run()
      #expect(first.log == ["10@10", "status: no 999"] && log.value.contains("cancelled"))
      #expect(second.log == ["10@10", "timeout: late"])
    }

    @Test("asyncMapLatest discards the result of an older value")
    func latest() {
      let work = Work(timeline: timeline)
      let probe = Probe<String, LoadError>(demand: .unlimited)
      // The second value replaces the first. The third arrives together with the result of the second, and the
      // fourth after the result of the third.
      timed(
        [(at: 0, number: 100), (at: 50, number: 20), (at: 70, number: 30), (at: 200, number: 5)], end: 201
      )
      .asyncMapLatest(on: timeline, work.run).subscribe(probe)
      time.run()
      #expect(
        probe.log == ["30@100", "5@205", "finished"] || probe.log == ["20@70", "30@100", "5@205", "finished"])
      #expect(probe.faults == [] && work.running.value.cancelled >= 1 && work.running.value.now == 0)
    }

    @Test("asyncMapLatest discards the error of an older value, and ends with that of the latest")
    func latestErrors() {
      let work = Work(timeline: timeline)
      let probe = Probe<String, LoadError>(demand: .unlimited)
      timed([(at: 0, number: 950), (at: 500, number: 20), (at: 600, number: 999)], end: 5_000)
        .asyncMapLatest(on: timeline, work.run).subscribe(probe)
      time.run()
      #expect(probe.log == ["20@520", "status: no 999"])
    }

    @Test(
      "asyncMapLatest discards an error that is on its way when the next operation starts", arguments: 0..<8)
    func latestErrorOnItsWay(yields: Int) {
      let began = Shared<[Int]>([])
      let probe = Probe<String, LoadError>(demand: .unlimited)
      let (fails, failing) = AsyncStream.makeStream(of: Void.self)
      let (values, value) = AsyncStream.makeStream(of: Int.self)
      values.publisher(on: timeline).setFailureType(to: LoadError.self)
        .asyncMapLatest(on: timeline) { number async throws(LoadError) in
          began.update { $0.append(number) }
          if number == 2 { return "2" }
          for await _ in fails { break }
          throw LoadError(.status, "no")
        }.subscribe(probe)
      time.run {
        value.yield(1)
        await time.quiescence()
        value.yield(2)
        for _ in 0..<yields { await Task.yield() }
        failing.finish()
        await time.quiescence()
      }
      #expect(probe.log == (began.value == [1, 2] ? ["2"] : ["status: no"]))
    }

    @Test("asyncMapLatest delivers the latest result to a slow subscriber")
    func latestSlow() {
      let work = Work(timeline: timeline)
      let probe = Probe<String, LoadError>(demand: .max(1))
      timed([(at: 0, number: 1), (at: 50, number: 2), (at: 100, number: 3)], end: 110)
        .asyncMapLatest(on: timeline, work.run).subscribe(probe)
      time.run()
      #expect(probe.log == ["1@1"])
      probe.request(.max(1))
      time.run()
      #expect(probe.log == ["1@1", "3@103", "finished"] && probe.faults == [])
    }

    @Test("asyncMapUnordered observes its limit, and delivers results in the order of completion")
    func limited() {
      let work = Work(timeline: timeline)
      let probe = Probe<String, LoadError>(demand: .unlimited)
      source([50, 10, 20, 30]).asyncMapUnordered(limit: 2, on: timeline, work.run).subscribe(probe)
      time.run()
      #expect(probe.log == ["10@10", "20@30", "50@50", "30@60", "finished"] && probe.faults == [])
      #expect(work.running.value.most == 2)
    }

    @Test("a slow subscriber slows down asyncMapUnordered and the upstream publisher")
    func limitedSlow() {
      let work = Work(timeline: timeline)
      let probe = Probe<String, LoadError>(demand: .max(1))
      source([10, 20, 30, 40, 50]).asyncMapUnordered(limit: 2, on: timeline, work.run).subscribe(probe)
      time.run()
      // One result was delivered, two wait.
      #expect(probe.log == ["10@10"] && log.value == ["1", "1", "1"])
      probe.request(.max(9))
      time.run()
      #expect(probe.log.count == 6 && probe.log.last == "finished" && probe.faults == [])
    }

    @Test("the first error of asyncMapUnordered cancels the other operations")
    func limitedErrors() {
      let work = Work(timeline: timeline)
      let probe = Probe<String, LoadError>(demand: .unlimited)
      source([10, 901, 5_000]).asyncMapUnordered(limit: 3, on: timeline, work.run).subscribe(probe)
      time.run()
      #expect(probe.log == ["10@10", "status: no 901"] && work.running.value.cancelled == 1)
      #expect(time.now.nanoseconds == 901_000_000)
    }

    @Test(
      "a cancellation reaches the upstream publisher and all operations, and releases them", arguments: 0..<3)
    func cancelling(kind: Int) {
      for milliseconds in [nil, 0, 10, 50] {
        let work = Work(timeline: timeline)
        let (alive, log) = (Shared(0), Shared<[String]>([]))
        let probe = Probe<String, LoadError>(demand: milliseconds == nil ? .none : .unlimited)
        do {
          let token = LifetimeToken(alive)
          let transform: @Sendable (Int) async throws(LoadError) -> String = {
            number async throws(LoadError) in
            _ = token
            return try await work.run(number)
          }
          // Sends one value and never ends.
          let values = CurrentValueSubject<Int, LoadError>(40).logged(in: log)
          switch kind {
          case 0: values.asyncMap(on: timeline, transform).subscribe(probe)
          case 1: values.asyncMapLatest(on: timeline, transform).subscribe(probe)
          default: values.asyncMapUnordered(limit: 2, on: timeline, transform).subscribe(probe)
          }
        }
        time.run(until: time.now.advanced(by: .milliseconds(milliseconds ?? 0)))
        let now = time.now
        probe.cancel()
        time.run()
        #expect(time.now == now && alive.value == 0 && work.running.value.now == 0)
        #expect(
          log.value.last == "cancelled" && probe.log.count == (milliseconds == 50 ? 1 : 0), "\(log.value)")
      }
    }

    @Test(
      "on real threads, each result arrives once, and only asyncMapLatest skips values", arguments: 0..<150)
    func threads(seed: Int) async {
      let (alive, cancels) = (Shared(0), seed % 5 == 0)
      let probe = Probe<Int, Never>(demand: .max(1)) { _, number in number % 3 }
      do {
        let token = LifetimeToken(alive)
        let transform: @Sendable (Int) async -> Int = { number in
          _ = token
          for _ in 0..<(number * 7 + seed) % 11 { await Task.yield() }
          return number
        }
        let (timeline, numbers) = (Timeline(), (1...60).publisher)
        switch seed % 3 {
        case 0: numbers.asyncMap(on: timeline, transform).subscribe(probe)
        case 1: numbers.asyncMapLatest(on: timeline, transform).subscribe(probe)
        default: numbers.asyncMapUnordered(limit: 4, on: timeline, transform).subscribe(probe)
        }
      }
      await withTaskGroup { group in
        for request in 1...10 { group.addTask { probe.request(.max(request % 4 + 1)) } }
      }
      if cancels { probe.cancel() } else { probe.request(.unlimited) }
      while alive.value > 0 || !cancels && !probe.hasEnded { await Task.yield() }
      #expect(probe.faults == [])
      let numbers = probe.log.compactMap { Int($0) }
      if seed % 3 < 2 { #expect(numbers == numbers.sorted()) }
      #expect(Set(numbers).count == numbers.count)
      if !cancels { #expect(seed % 3 == 1 ? numbers.last == 60 : numbers.count == 60) }
    }
  }
#endif
