internal import CellophaneTestOrigin
internal import Testing

@testable internal import CellophaneCurl

/// Scripted proxies, with the requests that they and the origins behind them receive.
@Suite("Proxies", .timeLimit(.minutes(1))) struct ProxyTests {
  /// Returns a transport that uses `proxy`.
  private func transport(
    _ proxy: RawOrigin, scheme: String = "http", user: String = "me:secret@", trusting file: String? = nil
  ) throws -> CurlTransport {
    var configuration = CurlTransport.Configuration()
    configuration.proxy = try Proxy("\(scheme)://\(user)127.0.0.1:\(proxy.port)")
    configuration.caFile = file
    return CurlTransport(configuration)
  }

  private static let response = RawOrigin.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
  private static let headers: HeaderFields = ["Authorization": "Bearer own", "Proxy-Ticket": "7"]
  // "me:secret" in Base64.
  private static let basic = "Proxy-Authorization: Basic bWU6c2VjcmV0\r\n"

  @Test(arguments: [false, true])
  func `a proxy receives the complete URL, its credentials and proxy fields`(isEncrypted: Bool) async throws {
    let certificate = isEncrypted ? try TestCertificate(for: "IP:127.0.0.1") : nil
    let proxy = try RawOrigin(identity: certificate?.identity) { _ in
      [.read, Self.response, .read, Self.response]
    }
    defer { proxy.stop() }
    let transport = try transport(
      proxy, scheme: isEncrypted ? "https" : "http", trusting: certificate?.file)
    // Twice: over a new connection, and over the same one when it is reused.
    for _ in 1...2 {
      let response = try await transport.exchange(
        TransportRequest(url: "http://nowhere.invalid/x?y", headers: Self.headers))
      #expect(response.body == Array("ok".utf8))
    }
    await transport.close()
    #expect(proxy.counters.connections == 1)
    let head = try #require(proxy.counters.heads.first)
    #expect(head.hasPrefix("GET http://nowhere.invalid/x?y HTTP/1.1\r\n"))
    #expect(head.contains(Self.basic) && head.contains("proxy-ticket: 7\r\n"))
    #expect(head.contains("authorization: Bearer own\r\n"))
  }

  @Test func `proxy fields do not enter the tunnel, and other fields do not reach the proxy`()
    async throws
  {
    let certificate = try TestCertificate(for: "DNS:nowhere.invalid")
    let origin = try RawOrigin(identity: certificate.identity) { _ in [.read, Self.response] }
    defer { origin.stop() }
    let proxy = try RawOrigin { [port = origin.port] _ in
      [.read, .send("HTTP/1.1 200 Go on\r\nX-Proxy: 1\r\n\r\n"), .relay(port: port)]
    }
    defer { proxy.stop() }
    let transport = try transport(proxy, trusting: certificate.file)
    let response = try await transport.exchange(
      TransportRequest(url: "https://nowhere.invalid/x", headers: Self.headers))
    await transport.close()
    #expect(response.body == Array("ok".utf8) && response.headers["x-proxy"] == nil)
    let connect = try #require(proxy.counters.heads.first)
    #expect(connect.hasPrefix("CONNECT nowhere.invalid:443 HTTP/1.1\r\n") && connect.contains(Self.basic))
    #expect(connect.contains("proxy-ticket: 7\r\n") && !connect.contains("Bearer"))
    let get = try #require(origin.counters.heads.first)
    #expect(get.hasPrefix("GET /x HTTP/1.1\r\n") && get.contains("authorization: Bearer own\r\n"))
    #expect(!get.lowercased().contains("proxy") && !get.contains("secret"))
  }

  @Test func `a SOCKS 5 proxy receives the user name and the password, and the origin does not`() async throws
  {
    let origin = try RawOrigin { _ in [.read, Self.response] }
    defer { origin.stop() }
    let proxy = try RawOrigin { [port = origin.port] _ in
      // The proxy selects a method, accepts the password and connects (RFC 1928, RFC 1929).
      [
        .take, .send([5, 2]), .take, .send([1, 0]), .take, .send([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
        .relay(port: port),
      ]
    }
    defer { proxy.stop() }
    let transport = try transport(proxy, scheme: "socks5h")
    let response = try await transport.exchange(
      TransportRequest(url: "http://nowhere.invalid/x", headers: Self.headers))
    await transport.close()
    #expect(response.body == Array("ok".utf8))
    #expect(
      proxy.counters.heads.dropFirst() == [
        "\u{1}\u{2}me\u{6}secret", "\u{5}\u{1}\u{0}\u{3}\u{F}nowhere.invalid\u{0}P",
      ])
    let get = try #require(origin.counters.heads.first)
    #expect(get.hasPrefix("GET /x HTTP/1.1\r\n") && !get.lowercased().contains("proxy"))
  }

  /// The steps of a proxy that fails, and the expected error.
  struct Refusal: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var scheme = "http"
    let url: String
    let steps: [RawOrigin.Step]
    let kind: LoadError.Kind
    let isRetryable: Bool
    let message: String
    var stage = FailedExchange.Stage.connect
  }

  private static let refusals: [Refusal] =
    [407, 403, 502].map { status in
      Refusal(
        testDescription: "a tunnel answered with \(status)", url: "https://nowhere.invalid/",
        steps: [.read, .send("HTTP/1.1 \(status) No\r\nContent-Length: 0\r\n\r\n")], kind: .connect,
        isRetryable: status == 502, message: "the proxy answered \(status)")
    } + [
      Refusal(
        testDescription: "a tunnel without a response", url: "https://nowhere.invalid/",
        steps: [.read, .hold],
        kind: .timeout, isRetryable: true, message: "the connection through the proxy timed out"),
      Refusal(
        testDescription: "a SOCKS 5 proxy without a route", scheme: "socks5h", url: "http://nowhere.invalid/",
        steps: [.take, .send([5, 2]), .take, .send([1, 0]), .take, .send([5, 4, 0, 1, 0, 0, 0, 0, 0, 0])],
        kind: .connect, isRetryable: true, message: "the proxy denied the connection"),
      Refusal(
        testDescription: "a wrong password for SOCKS 5", scheme: "socks5h", url: "http://nowhere.invalid/",
        steps: [.take, .send([5, 2]), .take, .send([1, 1])], kind: .connect, isRetryable: true,
        message: "the proxy denied the connection"),
    ]

  @Test(arguments: refusals)
  func `an error of a proxy is distinguished from one of the origin`(_ refusal: Refusal) async throws {
    let proxy = try RawOrigin { _ in refusal.steps }
    defer { proxy.stop() }
    let transport = try transport(proxy, scheme: refusal.scheme)
    var request = TransportRequest(url: refusal.url)
    request.limits.connect = .milliseconds(500)
    let error = await #expect(throws: LoadError.self) { try await transport.exchange(request) }
    await transport.close()
    let failure = try #require(error)
    #expect(failure.kind == refusal.kind && failure.isRetryable == refusal.isRetryable, "\(failure)")
    #expect(failure.message.contains(refusal.message) && !"\(failure)".contains("secret"), "\(failure)")
    #expect(request.body.failure?.stage == refusal.stage)
  }

  @Test func `the error names a proxy that refuses connections`() async throws {
    let proxy = try RawOrigin { _ in [] }
    let transport = try transport(proxy)
    proxy.stop()
    let error = await #expect(throws: LoadError.self) {
      try await transport.exchange(TransportRequest(url: "http://nowhere.invalid/"))
    }
    await transport.close()
    #expect(error?.kind == .connect && error?.message.contains("the proxy refused the connection") == true)
    #expect(error?.detail == .proxy)
  }

  @Test(arguments: [
    ("http://me:secret@proxy.example:3128", "http://proxy.example:3128"), ("proxy:80", "http://proxy:80"),
    ("me:secret@proxy:80", "http://proxy:80"), ("SOCKS5H://[::1]:1080", "socks5h://[::1]:1080"),
    ("https://a%40b:%2Fsecret@p/", "https://p"), ("socks5://10.0.0.1", "socks5://10.0.0.1"), ("", "direct"),
    ("http://me:secret@bücher.example:3128/", "http://xn--bcher-kva.example:3128"),
    ("BÜCHER.example", "http://xn--bcher-kva.example"),
  ])
  func `the description has scheme, host and port, but no password`(text: String, address: String) throws {
    let proxy = try Proxy(text)
    #expect("\(proxy)" == address)
    var dumped = ""
    var configuration = CurlTransport.Configuration()
    configuration.proxy = proxy
    dump(configuration, to: &dumped)
    #expect(!dumped.contains("secret") && !String(reflecting: configuration).contains("secret"))
  }

  @Test(arguments: [
    "ftp://secret:secret@h", "socks4://secret@h", "http://", "http://secret@", "secret@h:", "h:0", "h:65536",
    "h:secret", "http://h/secret", "http://h?secret", "se cret@h", "s%zcret@h", "secret%4@h", "sec@ret@h",
    "http://[secret]:1", "http://[::1", "http://[]:1", "http://h\r\nsecret", "http://s\u{E9}cret@h", "://h",
    "http://secret\\@h", "http://secret@b\u{FC}cher/x", "http://secret@\u{2028}h",
  ])
  func `an invalid proxy URL is refused, and the error does not repeat it`(text: String) throws {
    let error = #expect(throws: LoadError.self) { try Proxy(text) }
    #expect(error?.kind == .invalidRequest && error.map { !"\($0)".contains("secret") } == true)
  }

  @Test(arguments: ["a\r\nX: y", "a\u{0}", "a\u{100}"])
  func `a user agent cannot add a header`(text: String) async throws {
    let origin = try RawOrigin { _ in [.read, Self.response] }
    defer { origin.stop() }
    var configuration = CurlTransport.Configuration()
    configuration.userAgent = text
    let transport = CurlTransport(configuration)
    let error = await #expect(throws: LoadError.self) {
      try await transport.exchange(TransportRequest(url: origin.url("/")))
    }
    await transport.close()
    #expect(error?.kind == .invalidRequest && origin.counters.connections == 0)
  }
}
