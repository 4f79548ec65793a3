internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Synchronization
internal import Testing

@testable internal import CellophaneCurl

@Suite(.timeLimit(.minutes(1))) struct CurlTransportTests {
  let transport = CurlTransport()

  func failure(_ request: TransportRequest, over transport: CurlTransport? = nil) async -> LoadError? {
    do {
      _ = try await (transport ?? self.transport).exchange(request)
      return nil
    } catch { return error }
  }

  func request(
    _ url: String, headers: HeaderFields = [:], _ change: (inout TransferLimits) -> Void = { _ in }
  ) -> TransportRequest {
    var limits = TransferLimits()
    change(&limits)
    return TransportRequest(url: url, headers: headers, limits: limits)
  }

  @Test(arguments: [0, 1, 20_000, 1_000_000])
  func `responses arrive complete, with a length or in chunks`(size: Int) async throws {
    let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let origin = try TestOrigin { request in
      var response = OriginResponse(
        headers: ["ETag": "\"7\"", "x-asked": request.headers["x-ask"] ?? ""], body: body)
      if request.query == "chunked" { response.framing = .chunked }
      return response
    }
    defer { origin.stop() }
    for target in ["/a", "/a?chunked"] {
      let request = request(origin.url(target), headers: ["X-Ask": "this"])
      let response = try await transport.exchange(request)
      #expect(response.status == 200)
      #expect(response.body == body)
      #expect(response.headers["etag"] == "\"7\"")
      #expect(response.headers["x-asked"] == "this")
      #expect(response.url == origin.url(target))
      #expect(request.body.count == size)
    }
  }

  @Test(arguments: [404, 410, 429, 500, 503])
  func `an error status is a response`(status: Int) async throws {
    let origin = try TestOrigin { _ in OriginResponse(status: status, body: [1, 2, 3]) }
    defer { origin.stop() }
    let response = try await transport.exchange(request(origin.url("/")))
    #expect(response.status == status)
    #expect(response.body == [1, 2, 3])
  }

  @Test func `consecutive requests reuse one connection`() async throws {
    let origin = try TestOrigin { _ in OriginResponse(body: [7]) }
    defer { origin.stop() }
    for index in 0..<20 { _ = try await transport.exchange(request(origin.url("/\(index)"))) }
    #expect(origin.counters.requests == 20)
    #expect(origin.counters.connections == 1)
  }

  @Test("as many connections stay open as there were concurrent exchanges")
  func peakConnections() async throws {
    let count = 6
    let allConnected = OneShot<Void>()
    let origin = try RawOrigin(
      holding: { connection in
        if connection == count - 1 { allConnected.settle(()) }
        return true
      }
    ) { _ in
      [RawOrigin.Step](repeating: .read, count: 2 * count).flatMap {
        [$0, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")]
      } + [.hold]
    }
    defer { origin.stop() }
    var configuration = CurlTransport.Configuration()
    configuration.maxIdleConnections = 2
    let transport = CurlTransport(configuration)
    for _ in 0..<2 {
      await withTaskGroup { group in
        for _ in 0..<count {
          group.addTask { await failure(request(origin.url("/")), over: transport) }
        }
        await allConnected.value
        origin.admit()
        for await failure in group { #expect(failure == nil) }
      }
    }
    #expect(origin.counters.connections == count && origin.counters.requests == 2 * count)
    await transport.close()
  }

  @Test func `a request reports the number of its connection`() async throws {
    let (origin, other) = (try TestOrigin { _ in OriginResponse() }, try TestOrigin { _ in OriginResponse() })
    defer { origin.stop() }
    defer { other.stop() }
    let connections = Mutex<[Int?]>([])
    func exchange(with origin: TestOrigin) async throws {
      let request = request(origin.url("/"))
      request.body.observeSent { connection in connections.withLock { $0.append(connection) } }
      _ = try await transport.exchange(request)
    }
    try await exchange(with: origin)
    try await exchange(with: other)
    try await exchange(with: origin)
    let numbers = connections.withLock { $0.compactMap(\.self) }
    #expect(numbers.count == 3 && numbers[0] == numbers[2] && numbers[0] != numbers[1])
  }

  @Test func `a request waits while every connection to its host is in use`() async throws {
    let origin = try TestOrigin { _ in
      var response = OriginResponse()
      response.ending = .silent
      return response
    }
    defer { origin.stop() }
    var configuration = CurlTransport.Configuration()
    configuration.connectionsPerHost = 1
    let transport = CurlTransport(configuration)
    let first = Task { await failure(request(origin.url("/")), over: transport) }
    _ = await origin.counters { $0.inFlight == 1 }
    let late = request(origin.url("/")) { $0.total = .milliseconds(300) }
    let second = await failure(late, over: transport)
    first.cancel()
    #expect(second?.kind == .timeout && late.body.failure?.stage == .connect)
    #expect(await first.value?.kind == .cancelled)
    await transport.close()
  }

  @Test func `an empty header value is sent`() async throws {
    let origin = try TestOrigin { request in
      OriginResponse(status: request.headers.values(of: "x-empty") == [""] ? 200 : 400)
    }
    defer { origin.stop() }
    #expect(try await transport.exchange(request(origin.url("/"), headers: ["x-empty": ""])).status == 200)
  }

  @Test func `headers of a request are not sent with the next one`() async throws {
    let origin = try TestOrigin { request in
      OriginResponse(
        headers: ["x-asked": request.headers.values(of: "x-a").joined(separator: ",")], body: [1])
    }
    defer { origin.stop() }
    let transport = CurlTransport()
    for fields in [[:], ["x-a": "1"], ["x-a": "1"], [:], ["x-a": "1", "x-b": "2"], ["x-a": "2"], [:]]
      as [HeaderFields]
    {
      let response = try await transport.exchange(request(origin.url("/"), headers: fields))
      #expect(response.headers["x-asked"] ?? "" == fields["x-a"] ?? "")
    }
    await transport.close()
  }

  @Test func `a refused connection is retryable, and its message omits the path`() async throws {
    let origin = try TestOrigin { _ in OriginResponse() }
    origin.stop()
    let error = await failure(request(origin.url("/secret")))
    #expect(error?.kind == .connect)
    #expect(error?.isRetryable == true)
    #expect(error?.message.contains("secret") == false)
  }

  @Test func `an unknown host name is a DNS error`() async {
    // Reserved by RFC 6761: never resolves.
    #expect(await failure(request("http://nowhere.invalid/"))?.kind == .dns)
  }

  @Test(arguments: [
    ("HTTP/1.1 2x0 OK\r\n\r\n", LoadError.Kind.malformedResponse), ("plain text", .malformedResponse),
    ("", .connectionLost), ("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", .malformedResponse),
    ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfive", .connectionLost),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", .malformedResponse),
  ])
  func `a malformed or incomplete response is an error`(text: String, kind: LoadError.Kind) async throws {
    let origin = try RawOrigin(answer: Array(text.utf8))
    defer { origin.stop() }
    let error = await failure(request(origin.url("/")))
    #expect(error?.kind == kind, "\(text.prefix(40)): \(error?.message ?? "no error")")
  }

  /// The limits apply to one line and to all lines.
  @Test(arguments: [(1, 200_000), (60_000, 1)])
  func `a head that is too large is malformed`(lines: Int, width: Int) async throws {
    let line = "X: " + String(repeating: "y", count: width) + "\r\n"
    let origin = try RawOrigin(
      answer: Array("HTTP/1.1 200 OK\r\n\(String(repeating: line, count: lines))\r\n".utf8))
    defer { origin.stop() }
    #expect(await failure(request(origin.url("/")))?.kind == .malformedResponse)
  }

  /// Interim responses, trailers and a close-delimited body.
  @Test(arguments: [
    (
      "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 2\r\n\r\nok",
      "ok"
    ),
    ("HTTP/1.1 200 OK\r\nA: b\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nT: railer\r\n\r\n", "ok"),
    ("HTTP/1.0 200 OK\r\nA: b\r\n\r\nto the end", "to the end"),
  ])
  func `rare but valid responses are accepted`(text: String, body: String) async throws {
    let origin = try RawOrigin(answer: Array(text.utf8))
    defer { origin.stop() }
    let response = try await transport.exchange(request(origin.url("/")))
    #expect(response.body == Array(body.utf8))
    #expect(response.headers["a"] == "b")
    #expect(response.headers["link"] == nil)
    #expect(response.headers["t"] == nil)
  }

  @Test(arguments: ["ftp://127.0.0.1/", "127.0.0.1", "", "http:/x", "/etc/passwd", "HTTP"])
  func `a URL without an HTTP scheme or without a host is invalid`(url: String) async {
    #expect(await failure(request(url))?.kind == .invalidRequest)
  }

  @Test func `a URL with a user name is invalid`() async {
    #expect(await failure(request("http://me:secret@127.0.0.1:1/"))?.kind == .invalidRequest)
  }

  @Test func `waiting for a connection in use does not exceed the connect deadline`() async throws {
    let origin = try TestOrigin { _ in
      var response = OriginResponse(body: [1])
      response.delay = .milliseconds(200)
      return response
    }
    defer { origin.stop() }
    var configuration = CurlTransport.Configuration()
    configuration.connectionsPerHost = 1
    let transport = CurlTransport(configuration)
    let request = request(origin.url("/")) { $0.connect = .milliseconds(300) }
    async let first = transport.exchange(request)
    async let second = transport.exchange(request)
    async let third = transport.exchange(request)
    let bodies = try await [first.body, second.body, third.body]
    #expect(bodies == [[1], [1], [1]])
    #expect(origin.counters.connections == 1)
    await transport.close()
  }

  @Test func `private addresses are refused if the configuration denies them`() async throws {
    let origin = try TestOrigin { _ in OriginResponse() }
    defer { origin.stop() }
    var configuration = CurlTransport.Configuration()
    configuration.addresses = .publicOnly
    let transport = CurlTransport(configuration)
    for host in ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0x7f.1", "2130706433"] {
      let error = await failure(request("http://\(host):\(origin.port)/"), over: transport)
      #expect(error?.kind == .refused, "\(host): \(error?.message ?? "no error")")
    }
    #expect(origin.counters.connections == 0)
    await transport.close()
  }
}
