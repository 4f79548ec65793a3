@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Retries, in virtual time")
struct RetryTests {
  /// A byte loader over an origin. `script` returns the answer to the n-th request.
  struct World: TestWorld {
    let base: LoaderWorld
    /// What each load did that has failed.
    let failures = Shared<[Int: FailedFetch]>([:])
    var seen: [ScriptedTransport.ReceivedRequest] { origin.requests }

    init(
      seed: UInt64 = 1, configure: (inout ByteLoader.Configuration) -> Void = { _ in },
      script: @escaping @Sendable (_ number: Int, TransportRequest) -> ScriptedTransport.Answer
    ) {
      base = LoaderWorld(cacheLimit: nil) {
        $0.retry.seed = seed
        configure(&$0)
      }
      let count = Shared(0)
      origin.script("*") { request in
        count.update { $0 += 1 }
        return script(count.value, request)
      }
    }

    func load(_ number: Int = 1) async -> Result<LoadedBytes, LoadError> {
      let observer = FetchObserver()
      do throws(LoadError) {
        return .success(try await bytes.load(NumberRequest(number), observer: observer))
      } catch {
        failures.update { $0[number] = observer.failure }
        return .failure(error)
      }
    }

    /// Loads all `numbers` at the same time. Returns their results in the same order.
    func run(_ numbers: [Int]) -> [Result<LoadedBytes, LoadError>] {
      let results = Shared<[Int: Result<LoadedBytes, LoadError>]>([:])
      for (index, number) in numbers.enumerated() {
        timeline.spawn {
          let result = await load(number)
          results.update { $0[index] = result }
        }
      }
      time.run()
      return numbers.indices.compactMap { results.value[$0] }
    }
  }

  static func status(_ status: Int, _ headers: HeaderFields = [:]) -> ScriptedTransport.Answer {
    .status(status, headers).after(.milliseconds(10))
  }

  static func failure(_ kind: LoadError.Kind) -> ScriptedTransport.Answer {
    .failure(kind).after(.milliseconds(10))
  }

  @Test(
    "a transient failure is retried at most twice, any other one never",
    arguments: [
      (status(408), 3), (status(429), 3), (status(500), 3), (status(503), 3), (failure(.connect), 3),
      (failure(.dns), 3), (failure(.connectionLost), 3), (failure(.timeout), 1), (failure(.tls), 1),
      (failure(.refused), 1), (status(404), 1), (status(400), 1), (status(206), 1), (status(304), 1),
    ])
  func attempts(answer: ScriptedTransport.Answer, count: Int) async {
    let world = World { _, _ in answer }
    let result = world.run([1])[0]
    #expect(throws: LoadError.self) { try result.get() }
    #expect(world.seen.count == count && world.bytes.events.counters.retries == count - 1)
    #expect(await world.bytes.activity == (0, 0, 0))
    let healing = World { number, request in number < count ? answer : .init(request.success()) }
    #expect((try? healing.run([1])[0].get().bytes) == Array("1".utf8))
  }

  @Test("the pauses of half a second and one second are shortened by up to a half, by the seed")
  func pauses() {
    func times(_ seed: UInt64) -> [Duration] {
      let world = World(seed: seed) { _, _ in Self.status(500) }
      _ = world.run([1])
      return world.seen.map(\.time)
    }
    for seed in 0..<50 as Range<UInt64> {
      let times = times(seed)
      #expect((.milliseconds(260) ... .milliseconds(510)).contains(times[1]), "seed \(seed)")
      #expect((.milliseconds(510) ... .milliseconds(1_010)).contains(times[2] - times[1]), "seed \(seed)")
    }
    #expect(times(1) == times(1) && times(1) != times(2))
  }

  @Test("failures of other resources change no pause")
  func independence() {
    func times(_ numbers: [Int]) -> [Duration] {
      let world = World { _, _ in Self.status(500) }
      _ = world.run(numbers)
      let url = NumberRequest(1).url
      return world.seen.filter { $0.url == url }.map(\.time)
    }
    #expect(times([1]).count == 3)
    #expect(times([1]) == times([2, 1]))
  }

  @Test("attempts and pauses share the load's time, and no retry waits beyond it")
  func deadline() {
    func times(_ total: Duration, _ answer: ScriptedTransport.Answer) -> (
      remaining: [Duration], end: Duration
    ) {
      let remaining = Shared<[Duration]>([])
      let world = World {
        $0.limits.total = total
      } script: { _, request in
        remaining.update { $0.append(request.limits.total) }
        return answer
      }
      let seen = world.run([1])
      #expect(throws: LoadError.self) { try seen[0].get() }
      #expect(zip(remaining.value, world.seen).allSatisfy { $0 + $1.time == total })
      return (remaining.value, .nanoseconds(world.time.now.nanoseconds))
    }
    #expect(times(.seconds(9), Self.status(500)).remaining.count == 3)
    #expect(times(.milliseconds(700), Self.status(500)).remaining.count == 2)
    #expect(times(.milliseconds(200), Self.status(500)).end == .milliseconds(10))
    #expect(times(.seconds(5), Self.status(500, ["Retry-After": "6"])).end == .milliseconds(10))
    #expect(times(.seconds(5), Self.status(503, ["Retry-After": "6"])).end == .milliseconds(10))
  }

  @Test("a timeout reports the load's total time, not the time that its last attempt had")
  func timeout() throws {
    for failures in 0..<3 {
      let world = World {
        $0.limits.total = .seconds(9)
      } script: { number, request in
        if number <= failures { return Self.status(500) }
        let remaining = request.limits.total
        // The error of a transport names only the time of this attempt.
        return .init(after: remaining, .failure(.late("http://a", after: remaining)))
      }
      let error = #expect(throws: LoadError.self) { try world.run([1])[0].get() }
      #expect(error?.kind == .timeout && world.failures.value[1]?.attempts == failures + 1)
      #expect(error?.message.hasSuffix(" was not complete within 9.0 s") == true, "\(error?.message ?? "")")
    }
  }

  @Test("the time in the queue of the gate does not count towards the load's time")
  func queueTime() {
    let world = World {
      $0.transfers = 1
      $0.transfersPerOrigin = 1
      $0.reservedForVisible = 0
      $0.limits.total = .seconds(1)
    } script: { _, request in
      .init(after: .milliseconds(900), request.success())
    }
    let results = world.run(Array(0..<5))
    #expect(results.allSatisfy { (try? $0.get()) != nil } && world.time.now.nanoseconds == 4_500_000_000)
  }

  @Test("all waiters of a load share its attempts")
  func waiters() {
    let world = World { _, _ in Self.status(500) }
    let results = world.run(Array(repeating: 1, count: 500))
    #expect(results.count == 500 && world.seen.count == 3)
  }

  @Test("a load that waits between two attempts occupies no slot of the gate")
  func gateSlot() {
    let world = World {
      $0.transfers = 1
      $0.transfersPerOrigin = 1
      $0.reservedForVisible = 0
    } script: { number, request in
      request.number == 1 && number == 1
        ? Self.status(500) : .init(after: .milliseconds(10), request.success())
    }
    _ = world.run([1, 2])
    #expect(world.seen.map(\.url) == ["http://origin/1", "http://origin/2", "http://origin/1"])
    #expect(world.seen[1].time == .milliseconds(10))
  }

  @Test("loads cancelled during a pause return at once and leave nothing", arguments: [20, 100, 5_000])
  func cancellation(after milliseconds: Int) async {
    let world = World { number, _ in
      number < 3 ? Self.status(503, ["Retry-After": "9"]) : .init(after: .seconds(20), .failure(.cancelled))
    }
    let ends = Shared<[Duration]>([])
    let tasks = (0..<3).map { number in
      world.timeline.spawn {
        if case .failure(.cancelled) = await world.load(number % 2) {
          ends.update { $0.append(world.timeline.now) }
        }
      }
    }
    world.timeline.spawn {
      try? await world.timeline.sleep(for: .milliseconds(milliseconds))
      for task in tasks { task.cancel() }
    }
    world.time.run()
    #expect(ends.value == Array(repeating: .milliseconds(milliseconds), count: 3))
    #expect(await world.bytes.activity == (0, 0, 0))
  }

  @Test("after a cancelled half-open probe, another load sends one")
  func cancelledProbe() {
    let world = World { number, request in
      number == 1 ? Self.failure(.connect) : .init(after: .seconds(1), request.success())
    }
    let (first, second) = (Shared(false), Shared(false))
    let drawing = TimeDrawing(
      world.timeline, step: .milliseconds(100), rows: "first", "second", "origin")
    drawing.drawTransfers(of: world.bytes, in: "origin")
    world.timeline.spawn {
      let task = world.timeline.spawn {
        drawing.mark("first", "<")
        if case .success = await world.load(1) { first.value = true }
        drawing.mark("first", first.value ? ">" : "x")
      }
      try? await world.timeline.sleep(for: .milliseconds(100))
      world.timeline.spawn {
        drawing.mark("second", "<")
        if case .success = await world.load(2) { second.value = true }
        drawing.mark("second", second.value ? ">" : "x")
      }
      try? await world.timeline.sleep(for: .milliseconds(900))
      task.cancel()
    }
    world.time.run()
    // The failure opens the circuit. The first load sends a half-open probe, and the second one takes its place.
    #expect(
      drawing.text == """
        first   <----------x
        second  --<------------------->
        origin  [!-[-------x[---------]
        """)
    #expect(!first.value && second.value && world.seen.count == 3)
  }

  @Test("retries and changes of a circuit are events")
  func events() {
    let world = World { number, request in number == 1 ? Self.status(429) : .init(request.success()) }
    let log = Shared<[String]>([])
    world.timeline.spawn {
      for await event in world.bytes.events.events() {
        switch event.kind {
        case .retrying(let key, let error, let pause):
          log.update { $0.append("retrying \(key.url) \(error.status ?? 0) \(pause < .milliseconds(501))") }
        case .circuitOpened(let origin, _, let pause):
          log.update { $0.append("opened \(origin) \(pause < .milliseconds(501))") }
        case .circuitClosed(let origin): log.update { $0.append("closed \(origin)") }
        case .transferStarted: log.update { $0.append("transfer") }
        default: break
        }
      }
    }
    _ = world.run([1])
    #expect(
      log.value == [
        "transfer", "opened http://origin true", "retrying http://origin/1 429 true", "transfer",
        "closed http://origin",
      ])
    let counters = world.bytes.events.counters
    #expect(
      counters.retries == 1 && counters.circuitOpenings == 1 && counters.transfers == 2
        && counters.failed == 1
    )
  }

  @Test(
    "loads from an origin that fails at random get one result each and leave nothing", arguments: 0..<10)
  func stress(seed: Int) async {
    let times = Shared(SplitMix64(seed: seed))
    let world = World(seed: UInt64(seed)) { _, request in
      var draw: UInt64 = 0
      times.update { draw = $0.next() }
      let delay = Duration.milliseconds(Int(draw >> 8 % 40))
      return switch draw % 8 {
      case 0: .init(after: delay, .failure(LoadError(.connect, "x", isRetryable: true)))
      case 1:
        .init(after: delay, .success(TransportResponse(status: 503, headers: ["Retry-After": "1"], url: "x")))
      case 2: .init(after: delay, .success(TransportResponse(status: 500, url: "x")))
      default: .init(after: delay, request.success())
      }
    }
    var random = SplitMix64(seed: seed)
    let results = Shared(0)
    for _ in 0..<1_000 {
      let number = Int.random(in: 0..<100, using: &random)
      let start = Duration.milliseconds(Int.random(in: 0..<20_000, using: &random))
      let end = Int.random(in: 0..<3, using: &random) == 0 ? Int.random(in: 0..<3_000, using: &random) : nil
      let task = world.timeline.spawn {
        try? await world.timeline.sleep(for: start)
        if case .success(let loaded) = await world.load(number) {
          #expect(loaded.bytes == Array("\(number)".utf8), "seed \(seed)")
        }
        results.update { $0 += 1 }
      }
      guard let end else { continue }
      world.timeline.spawn {
        try? await world.timeline.sleep(for: start + .milliseconds(end))
        task.cancel()
      }
    }
    world.time.run()
    #expect(results.value == 1_000, "seed \(seed)")
    #expect(world.origin.counters.duplicates == 0, "seed \(seed)")
    #expect(await world.bytes.activity == (0, 0, 0), "seed \(seed)")
  }
}
