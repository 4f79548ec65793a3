internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Testing

@testable internal import CellophaneCurl
internal import TestSupport

/// Handshakes of any duration: the origin accepts a connection, and begins TLS when the test admits it.
@Suite("Orphaned handshakes", .serialized, .timeLimit(.minutes(1)))
struct HandshakeTests {
  private static let response = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
  /// The steps that responseSteps to each request on a connection of HTTP/1.1.
  private static var responseSteps: [RawOrigin.Step] {
    (0..<20).flatMap { _ -> [RawOrigin.Step] in [.read, .send(response)] } + [.hold]
  }

  /// The steps that send HTTP/2 settings, and on each of three streams a head, `:status: 200`, and a body (RFC 9113).
  private static var streamSteps: [RawOrigin.Step] {
    var steps: [RawOrigin.Step] = [.send([0, 0, 0, 4, 0, 0, 0, 0, 0])]
    for stream: UInt8 in [1, 3, 5] {
      steps.append(.readStream)
      steps.append(.send([0, 0, 1, 1, 4, 0, 0, 0, stream, 0x88]))
      steps.append(.send([0, 0, 2, 0, 1, 0, 0, 0, stream, 0x6F, 0x6B]))
    }
    return steps + [.hold]
  }

  /// An origin that speaks HTTP/1.1 over TLS, a transport that trusts it, and another origin that responds at once.
  private struct Setup {
    let origin: RawOrigin
    /// Keeps the file of the certificate.
    private let certificate: TestCertificate
    let other: TestOrigin
    let transport: CurlTransport

    init(
      speaking name: String = "http/1.1", perHost: Int? = nil,
      holding isHeld: @escaping @Sendable (Int) -> Bool = { _ in true },
      script: @escaping @Sendable (Int) -> [RawOrigin.Step] = { _ in HandshakeTests.responseSteps }
    ) throws {
      certificate = try TestCertificate(for: "IP:127.0.0.1")
      origin = try RawOrigin(
        identity: certificate.identity, speaking: name, holding: isHeld, script: script)
      other = try TestOrigin { _ in OriginResponse() }
      var configuration = CurlTransport.Configuration()
      configuration.caFile = certificate.file
      configuration.connectionsPerHost = perHost
      transport = CurlTransport(configuration)
    }

    func end() async {
      await transport.close()
      origin.stop()
      other.stop()
    }

    /// Starts an exchange.
    func begin(
      connect: Duration = .seconds(20), body: StreamingBody = StreamingBody()
    ) async throws -> Task<Result<TransportResponse, LoadError>, Never> {
      let start = OneShot<Void>()
      var limits = TransferLimits()
      limits.connect = connect
      let request = TransportRequest(url: origin.url("/"), limits: limits, body: body)
      let task = Task {
        start.settle(())
        do throws(LoadError) {
          return Result<_, LoadError>.success(try await transport.exchange(request))
        } catch {
          return .failure(error)
        }
      }
      await start.value
      try await settleLoop()
      return task
    }

    /// Returns when the loop has started all earlier exchanges.
    func settleLoop() async throws {
      for _ in 0..<3 { _ = try await transport.exchange(TransportRequest(url: other.url("/"))) }
    }

    /// Returns when the origin has accepted `count` connections.
    func accept(_ count: Int) async throws {
      while origin.counters.connections < count { try await settleLoop() }
    }
  }

  private func expectResponse(_ task: Task<Result<TransportResponse, LoadError>, Never>) async {
    let outcome = await task.value
    #expect((try? outcome.get())?.body == Array("ok".utf8), "\(outcome)")
  }

  @Test("after ten cancelled requests, the eleventh uses the handshake of the first")
  func repeatedCancellation() async throws {
    let setup = try Setup()
    for _ in 0..<10 {
      let task = try await setup.begin()
      try await setup.accept(1)
      task.cancel()
      guard case .failure(.cancelled) = await task.value else {
        Issue.record("a cancelled exchange succeeded")
        break
      }
    }
    let last = try await setup.begin()
    setup.origin.admit()
    await expectResponse(last)
    #expect(setup.origin.counters.connections == 1 && setup.origin.counters.requests == 1)
    await setup.end()
  }

  @Test("a later request uses an orphaned handshake that succeeded")
  func finishedHandshake() async throws {
    let setup = try Setup()
    let first = try await setup.begin()
    try await setup.accept(1)
    first.cancel()
    _ = await first.value
    setup.origin.admit()
    try await setup.settleLoop()
    for _ in 0..<3 { await expectResponse(try await setup.begin()) }
    #expect(setup.origin.counters.connections == 1 && setup.origin.counters.requests == 3)
    await setup.end()
  }

  @Test("requests that wait for the protocol of a connection share it after its first request is cancelled")
  func protocolOfFirst() async throws {
    let setup = try Setup(speaking: "h2", script: { _ in Self.streamSteps })
    let first = try await setup.begin()
    try await setup.accept(1)
    var others: [Task<Result<TransportResponse, LoadError>, Never>] = []
    for _ in 0..<3 { others.append(try await setup.begin()) }
    first.cancel()
    _ = await first.value
    setup.origin.admit()
    for other in others { await expectResponse(other) }
    #expect(setup.origin.counters.connections == 1 && setup.origin.counters.requests == 3)
    await setup.end()
  }

  @Test(
    "a request that sets up a connection takes one that is free earlier, and later requests open no other")
  func freeConnection() async throws {
    // The first connection opens at once and responds after 300 ms; the second is held.
    let setup = try Setup(holding: { $0 > 0 }) { _ in
      [.read, .pause(.milliseconds(300)), .send(Self.response)] + Self.responseSteps
    }
    let first = try await setup.begin()
    while setup.origin.counters.requests < 1 { try await setup.settleLoop() }
    let second = try await setup.begin()
    try await setup.accept(2)
    await expectResponse(first)
    await expectResponse(second)
    #expect(setup.origin.counters.connections == 2 && setup.origin.counters.requests == 2)
    setup.origin.admit()
    for _ in 0..<2 { await expectResponse(try await setup.begin()) }
    #expect(setup.origin.counters.connections == 2 && setup.origin.counters.requests == 4)
    await setup.end()
  }

  @Test("a waiting request sets up a connection when the orphaned handshake fails")
  func failing() async throws {
    let setup = try Setup()
    let first = try await setup.begin(connect: .milliseconds(200))
    try await setup.accept(1)
    first.cancel()
    let second = try await setup.begin()
    try await setup.accept(2)
    setup.origin.admit()
    await expectResponse(second)
    #expect(setup.origin.counters.connections == 2 && setup.origin.counters.requests == 1)
    await setup.end()
  }

  @Test("a request that has waited for a second sets up a connection")
  func maxWait() async throws {
    let setup = try Setup(holding: { $0 == 0 })
    let first = try await setup.begin(connect: .seconds(50))
    try await setup.accept(1)
    first.cancel()
    let start = ContinuousClock.now
    await expectResponse(try await setup.begin())
    let time = ContinuousClock.now - start
    #expect(time >= ConnectionQueue<Int>.maxWait && time < .seconds(20))
    #expect(setup.origin.counters.connections == 2 && setup.origin.counters.requests == 1)
    await setup.end()
  }

  @Test("the connect deadline includes the wait for an orphaned handshake")
  func connectLimit() async throws {
    let setup = try Setup()
    let first = try await setup.begin()
    try await setup.accept(1)
    first.cancel()
    let body = StreamingBody()
    let second = try await setup.begin(connect: .milliseconds(50), body: body)
    guard case .failure(let error) = await second.value else {
      Issue.record("an exchange without a connection succeeded")
      return
    }
    #expect(error.kind == .timeout && body.failure?.stage == .connect)
    #expect(setup.origin.counters.connections == 1)
    await setup.end()
  }

  @Test("a request that waits for the protocol of another connection sets one up after a second")
  func sharedHandshake() async throws {
    let setup = try Setup()
    let start = ContinuousClock.now
    var tasks: [(StreamingBody, Task<Result<TransportResponse, LoadError>, Never>)] = []
    for _ in 0..<4 {
      let body = StreamingBody()
      tasks.append((body, try await setup.begin(connect: .seconds(2), body: body)))
    }
    for (body, task) in tasks {
      guard case .failure(let error) = await task.value else {
        Issue.record("an exchange without a connection succeeded")
        return
      }
      #expect(error.kind == .timeout && body.failure?.stage == .tls, "\(error)")
      // Both times are measured, and neither includes the lookup.
      let timings = try #require(body.failure?.timings)
      #expect(timings.connect > .zero && timings.connect < timings.tls, "\(timings)")
      #expect(timings.tls > .milliseconds(500) && timings.firstByte == .zero, "\(timings)")
    }
    // In sequence they would take eight seconds.
    #expect(ContinuousClock.now - start < .seconds(4))
    #expect(setup.origin.counters.connections == 4)
    await setup.end()
  }

  @Test("closing the transport ends orphaned handshakes")
  func closing() async throws {
    let setup = try Setup()
    let first = try await setup.begin()
    try await setup.accept(1)
    first.cancel()
    _ = await first.value
    let second = try await setup.begin()
    await setup.transport.close()
    guard case .failure(let error) = await second.value else {
      Issue.record("an exchange over a closed transport succeeded")
      return
    }
    #expect(error.kind == .closed)
    setup.origin.admit()
    await setup.end()
    #expect(setup.origin.counters.connections == 1 && setup.origin.counters.requests == 0)
  }

  /// Runs in a separate process, so that the test can count descriptors and threads.
  @Test("under random cancellation, each exchange ends once and leaks nothing")
  func randomCancellation() async {
    await #expect(processExitsWith: .success) {
      guard let certificate = try? TestCertificate(for: "IP:127.0.0.1") else {
        preconditionFailure("no certificate")
      }
      // Creates the threads of the pool and the descriptors of the library before the test counts them.
      await cancelInHandshakes(certificate, seed: 1)
      let before = ProcessUsage.settled
      for seed in UInt64(2)...9 { await cancelInHandshakes(certificate, seed: seed) }
      let after = ProcessUsage.settled
      precondition(after == before, "\(before) before, \(after) after")
    }
  }
}

/// Runs 200 exchanges with one host, at most six at a time, and cancels most of them early, as a fast scroll does.
private func cancelInHandshakes(_ certificate: TestCertificate, seed: UInt64) async {
  var configuration = CurlTransport.Configuration()
  configuration.caFile = certificate.file
  guard
    let origin = try? TestOrigin(
      identity: certificate.identity,
      handler: { request in
        OriginResponse(body: [UInt8](repeating: 1, count: request.sequence * 7919 % 9_000))
      })
  else { preconditionFailure("no origin") }
  let transport = CurlTransport(configuration)
  var state = seed
  let finished = await withTaskGroup(of: Int.self) { group in
    var sum = 0
    for index in 0..<200 {
      if index >= 6 { sum += await group.next() ?? 0 }
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // Below 28, the exchange is cancelled after this delay.
      let delay = Int(state >> 59)
      group.addTask {
        let exchange = Task {
          do throws(LoadError) {
            let response = try await transport.exchange(TransportRequest(url: origin.url("/\(index)")))
            precondition(response.status == 200)
          } catch {
            precondition(error == .cancelled && delay < 28, "seed \(seed), exchange \(index): \(error)")
          }
        }
        if delay < 28 {
          for _ in 0..<delay * 8 { await Task.yield() }
          exchange.cancel()
        }
        await exchange.value
        return 1
      }
    }
    return await group.reduce(sum, +)
  }
  precondition(finished == 200, "seed \(seed): \(finished) finished")
  await transport.close()
  _ = await origin.counters { $0.openConnections == 0 && $0.inFlight == 0 }
  origin.stop()
}
