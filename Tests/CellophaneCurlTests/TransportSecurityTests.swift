internal import CellophaneTestOrigin
internal import Testing

@testable internal import CellophaneCurl
internal import TestSupport

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

@Suite(.timeLimit(.minutes(1))) struct TransportSecurityTests {
  private func failure(_ request: TransportRequest, over transport: CurlTransport) async -> LoadError? {
    do {
      _ = try await transport.exchange(request)
      return nil
    } catch { return error }
  }

  /// Private addresses in every notation, and a name with one.
  @Test(arguments: [
    "127.0.0.1", "127.1", "127.0.1", "0177.0.0.1", "0x7f.0.0.1", "0x7f000001", "2130706433", "017700000001",
    "localhost", "LOCALHOST", "0.0.0.0", "0", "10.1.2.3", "172.16.0.1", "192.168.1.1",
    "169.254.169.254", "2852039166", "100.64.0.1", "224.0.0.1", "255.255.255.255", "[::1]", "[::]",
    "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:a9fe:a9fe]", "[::127.0.0.1]",
    "[64:ff9b::7f00:1]", "[64:ff9b::169.254.169.254]", "[2002:7f00:1::]", "[2002:a9fe:a9fe::1]", "[fe80::1]",
    "[fd00:ec2::254]", "[ff02::1]",
  ])
  func `the server configuration refuses private addresses`(host: String) async throws {
    let origin = try RawOrigin { _ in [.read] }
    defer { origin.stop() }
    let transport = CurlTransport(.server)
    let error = await failure(TransportRequest(url: "http://\(host):\(origin.port)/"), over: transport)
    #expect(error?.kind == .refused, "\(error?.message ?? "no error")")
    #expect(error?.isRetryable == false)
    await transport.close()
    origin.stop()
    #expect(origin.counters.connections == 0)
  }

  /// Here 127.0.0.1 counts as a public address, and the other addresses of loopback as private ones.
  @Test(arguments: ["127.0.0.2", "2130706434", "0177.0.0.2", "[::1]"])
  func `the target of each redirect is checked`(host: String) async throws {
    let target = try RawOrigin { _ in [.read] }
    defer { target.stop() }
    let location = "http://\(host):\(target.port)/"
    let origin = try RawOrigin { _ in
      [
        .read, .send("HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n"),
        .read, .send("HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n"),
      ]
    }
    defer { origin.stop() }
    let transport = CurlTransport(.server, AddressResolution(isPublic: { $0 == [127, 0, 0, 1] }))
    let error = await failure(TransportRequest(url: origin.url("/")), over: transport)
    #expect(error?.kind == .refused, "\(error?.message ?? "no error")")
    await transport.close()
    target.stop()
    #expect(target.counters.connections == 0)
    #expect(origin.counters.requests == 2)
  }

  /// `localhost` has the addresses ::1 and 127.0.0.1. Only the second one counts as public here.
  @Test func `a public address that refuses the connection is a connection error`() async throws {
    let origin = try RawOrigin { _ in [] }
    origin.stop()
    let transport = CurlTransport(.server, AddressResolution(isPublic: { $0 == [127, 0, 0, 1] }))
    let error = await failure(
      TransportRequest(url: "http://localhost:\(origin.port)/"), over: transport)
    #expect(error?.kind == .connect && error?.isRetryable == true, "\(error?.message ?? "no error")")
    await transport.close()
  }

  @Test func `the server configuration uses no proxy`() async throws {
    let proxy = try RawOrigin { _ in [.read] }
    defer { proxy.stop() }
    var configuration = CurlTransport.Configuration.server
    configuration.proxy = try Proxy(proxy.url(""))
    let transport = CurlTransport(configuration)
    let error = await failure(TransportRequest(url: "http://127.0.0.1:1/"), over: transport)
    #expect(error?.kind == .refused)
    await transport.close()
    proxy.stop()
    #expect(proxy.counters.connections == 0)
  }

  /// Redirects within the origin, then to another port of its host, and back. The test compares the bytes that arrive.
  @Test func `only the first origin receives credentials, until a redirect leaves it`() async throws {
    @Sendable func redirect(_ location: String) -> RawOrigin.Step {
      .send(
        "HTTP/1.1 307 Away\r\nLocation: \(location)\r\nSet-Cookie: of=origin\r\nContent-Length: 0\r\n\r\n")
    }
    let location = Shared("")
    let origin = try RawOrigin { _ in
      [
        .read, redirect("/same"), .read, redirect(location.value), .read,
        .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
      ]
    }
    defer { origin.stop() }
    let back = origin.url("/back")
    let other = try RawOrigin { _ in [.read, redirect(back)] }
    defer { other.stop() }
    location.value = other.url("/away")
    let secrets: HeaderFields = [
      "Authorization": "Bearer secret", "Cookie": "id=secret", "Proxy-Authorization": "Basic secret",
      "Proxy-Ticket": "secret",
    ]
    var headers = secrets
    headers.append("x-kept", "yes")
    let transport = CurlTransport()
    let response = try await transport.exchange(TransportRequest(url: origin.url("/"), headers: headers))
    await transport.close()
    #expect(response.url == back)
    let heads = origin.counters.heads + other.counters.heads
    #expect(
      heads.map { $0.prefix { $0 != "\r\n" } } == [
        "GET / HTTP/1.1", "GET /same HTTP/1.1", "GET /back HTTP/1.1", "GET /away HTTP/1.1",
      ])
    for (number, head) in heads.enumerated() {
      for field in secrets.fields {
        // No origin receives the fields for a proxy.
        let isExpected = number < 2 && !field.name.hasPrefix("proxy-")
        #expect(head.contains("\(field.name): \(field.value)\r\n") == isExpected, "\(field.name) in \(head)")
      }
      #expect(head.contains("secret") == (number < 2))
      #expect(head.contains("x-kept: yes\r\n") && !head.contains("of=origin"))
    }
  }

  /// The message omits everything that could be a user name or a password, even in a malformed URL.
  @Test(arguments: [
    "http://user:secret@127.0.0.1:1/", "http://user:secret@h/%zz", "http://user:sec ret@h/",
    "http://user:secret@/",
    "http://user:secret@h:99999/", "http://user:secret@h:port/", "http://user:se/secret@h/",
    "http://user:se?secret@h/",
    "http://user:secret@[::1/", "//user:secret@h/", "user:secret@h/", "http:user:secret@h",
    "ftp://user:secret@h/",
    "http://user:a@secret@h/", "HTTPS://secret@h/", "http://us er:secret@h\u{7F}/",
  ])
  func `an error shows no password`(url: String) async {
    let error = #expect(throws: LoadError.self) { try Request(url, options: 0) }
    #expect(error?.kind == .invalidRequest)
    #expect(error.map { !"\($0)".contains("secret") } == true, "\(error.map { "\($0)" } ?? "")")
    let sent = await failure(TransportRequest(url: url), over: CurlTransport())
    #expect(sent.map { !"\($0)".contains("secret") } == true, "\(sent.map { "\($0)" } ?? "")")
  }

  /// Connections that close during a large write, in plain text and encrypted, in a process that SIGPIPE would end.
  @Test("a broken pipe raises no signal", arguments: [false, true])
  func brokenPipe(isEncrypted: Bool) async throws {
    await #expect(processExitsWith: .success) { [isEncrypted] in
      signal(SIGPIPE, SIG_DFL)
      let certificate = try TestCertificate(for: "IP:127.0.0.1")
      let origin = try RawOrigin(identity: isEncrypted ? certificate.identity : nil) {
        $0 % 2 == 0 ? [.cut] : [.reset]
      }
      var configuration = CurlTransport.Configuration()
      configuration.caFile = certificate.file
      let transport = CurlTransport(configuration)
      var headers = HeaderFields()
      for index in 0..<4 { headers.append("x-\(index)", String(repeating: "y", count: 60_000)) }
      for _ in 0..<20 {
        do {
          _ = try await transport.exchange(TransportRequest(url: origin.url("/"), headers: headers))
          preconditionFailure("the exchange succeeded")
        } catch {
          let kind = (error as? LoadError)?.kind
          precondition([.connectionLost, .connect, .tls].contains(kind), "\(error)")
        }
      }
      await transport.close()
      origin.stop()
    }
  }
}
