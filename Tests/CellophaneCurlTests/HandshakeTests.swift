internal import CellophaneTesting
internal import Testing

@testable internal import Cellophane
internal import TestSupport

/// Handshakes that take as long as a test wants: the origin accepts a connection, and begins TLS when it is told to.
@Suite("Handshakes outlive the requests that they were begun for", .serialized, .timeLimit(.minutes(1)))
struct HandshakeTests {
  private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
  /// Answers whatever comes over a connection of HTTP/1.1.
  private static var answering: [RawOrigin.Step] {
    (0..<20).flatMap { _ -> [RawOrigin.Step] in [.read, .send(answer)] } + [.hold]
  }

  /// Settings, and for each of three streams of HTTP/2 a head, which is `:status: 200`, and a body (RFC 9113).
  private static var answeringStreams: [RawOrigin.Step] {
    var steps: [RawOrigin.Step] = [.send([0, 0, 0, 4, 0, 0, 0, 0, 0])]
    for stream: UInt8 in [1, 3, 5] {
      steps.append(.readStream)
      steps.append(.send([0, 0, 1, 1, 4, 0, 0, 0, stream, 0x88]))
      steps.append(.send([0, 0, 2, 0, 1, 0, 0, 0, stream, 0x6F, 0x6B]))
    }
    return steps + [.hold]
  }

  /// An origin that speaks HTTP/1.1 over TLS, a transport that trusts it, and another origin that answers at once.
  private struct Scene {
    let origin: RawOrigin
    /// Its file goes with it.
    private let certificate: TestCertificate
    let other: TestOrigin
    let transport: CurlTransport

    init(
      speaking name: String = "http/1.1", perHost: Int? = nil,
      holding isHeld: @escaping @Sendable (Int) -> Bool = { _ in true },
      script: @escaping @Sendable (Int) -> [RawOrigin.Step] = { _ in HandshakeTests.answering }
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

    /// Begins an exchange.
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
      try await passTurns()
      return task
    }

    /// Returns when the loop has begun what it was asked for before.
    func passTurns() async throws {
      for _ in 0..<3 { _ = try await transport.exchange(TransportRequest(url: other.url("/"))) }
    }

    /// Returns when the origin has accepted `count` connections.
    func accept(_ count: Int) async throws {
      while origin.counters.connections < count { try await passTurns() }
    }
  }

  private func expectAnswer(_ task: Task<Result<TransportResponse, LoadError>, Never>) async {
    let outcome = await task.value
    #expect((try? outcome.get())?.body == Array("ok".utf8), "\(outcome)")
  }

  @Test("ten requests that are cancelled meanwhile cost the eleventh no handshake of its own")
  func steadyCancellation() async throws {
    let scene = try Scene()
    for _ in 0..<10 {
      let task = try await scene.begin()
      try await scene.accept(1)
      task.cancel()
      guard case .failure(.cancelled) = await task.value else {
        Issue.record("it was cancelled")
        break
      }
    }
    let last = try await scene.begin()
    scene.origin.admit()
    await expectAnswer(last)
    #expect(scene.origin.counters.connections == 1 && scene.origin.counters.requests == 1)
    await scene.end()
  }

  @Test("a connection that nobody waits for is used by who comes later")
  func unused() async throws {
    let scene = try Scene()
    let first = try await scene.begin()
    try await scene.accept(1)
    first.cancel()
    _ = await first.value
    scene.origin.admit()
    try await scene.passTurns()
    for _ in 0..<3 { await expectAnswer(try await scene.begin()) }
    #expect(scene.origin.counters.connections == 1 && scene.origin.counters.requests == 3)
    await scene.end()
  }

  @Test("those who wait for the protocol of a first connection get it when its request is cancelled")
  func protocolOfFirst() async throws {
    let scene = try Scene(speaking: "h2", script: { _ in Self.answeringStreams })
    let first = try await scene.begin()
    try await scene.accept(1)
    var others: [Task<Result<TransportResponse, LoadError>, Never>] = []
    for _ in 0..<3 { others.append(try await scene.begin()) }
    first.cancel()
    _ = await first.value
    scene.origin.admit()
    for other in others { await expectAnswer(other) }
    #expect(scene.origin.counters.connections == 1 && scene.origin.counters.requests == 3)
    await scene.end()
  }

  @Test("who makes a connection takes one that is free before, and nobody makes another")
  func moving() async throws {
    // The first connection is there at once, and its first answer comes after 300 ms; the second is held.
    let scene = try Scene(holding: { $0 > 0 }) { _ in
      [.read, .pause(.milliseconds(300)), .send(Self.answer)] + Self.answering
    }
    let first = try await scene.begin()
    while scene.origin.counters.requests < 1 { try await scene.passTurns() }
    let second = try await scene.begin()
    try await scene.accept(2)
    await expectAnswer(first)
    await expectAnswer(second)
    #expect(scene.origin.counters.connections == 2 && scene.origin.counters.requests == 2)
    scene.origin.admit()
    for _ in 0..<2 { await expectAnswer(try await scene.begin()) }
    #expect(scene.origin.counters.connections == 2 && scene.origin.counters.requests == 4)
    await scene.end()
  }

  @Test("who waits makes a connection of his own when the one that he waits for fails")
  func failing() async throws {
    let scene = try Scene()
    let first = try await scene.begin(connect: .milliseconds(200))
    try await scene.accept(1)
    first.cancel()
    let second = try await scene.begin()
    try await scene.accept(2)
    scene.origin.admit()
    await expectAnswer(second)
    #expect(scene.origin.counters.connections == 2 && scene.origin.counters.requests == 1)
    await scene.end()
  }

  @Test("who has waited for a second makes a connection of his own, and takes whichever is there first")
  func patience() async throws {
    let scene = try Scene(holding: { $0 == 0 })
    let first = try await scene.begin(connect: .seconds(50))
    try await scene.accept(1)
    first.cancel()
    let start = ContinuousClock.now
    await expectAnswer(try await scene.begin())
    let time = ContinuousClock.now - start
    #expect(time >= ConnectionQueue<Int>.maxWait && time < .seconds(20))
    #expect(scene.origin.counters.connections == 2 && scene.origin.counters.requests == 1)
    await scene.end()
  }

  @Test("the wait for a connection that is made for nobody is a wait for a connection")
  func connectLimit() async throws {
    let scene = try Scene()
    let first = try await scene.begin()
    try await scene.accept(1)
    first.cancel()
    let body = StreamingBody()
    let second = try await scene.begin(connect: .milliseconds(50), body: body)
    guard case .failure(let error) = await second.value else {
      Issue.record("there was no connection")
      return
    }
    #expect(error.kind == .timeout && body.failure?.stage == .connect)
    #expect(scene.origin.counters.connections == 1)
    await scene.end()
  }

  @Test("who waits for the protocol of another's connection makes one of his own after a second")
  func sharedHandshake() async throws {
    let scene = try Scene()
    let start = ContinuousClock.now
    var tasks: [(StreamingBody, Task<Result<TransportResponse, LoadError>, Never>)] = []
    for _ in 0..<4 {
      let body = StreamingBody()
      tasks.append((body, try await scene.begin(connect: .seconds(2), body: body)))
    }
    for (body, task) in tasks {
      guard case .failure(let error) = await task.value else {
        Issue.record("there was no connection")
        return
      }
      #expect(error.kind == .timeout && body.failure?.stage == .tls, "\(error)")
      // Both are measured, and how long the address takes goes with neither.
      let timings = try #require(body.failure?.timings)
      #expect(timings.connect > .zero && timings.connect < timings.tls, "\(timings)")
      #expect(timings.tls > .milliseconds(500) && timings.firstByte == .zero, "\(timings)")
    }
    // One after the other would take eight.
    #expect(ContinuousClock.now - start < .seconds(4))
    #expect(scene.origin.counters.connections == 4)
    await scene.end()
  }

  @Test("a closed transport makes no connection for nobody")
  func closing() async throws {
    let scene = try Scene()
    let first = try await scene.begin()
    try await scene.accept(1)
    first.cancel()
    _ = await first.value
    let second = try await scene.begin()
    await scene.transport.close()
    guard case .failure(let error) = await second.value else {
      Issue.record("it was closed")
      return
    }
    #expect(error.kind == .closed)
    scene.origin.admit()
    await scene.end()
    #expect(scene.origin.counters.connections == 1 && scene.origin.counters.requests == 0)
  }

  /// In a process of its own, so that its descriptors and threads can be counted.
  @Test("whoever is cancelled whenever, everybody is answered once, and nothing is left")
  func storm() async {
    await #expect(processExitsWith: .success) {
      guard let certificate = try? TestCertificate(for: "IP:127.0.0.1") else {
        preconditionFailure("no certificate")
      }
      // The pool's threads and the library's own descriptors exist before counting begins.
      await cancelInHandshakes(certificate, seed: 1)
      let before = ProcessUsage.settled
      for seed in UInt64(2)...9 { await cancelInHandshakes(certificate, seed: seed) }
      let after = ProcessUsage.settled
      precondition(after == before, "\(before) before, \(after) after")
    }
  }
}

/// At most six exchanges at once over a host's connections, most of them cancelled soon, as when a list is scrolled fast.
private func cancelInHandshakes(_ certificate: TestCertificate, seed: UInt64) async {
  var configuration = CurlTransport.Configuration()
  configuration.caFile = certificate.file
  guard
    let origin = try? TestOrigin(
      identity: certificate.identity,
      handler: { asked in OriginResponse(body: [UInt8](repeating: 1, count: asked.sequence * 7919 % 9_000)) })
  else { preconditionFailure("no origin") }
  let transport = CurlTransport(configuration)
  var state = seed
  let answered = await withTaskGroup(of: Int.self) { group in
    var sum = 0
    for index in 0..<200 {
      if index >= 6 { sum += await group.next() ?? 0 }
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let patience = Int(state >> 59)
      group.addTask {
        let exchange = Task {
          do throws(LoadError) {
            let response = try await transport.exchange(TransportRequest(url: origin.url("/\(index)")))
            precondition(response.status == 200)
          } catch {
            precondition(error == .cancelled && patience < 28, "seed \(seed), exchange \(index): \(error)")
          }
        }
        if patience < 28 {
          for _ in 0..<patience * 8 { await Task.yield() }
          exchange.cancel()
        }
        await exchange.value
        return 1
      }
    }
    return await group.reduce(sum, +)
  }
  precondition(answered == 200, "seed \(seed): \(answered) answered")
  await transport.close()
  _ = await origin.counters { $0.openConnections == 0 && $0.inFlight == 0 }
  origin.stop()
}
