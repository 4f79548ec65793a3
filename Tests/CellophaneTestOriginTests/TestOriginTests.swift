internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Testing

@Suite(.timeLimit(.minutes(1))) struct TestOriginTests {
  private let transport = CurlTransport()

  private func get(_ url: String) async throws(LoadError) -> TransportResponse {
    try await transport.exchange(TransportRequest(url: url))
  }

  @Test func `the handler receives the request as sent`() async throws {
    let origin = try TestOrigin { request in
      OriginResponse(
        body: Array(
          "\(request.method) \(request.path) \(request.query ?? "-") \(request.headers["x-a"] ?? "-")".utf8)
      )
    }
    defer { origin.stop() }
    let request = TransportRequest(url: origin.url("/a%20b/c?d=%26&e"), headers: ["X-A": "1 2"])
    let response = try await transport.exchange(request)
    #expect(response.body == Array("GET /a%20b/c d=%26&e 1 2".utf8))
    #expect(origin.requestsByTarget == ["/a%20b/c?d=%26&e": 1])
  }

  @Test func `the log has every response, with its bytes and whether it was aborted`() async throws {
    let origin = try TestOrigin { request in
      var response = OriginResponse(body: [UInt8](repeating: 1, count: 100))
      if request.path == "/cut" { response.ending = .closed(after: 40) }
      return response
    }
    defer { origin.stop() }
    _ = try await get(origin.url("/whole"))
    await #expect(throws: LoadError.self) { try await get(origin.url("/cut")) }
    _ = await origin.counters { $0.inFlight == 0 }
    let log = origin.log
    #expect(log.map(\.target) == ["/whole", "/cut"])
    #expect(log.map(\.bodyBytes) == [100, 40])
    #expect(log.map(\.isAborted) == [false, true])
    #expect(log.allSatisfy { $0.start <= $0.end })
  }

  @Test func `a shaped link delivers complete responses to concurrent connections`() async throws {
    let network = try NetworkProfile(parsing: "down=80000,up=10000,rtt=2")
    let body = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let origin = try TestOrigin(network: network) { _ in OriginResponse(body: body) }
    defer { origin.stop() }
    let bodies = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for index in 0..<6 { group.addTask { try await get(origin.url("/\(index)")).body } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(bodies == Array(repeating: body, count: 6))
    // 300 kB at 10 MB/s take 30 ms, minus the burst. The handshake and the request take 4 ms before that.
    let log = origin.log
    let first = try #require(log.map(\.start).min())
    let last = try #require(log.map(\.end).max())
    #expect(last - first > .milliseconds(28))
  }

  @Test func `stop ends silent responses and waits for counters`() async throws {
    let origin = try TestOrigin { _ in
      var response = OriginResponse()
      response.ending = .silent
      return response
    }
    let exchange = Task { () async -> LoadError? in
      do {
        _ = try await get(origin.url("/"))
        return nil
      } catch { return error as? LoadError }
    }
    _ = await origin.counters { $0.inFlight == 1 }
    let waiting = Task { await origin.counters { $0.requests == 1_000_000 } }
    origin.stop()
    #expect(await exchange.value?.kind == .connectionLost)
    #expect(await waiting.value.openConnections == 0)
    origin.stop()
  }

  @Test func `a cancelled wait for counters returns`() async throws {
    let origin = try TestOrigin { _ in OriginResponse() }
    defer { origin.stop() }
    let waiting = Task { await origin.counters { $0.requests == 1 } }
    waiting.cancel()
    #expect(await waiting.value.requests == 0)
  }

  @Test(arguments: [-1, 65_536, Int.max])
  func `a port out of range is rejected`(port: Int) {
    let error = #expect(throws: LoadError.self) { try TestOrigin(port: port) { _ in OriginResponse() } }
    #expect(error?.kind == .invalidRequest)
  }

  @Test func `a port in use is an error`() throws {
    let origin = try TestOrigin { _ in OriginResponse() }
    defer { origin.stop() }
    let error = #expect(throws: LoadError.self) {
      try TestOrigin(port: origin.port) { _ in OriginResponse() }
    }
    #expect(error?.kind == .io)
  }
}
