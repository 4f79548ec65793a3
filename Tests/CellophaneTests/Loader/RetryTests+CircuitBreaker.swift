@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

extension RetryTests {
  @Test(
    "hundreds of loads send one request at a time to a failing origin, after the first five",
    arguments: [status(503, ["Retry-After": "1"]), status(429), failure(.connect), failure(.dns)])
  func storm(answer: ScriptedTransport.Answer) async {
    let world = World { _, _ in answer }
    let results = world.run(Array(0..<500))
    #expect(results.count == 500)
    // Five at once, because one slot is reserved for visible work, and three half-open probes: a load takes
    // part in at most three failures.
    #expect(world.seen.count == 5 + 3)
    #expect(world.seen.allSatisfy { $0.time < .seconds(5) })
    #expect(await world.bytes.activity == (0, 0, 0))
  }

  @Test("failures of different resources open the circuit of their origin", arguments: [500, 503])
  func stormOfResources(status: Int) {
    let world = World { _, _ in Self.status(status) }
    #expect(world.run(Array(0..<500)).count == 500)
    // Two more requests are sent before the third failure.
    #expect(world.seen.count == 5 + 2 + 3)
  }

  @Test("one failing resource does not open the circuit of its origin")
  func oneFailingResource() {
    let world = World { _, request in
      request.number == 0 ? Self.status(500) : .init(after: .milliseconds(10), request.success())
    }
    let results = world.run(Array(0..<60))
    #expect(results.dropFirst().allSatisfy { (try? $0.get()) != nil })
    #expect(world.bytes.events.counters.circuitOpenings == 0)
    #expect(
      world.seen.filter { $0.url != "http://origin/0" }.allSatisfy { $0.time < .milliseconds(200) })
  }

  @Test("a dead origin receives requests at a falling rate", .thorough)
  func fallingRate() {
    let world = World { _, _ in Self.failure(.connect) }
    let failed = world.time.run {
      var failed = 0
      while world.timeline.now < .seconds(3_600) {
        if case .failure = await world.load(failed) { failed += 1 }
        try? await world.timeline.sleep(for: .milliseconds(100))
      }
      return failed
    }
    // Within the hour, the pause of the circuit grows to between 30 and 60 s.
    #expect((failed ?? 0) > 10_000 && world.seen.count < 130)
    #expect(world.bytes.events.counters.circuitRejections > 10_000)
  }

  @Test("after the pause one half-open probe runs, and its success admits the other loads")
  func recovery() {
    let world = World { number, request in
      number <= 5
        ? Self.status(503, ["Retry-After": "2"]) : .init(after: .milliseconds(10), request.success())
    }
    let results = world.run(Array(0..<100))
    #expect(results.allSatisfy { (try? $0.get()) != nil })
    let later = world.seen.dropFirst(5).map(\.time)
    #expect(later.first == .milliseconds(2_010))
    #expect(later.dropFirst().allSatisfy { $0 >= .milliseconds(2_020) })
    #expect(later.count == 100 && world.bytes.events.counters.circuitOpenings == 1)
  }

  @Test("a half-open probe succeeds with the response head, not with the end of the body")
  func slowProbe() {
    let world = World { number, request in
      number == 1
        ? Self.failure(.connect)
        : .init(
          after: .milliseconds(10), pieces: [.init(1, pause: number == 2 ? .seconds(20) : .zero)],
          request.success())
    }
    let second = Shared<Duration?>(nil)
    world.timeline.spawn { _ = await world.load(1) }
    world.timeline.spawn {
      try? await world.timeline.sleep(for: .milliseconds(100))
      _ = await world.load(2)
      second.value = world.timeline.now
    }
    world.time.run()
    #expect(second.value.map { $0 < .seconds(1) } == true)
  }

  @Test("the circuit of another origin stays closed")
  func otherOrigin() throws {
    let world = World { _, request in
      request.url.hasPrefix("http://origin") ? Self.failure(.connect) : .init(request.success())
    }
    let other = try Request<Int>("http://other/7", options: 1)
    let end = world.time.run {
      async let failing = world.load(1)
      try? await world.timeline.sleep(for: .milliseconds(20))
      _ = try? await world.bytes.load(other)
      let end = world.timeline.now
      _ = await failing
      return end
    }
    #expect(end == .milliseconds(20))
  }

  @Test(
    "a load waits for Retry-After, in seconds or as a date, and fails at once beyond the limit",
    arguments: [
      ("3", 3), ("10", 10), ("Fri, 15 Jan 2027 08:00:04 GMT", 4), ("11", nil),
      ("Fri, 15 Jan 2027 09:00:00 GMT", nil),
    ] as [(String, Int?)])
  func retryAfter(text: String, seconds: Int?) {
    for status in [429, 503, 500, 408] {
      let world = World { number, request in
        number == 1 ? Self.status(status, ["Retry-After": text]) : .init(request.success())
      }
      let result = world.run([1])[0]
      if let seconds {
        #expect(throws: Never.self) { try result.get() }
        let second = world.seen[1].time
        #expect((.seconds(seconds) ... .milliseconds(seconds * 1_000 + 10)).contains(second))
      } else {
        let error = #expect(throws: LoadError.self) { try result.get() }
        #expect(error?.kind == .status && error?.status == status && error?.isRetryable == true)
        #expect(world.seen.count == 1 && world.time.now.nanoseconds == 10_000_000)
      }
    }
  }

  @Test(
    "while a circuit stays open for long, a load fails at once, and its error names no other URL")
  func circuitRejected() {
    let world = World { _, _ in Self.status(503, ["Retry-After": "3600"]) }
    let error = world.time.run { () -> LoadError? in
      _ = await world.load(1)
      if case .failure(let error) = await world.load(2) { return error }
      return nil
    }
    let expected = LoadError(
      .status, "http://origin answered 503 and receives no requests for a while", isRetryable: true,
      status: 503,
      retryAfter: .seconds(3_600))
    #expect(error == expected)
    // No request was sent for it.
    #expect(world.failures.value[2]?.attempts == 0)
    #expect(world.seen.count == 1 && world.time.now.nanoseconds == 10_000_000)
    #expect(world.bytes.events.counters.circuitRejections == 1)
    // After a minute the circuit is half open.
    let again: Void? = world.time.run {
      try? await world.timeline.sleep(for: .seconds(60))
      _ = await world.load(2)
    }
    #expect(again != nil && world.seen.count == 2)
  }

  @Test("after one request to an unknown host name, further loads fail at once")
  func unknownHost() {
    let world = World { _, _ in .init(after: .milliseconds(10), .failure(LoadError(.dns, "no such name"))) }
    let errors = (1...2).map { number in #expect(throws: LoadError.self) { try world.run([number])[0].get() }
    }
    #expect(errors.allSatisfy { $0?.kind == .dns && $0?.isRetryable == false })
    #expect(world.failures.value[2]?.attempts == 0)
    #expect(world.seen.count == 1 && world.time.now.nanoseconds == 10_000_000)
  }

  @Test(
    "the error of a rejected load has the failure of its host in words, with the detail for advice",
    arguments: [
      (LoadError.Kind.connect, nil, "cannot be reached"),
      (.connect, .unreachable, "cannot be reached"),
      (.connect, .proxy, "cannot be reached through the proxy"),
      (.dns, nil, "has a host name that cannot be resolved"),
    ] as [(LoadError.Kind, LoadError.Detail?, String)])
  func rejectionInWords(kind: LoadError.Kind, detail: LoadError.Detail?, words: String) {
    let world = World { _, _ in
      .init(after: .milliseconds(10), .failure(LoadError(kind, "no answer", detail: detail)))
    }
    let errors = (1...2).map { number in #expect(throws: LoadError.self) { try world.run([number])[0].get() }
    }
    #expect(errors[1]?.message == "http://origin \(words) and receives no requests for a while")
    #expect(errors[1]?.kind == kind && errors[1]?.detail == detail)
  }

  @Test("a load rejected after another load's failure reports the remaining pause, which is not stored")
  func rejectedAfterAnotherFailure() {
    let world = World { _, request in
      guard request.url.hasSuffix("/1") else { return Self.status(503) }
      // The other load waits for its second attempt then.
      return .init(
        after: .milliseconds(100),
        .success(
          TransportResponse(status: 503, headers: ["Retry-After": "3600"], body: [], url: request.url)))
    }
    let results = world.run([1, 2])
    let other = #expect(throws: LoadError.self) { try results[1].get() }
    #expect(other?.message == "http://origin answered 503 and receives no requests for a while", "\(other)")
    #expect(world.failures.value[2]?.attempts == 1 && other?.status == 503)
    // The load was rejected at the end of the pause before its second attempt.
    let rest = (other?.retryAfter ?? .zero) / .seconds(1)
    #expect(rest > 3_599 && rest < 3_600)
    let requests = world.seen.count
    let again = world.time.run {
      try? await world.timeline.sleep(for: .seconds(61))
      return await world.load(2)
    }
    #expect(world.seen.count > requests, "\(again)")
  }
}
