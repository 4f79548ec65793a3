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

  extension Publisher {
    /// The same, with what is asked of it and its cancellation in `log`.
    func logged(in log: Shared<[String]>) -> AnyPublisher<Output, Failure> {
      handleEvents(
        receiveCancel: { log.update { $0.append("cancelled") } },
        receiveRequest: { demand in
          log.update { $0.append(demand == .unlimited ? "all" : "\(demand.max ?? 0)") }
        }
      ).eraseToAnyPublisher()
    }
  }

  @Suite("Values of publishers for async code, in virtual time")
  struct ReceivingTests {
    private let time = VirtualTime()
    private var timeline: Timeline { time.timeline() }
    private let log = Shared<[String]>([])

    /// A subject may be sent to from anywhere.
    private struct Values: @unchecked Sendable {
      let subject: PassthroughSubject<Int, Never>
    }

    @Test("are asked for one by one, then comes the end, or the error as it is")
    func elements() {
      let read = time.run { [log] in
        var read: [String] = []
        for await number in [1, 2].publisher.logged(in: log).elements { read.append("\(number)") }
        do throws(LoadError) {
          let failing = [3].publisher.setFailureType(to: LoadError.self)
            .append(Fail(error: LoadError(.status, "no")))
          for try await number in failing.elements { read.append("\(number)") }
        } catch {
          read.append(error.kind.rawValue)
        }
        return read
      }
      #expect(read == ["1", "2", "3", "status"])
      #expect(log.value == ["1", "1"] || log.value == ["1", "1", "1"])
    }

    @Test(
      "the subscription ends when the loop is left, its task cancelled, or the iterator let go",
      arguments: 0..<3)
    func leaving(way: Int) {
      let hasEnded = Shared(false)
      let task = timeline.spawn { [log] in
        let subject = PassthroughSubject<Int, Never>()
        let elements = subject.logged(in: log).elements
        if way == 2 {
          _ = elements.makeAsyncIterator()
        } else {
          let values = Values(subject: subject)
          timeline.spawn {
            try? await timeline.sleep(for: .seconds(1))
            values.subject.send(1)
          }
          for await _ in elements where way == 0 { break }
        }
        hasEnded.value = true
      }
      time.run()
      if way == 1 {
        #expect(!hasEnded.value)
        task.cancel()
        time.run()
      }
      #expect(hasEnded.value && log.value.last == "cancelled" && log.value.count { $0 == "cancelled" } == 1)
    }

    @Test("one that begins in a cancelled task is over")
    func cancelledBefore() {
      let task = timeline.spawn { [log] in
        for await _ in PassthroughSubject<Int, Never>().logged(in: log).elements {}
        #expect(await PassthroughSubject<Int, Never>().logged(in: log).firstElement() == nil)
      }
      task.cancel()
      time.run()
      #expect(log.value.count { $0 == "cancelled" } == 2)
    }

    /// Sends what it likes, when it likes, whatever was asked for.
    private struct Rude: Publisher {
      typealias Output = Int
      typealias Failure = Never

      struct Quiet: Subscription {
        let combineIdentifier = CombineIdentifier()
        func request(_ demand: Subscribers.Demand) {}
        func cancel() {}
      }

      func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
        _ = subscriber.receive(0)
        subscriber.receive(subscription: Quiet())
        for number in 1...3 { _ = subscriber.receive(number) }
        subscriber.receive(completion: .finished)
        _ = subscriber.receive(4)
        subscriber.receive(completion: .finished)
      }
    }

    @Test("a publisher that keeps to no rule stops nothing")
    func rude() {
      let read = time.run {
        var read: [Int] = []
        for await number in Rude().elements { read.append(number) }
        return read
      }
      #expect(read == [0, 1, 2, 3])
    }

    @Test("the first is asked for alone; there may be none, or an error")
    func first() {
      let found = time.run { [log] in
        let first = await [1, 2, 3].publisher.logged(in: log).firstElement()
        let none = await Empty<Int, Never>().firstElement()
        var failed = ""
        do throws(LoadError) {
          _ = try await Fail<Int, LoadError>(error: LoadError(.status, "no")).firstElement()
        } catch { failed = error.kind.rawValue }
        return "\(first ?? 0) \(none ?? 0) \(failed)"
      }
      #expect(found == "1 0 status")
      #expect(log.value == ["1", "cancelled"])
    }

    @Test("a sink takes one at a time, and asks for the next when it is done")
    func sink() {
      let handled = Shared<[String]>([])
      let timeline = timeline
      let sink = (1...3).publisher.logged(in: log).asyncSink(
        on: timeline,
        onCompletion: { _ in handled.update { $0.append("finished") } },
        { number in
          handled.update { $0.append("<\(number)") }
          try? await timeline.sleep(for: .seconds(1))
          handled.update { $0.append("\(number)>") }
        })
      time.run()
      #expect(handled.value == ["<1", "1>", "<2", "2>", "<3", "3>", "finished"])
      #expect(log.value.filter { $0 == "1" }.count >= 3 && !log.value.contains("cancelled"))
      sink.cancel()
    }

    @Test("a sink that goes cancels its subscription and what it handles, and tells nobody")
    func sinkLeaves() {
      let (ended, completed, alive) = (Shared<Duration?>(nil), Shared(false), Shared(0))
      let timeline = timeline
      do {
        let trace = Trace(alive)
        var sink: AnyCancellable? = (1...3).publisher.logged(in: log).asyncSink(
          on: timeline, onCompletion: { _ in completed.value = true },
          { _ in
            _ = trace
            try? await timeline.sleep(for: .seconds(1))
            ended.value = timeline.now
          })
        time.run(until: time.now.advanced(by: .milliseconds(10)))
        _ = sink
        sink = nil
      }
      time.run()
      #expect(ended.value == .milliseconds(10) && !completed.value && alive.value == 0)
      #expect(log.value == ["1", "cancelled"])
    }

    @Test("on real threads, values and cancellation from elsewhere", arguments: 0..<200)
    func threads(seed: Int) async {
      let alive = Shared(0)
      let count = seed % 5 * 10
      await withTaskGroup { group in
        let numbers = AsyncStream(unfolding: { [trace = Trace(alive), next = Shared(0)] in
          _ = trace
          next.update { $0 += 1 }
          return next.value <= 50 ? next.value : nil
        })
        let task = Task.detached {
          var read: [Int] = []
          for await number in numbers.publisher(on: Timeline()).elements { read.append(number) }
          return read
        }
        if seed % 2 == 0 {
          for _ in 0..<count { await Task.yield() }
          task.cancel()
        }
        group.addTask {
          let read = await task.value
          #expect(seed % 2 == 0 ? (1...50).starts(with: read) : read == Array(1...50))
        }
      }
      while alive.value > 0 { await Task.yield() }
    }
  }
#endif
