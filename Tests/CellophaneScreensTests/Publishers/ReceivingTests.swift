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
    /// Returns this publisher, with its demand and its cancellation recorded in `log`.
    func logged(in log: Shared<[String]>) -> AnyPublisher<Output, Failure> {
      handleEvents(
        receiveCancel: { log.update { $0.append("cancelled") } },
        receiveRequest: { demand in
          log.update { $0.append(demand == .unlimited ? "all" : "\(demand.max ?? 0)") }
        }
      ).eraseToAnyPublisher()
    }
  }

  @Suite("Values of publishers in async code, in virtual time")
  struct ReceivingTests {
    private let time = VirtualTime()
    private var timeline: Timeline { time.timeline() }
    private let log = Shared<[String]>([])

    /// A wrapper for a subject, which may send from any thread.
    private struct Values: @unchecked Sendable {
      let subject: PassthroughSubject<Int, Never>
    }

    @Test("elements requests one value at a time, and ends with the completion or the typed error")
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
      "the subscription is cancelled with the loop, its task or its iterator",
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

    @Test("an iteration that starts in a cancelled task ends at once")
    func cancelledBefore() {
      let task = timeline.spawn { [log] in
        for await _ in PassthroughSubject<Int, Never>().logged(in: log).elements {}
        #expect(await PassthroughSubject<Int, Never>().logged(in: log).firstElement() == nil)
      }
      task.cancel()
      time.run()
      #expect(log.value.count { $0 == "cancelled" } == 2)
    }

    /// A publisher that ignores demand, and sends values before its subscription and after its end.
    private struct InvalidPublisher: Publisher {
      typealias Output = Int
      typealias Failure = Never

      struct InertSubscription: Subscription {
        let combineIdentifier = CombineIdentifier()
        func request(_ demand: Subscribers.Demand) {}
        func cancel() {}
      }

      func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
        _ = subscriber.receive(0)
        subscriber.receive(subscription: InertSubscription())
        for number in 1...3 { _ = subscriber.receive(number) }
        subscriber.receive(completion: .finished)
        _ = subscriber.receive(4)
        subscriber.receive(completion: .finished)
      }
    }

    @Test("elements tolerates a publisher that breaks the rules")
    func invalidPublisher() {
      let read = time.run {
        var read: [Int] = []
        for await number in InvalidPublisher().elements { read.append(number) }
        return read
      }
      #expect(read == [0, 1, 2, 3])
    }

    @Test("firstElement requests one value; the result may also be nil or an error")
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

    @Test("asyncSink handles one value at a time, and then requests the next")
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

    @Test("releasing a sink cancels its subscription and its handler, without a completion")
    func releasedSink() {
      let (ended, completed, alive) = (Shared<Duration?>(nil), Shared(false), Shared(0))
      let timeline = timeline
      do {
        let token = LifetimeToken(alive)
        var sink: AnyCancellable? = (1...3).publisher.logged(in: log).asyncSink(
          on: timeline, onCompletion: { _ in completed.value = true },
          { _ in
            _ = token
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

    @Test("elements works on real threads, with concurrent cancellations", arguments: 0..<200)
    func threads(seed: Int) async {
      let alive = Shared(0)
      let count = seed % 5 * 10
      await withTaskGroup { group in
        let numbers = AsyncStream(unfolding: { [token = LifetimeToken(alive), next = Shared(0)] in
          _ = token
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
