internal import CellophaneTesting
internal import Testing

@testable internal import Cellophane

/// Proxies that follow a script, and what they and the origins behind them see.
@Suite("Proxies", .timeLimit(.minutes(1))) struct ProxyTests {
  /// A transport that goes through `proxy`.
  private func transport(
    _ proxy: RawOrigin, scheme: String = "http", user: String = "me:secret@", trusting file: String? = nil
  ) throws -> CurlTransport {
    var configuration = CurlTransport.Configuration()
    configuration.proxy = try Proxy("\(scheme)://\(user)127.0.0.1:\(proxy.port)")
    configuration.caFile = file
    return CurlTransport(configuration)
  }

  private static let answer = RawOrigin.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
  private static let own: HeaderFields = ["Authorization": "Bearer own", "Proxy-Ticket": "7"]
  // "me:secret" in Base64.
  private static let basic = "Proxy-Authorization: Basic bWU6c2VjcmV0\r\n"

  @Test(arguments: [false, true])
  func `a proxy is asked for the whole URL, with what is meant for it`(isEncrypted: Bool) async throws {
    let certificate = isEncrypted ? try TestCertificate(for: "IP:127.0.0.1") : nil
    let proxy = try RawOrigin(identity: certificate?.identity) { _ in
      [.read, Self.answer, .read, Self.answer]
    }
    defer { proxy.stop() }
    let transport = try transport(
      proxy, scheme: isEncrypted ? "https" : "http", trusting: certificate?.file)
    // Twice: over a connection that is made, and over the one that was kept.
    for _ in 1...2 {
      let response = try await transport.exchange(
        TransportRequest(url: "http://nowhere.invalid/x?y", headers: Self.own))
      #expect(response.body == Array("ok".utf8))
    }
    await transport.close()
    #expect(proxy.counters.connections == 1)
    let head = try #require(proxy.counters.heads.first)
    #expect(head.hasPrefix("GET http://nowhere.invalid/x?y HTTP/1.1\r\n"))
    #expect(head.contains(Self.basic) && head.contains("proxy-ticket: 7\r\n"))
    #expect(head.contains("authorization: Bearer own\r\n"))
  }

  @Test func `what is meant for a proxy does not go through the tunnel, nor the rest to the proxy`()
    async throws
  {
    let certificate = try TestCertificate(for: "DNS:nowhere.invalid")
    let origin = try RawOrigin(identity: certificate.identity) { _ in [.read, Self.answer] }
    defer { origin.stop() }
    let proxy = try RawOrigin { [port = origin.port] _ in
      [.read, .send("HTTP/1.1 200 Go on\r\nX-Proxy: 1\r\n\r\n"), .relay(port: port)]
    }
    defer { proxy.stop() }
    let transport = try transport(proxy, trusting: certificate.file)
    let response = try await transport.exchange(
      TransportRequest(url: "https://nowhere.invalid/x", headers: Self.own))
    await transport.close()
    #expect(response.body == Array("ok".utf8) && response.headers["x-proxy"] == nil)
    let asked = try #require(proxy.counters.heads.first)
    #expect(asked.hasPrefix("CONNECT nowhere.invalid:443 HTTP/1.1\r\n") && asked.contains(Self.basic))
    #expect(asked.contains("proxy-ticket: 7\r\n") && !asked.contains("Bearer"))
    let seen = try #require(origin.counters.heads.first)
    #expect(seen.hasPrefix("GET /x HTTP/1.1\r\n") && seen.contains("authorization: Bearer own\r\n"))
    #expect(!seen.lowercased().contains("proxy") && !seen.contains("secret"))
  }

  @Test func `SOCKS 5 gets the name and the password, and the origin nothing of it`() async throws {
    let origin = try RawOrigin { _ in [.read, Self.answer] }
    defer { origin.stop() }
    let proxy = try RawOrigin { [port = origin.port] _ in
      // A method is chosen, the password is right, the connection stands (RFC 1928, RFC 1929).
      [
        .take, .send([5, 2]), .take, .send([1, 0]), .take, .send([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
        .relay(port: port),
      ]
    }
    defer { proxy.stop() }
    let transport = try transport(proxy, scheme: "socks5h")
    let response = try await transport.exchange(
      TransportRequest(url: "http://nowhere.invalid/x", headers: Self.own))
    await transport.close()
    #expect(response.body == Array("ok".utf8))
    #expect(
      proxy.counters.heads.dropFirst() == [
        "\u{1}\u{2}me\u{6}secret", "\u{5}\u{1}\u{0}\u{3}\u{F}nowhere.invalid\u{0}P",
      ])
    let seen = try #require(origin.counters.heads.first)
    #expect(seen.hasPrefix("GET /x HTTP/1.1\r\n") && !seen.lowercased().contains("proxy"))
  }

  /// What a proxy does that helps nobody.
  struct Refusal: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var scheme = "http"
    let url: String
    let steps: [RawOrigin.Step]
    let kind: LoadError.Kind
    let isRetryable: Bool
    let says: String
    var stage = FailedExchange.Stage.connect
  }

  private static let refusals: [Refusal] =
    [407, 403, 502].map { status in
      Refusal(
        testDescription: "a tunnel answered with \(status)", url: "https://nowhere.invalid/",
        steps: [.read, .send("HTTP/1.1 \(status) No\r\nContent-Length: 0\r\n\r\n")], kind: .connect,
        isRetryable: status == 502, says: "the proxy answered \(status)")
    } + [
      Refusal(
        testDescription: "a tunnel never answered", url: "https://nowhere.invalid/", steps: [.read, .hold],
        kind: .timeout, isRetryable: true, says: "the connection through the proxy timed out"),
      Refusal(
        testDescription: "SOCKS without a way", scheme: "socks5h", url: "http://nowhere.invalid/",
        steps: [.take, .send([5, 2]), .take, .send([1, 0]), .take, .send([5, 4, 0, 1, 0, 0, 0, 0, 0, 0])],
        kind: .connect, isRetryable: true, says: "the proxy denied the connection"),
      Refusal(
        testDescription: "a wrong password of SOCKS", scheme: "socks5h", url: "http://nowhere.invalid/",
        steps: [.take, .send([5, 2]), .take, .send([1, 1])], kind: .connect, isRetryable: true,
        says: "the proxy denied the connection"),
    ]

  @Test(arguments: refusals)
  func `a proxy that refuses is told from an origin that does`(_ refusal: Refusal) async throws {
    let proxy = try RawOrigin { _ in refusal.steps }
    defer { proxy.stop() }
    let transport = try transport(proxy, scheme: refusal.scheme)
    var request = TransportRequest(url: refusal.url)
    request.limits.connect = .milliseconds(500)
    let error = await #expect(throws: LoadError.self) { try await transport.exchange(request) }
    await transport.close()
    let told = try #require(error)
    #expect(told.kind == refusal.kind && told.isRetryable == refusal.isRetryable, "\(told)")
    #expect(told.message.contains(refusal.says) && !"\(told)".contains("secret"), "\(told)")
    #expect(request.body.failure?.stage == refusal.stage)
  }

  @Test func `a proxy that is not there is told, too`() async throws {
    let proxy = try RawOrigin { _ in [] }
    let transport = try transport(proxy)
    proxy.stop()
    let error = await #expect(throws: LoadError.self) {
      try await transport.exchange(TransportRequest(url: "http://nowhere.invalid/"))
    }
    await transport.close()
    #expect(error?.kind == .connect && error?.message.contains("the proxy refused the connection") == true)
  }

  @Test(arguments: [
    ("http://me:secret@proxy.example:3128", "http://proxy.example:3128"), ("proxy:80", "http://proxy:80"),
    ("me:secret@proxy:80", "http://proxy:80"), ("SOCKS5H://[::1]:1080", "socks5h://[::1]:1080"),
    ("https://a%40b:%2Fsecret@p/", "https://p"), ("socks5://10.0.0.1", "socks5://10.0.0.1"), ("", "direct"),
  ])
  func `it tells where it is and no password`(text: String, place: String) throws {
    let proxy = try Proxy(text)
    #expect("\(proxy)" == place)
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
    "http://secret\\@h",
  ])
  func `what is no proxy is refused without being repeated`(text: String) throws {
    let error = #expect(throws: LoadError.self) { try Proxy(text) }
    #expect(error?.kind == .invalidRequest && error.map { !"\($0)".contains("secret") } == true)
  }

  @Test(arguments: ["a\r\nX: y", "a\u{0}", "a\u{100}"])
  func `a user agent writes no header of its own`(text: String) async throws {
    let origin = try RawOrigin { _ in [.read, Self.answer] }
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
