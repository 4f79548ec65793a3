internal import CellophaneCore
internal import CellophaneTestOrigin
internal import Testing

@testable internal import CellophaneCurl

@Suite("Address rules")
struct AddressRulesTests {
  private func address(_ text: String) throws -> [UInt8] {
    try #require(AddressPolicy.address(text), "\(text)")
  }

  private func permits(_ rules: AddressRules, _ text: String) throws -> Bool {
    rules.permit(try address(text), isPublic: AddressPolicy.isPublic)
  }

  private func failure(_ request: TransportRequest, over transport: CurlTransport) async -> LoadError? {
    do throws(LoadError) {
      _ = try await transport.exchange(request)
      return nil
    } catch {
      return error
    }
  }

  @Test("permitted ranges are added to the public addresses")
  func ranges() throws {
    let rules = AddressRules.publicOnly.allowing("10.1.0.0/16", "fd12:3456::/32").allowing("192.168.7.7")
    let permitted = [
      "8.8.8.8", "10.1.0.0", "10.1.255.255", "::ffff:10.1.2.3", "192.168.7.7", "fd12:3456::1", "2606:2800::1",
    ]
    let denied = [
      "10.0.255.255", "10.2.0.0", "127.0.0.1", "192.168.7.6", "192.168.7.8", "fd12:3457::1", "::1",
      "::ffff:10.2.2.3", "64:ff9b::10.1.2.3", "169.254.169.254", "100.64.0.1",
    ]
    for text in permitted { #expect(try permits(rules, text), "\(text)") }
    for text in denied { #expect(try !permits(rules, text), "\(text)") }
    for text in permitted + denied {
      #expect(try permits(.any, text))
      #expect(try permits(.publicOnly, text) == AddressPolicy.isPublic(address(text)))
    }
  }

  @Test(
    "IPv6 addresses that lead to private IPv4 addresses are not public",
    arguments: [
      ("2001:4860::5efe:8.8.8.8", true), ("2001:4860::5efe:10.0.0.1", false),
      ("2001:4860::200:5efe:169.254.169.254", false), ("2001:4860::200:5efe:8.8.8.8", true),
      ("2001:4860::100:5efe:10.0.0.1", true), ("2001:4860::5eff:10.0.0.1", true),
      ("fe80::5efe:8.8.8.8", false),
      ("64:ff9b::8.8.8.8", true), ("64:ff9b::192.168.0.1", false), ("64:ff9b::100.64.0.1", false),
      ("64:ff9b:1::8.8.8.8", false), ("64:ff9b:1::10.0.0.1", false), ("2002:808:808::1", true),
      ("2002:a00:1::1", false), ("2002:6440:1::1", false), ("::ffff:100.127.255.255", false),
      ("2001::5efe:8.8.8.8", false), ("::8.8.8.8", false), ("100.64.0.1", false), ("100.128.0.0", true),
      // ISATAP within 6to4.
      ("2002:808:808::5efe:10.0.0.1", false), ("2002:808:808::200:5efe:127.0.0.1", false),
      ("2002:808:808::5efe:8.8.8.8", true), ("2002:a00:1::5efe:8.8.8.8", false),
      // Teredo, whose last four bytes are inverted; RFC 6052 with a local prefix of 48 and of 96 bits.
      ("2001::f5ff:fffe", false), ("2001:0:4136:e378:8000:63bf:f7f7:f7f7", false),
      ("64:ff9b:1:a00:0:100::", false), ("64:ff9b:1:808:8:800::", false), ("64:ff9b:1:ffff::8.8.8.8", false),
      // IPv4-translated (RFC 2765) and IPv4-compatible.
      ("::ffff:0:10.0.0.1", false), ("::ffff:0:8.8.8.8", false), ("::10.0.0.1", false),
      ("::127.0.0.1", false),
      // All other forms of a private or special IPv4 address.
      ("64:ff9b::127.0.0.1", false), ("64:ff9b::0.0.0.0", false), ("64:ff9b::169.254.169.254", false),
      ("64:ff9b::168.63.129.16", false), ("64:ff9b::192.0.0.192", false), ("64:ff9b::224.0.0.1", false),
      ("::ffff:0.0.0.0", false), ("::ffff:169.254.169.254", false), ("2002:7f00:1::", false),
      ("2002:a9fe:a9fe::1", false), ("2002:e000:1::1", false), ("2606:4700::5efe:100.100.100.200", false),
      // Special networks of IPv6.
      ("::", false), ("::1", false), ("100::1", false), ("100:0:0:1::1", false), ("5f00::1", false),
      ("fc00::1", false), ("fd00:ec2::254", false), ("fd20:ce::254", false), ("fe80::a9fe:a9fe", false),
      ("fec0::1", false), ("ff02::1", false), ("ff0e::1", false), ("2001:2::1", false), ("2001:20::1", false),
      ("2001:db8::1", false), ("3fff::1", false), ("2620:4f:8000::1", true),
      ("2a00:1450:4001:82a::200e", true),
    ])
  func embedded(text: String, isPublic: Bool) throws {
    #expect(AddressPolicy.isPublic(try address(text)) == isPublic)
  }

  @Test(
    "a text that names no range is refused",
    arguments: [
      "", "10.1.0.0/33", "10.1.0.0/", "10.1.0.0/-1", "10.1.0.0/+8", "10.1/16", "a.example", "10.1.0.1/16",
      "fd00::/129", "fd00::1/8", "10.0.0.0/8/8", "/8", " 10.0.0.0/8", "010.0.0.0/8", "10.0.0.0/ 8",
    ])
  func malformed(text: String) {
    #expect(throws: LoadError.self) { try AddressRules.Network(text) }
  }

  @Test("ranges of any length contain the addresses with their prefix")
  func lengths() throws {
    for (text, inside, outside) in [
      ("0.0.0.0/0", ["0.0.0.0", "255.255.255.255"], ["::1"]), ("128.0.0.0/1", ["128.0.0.1"], ["127.0.0.1"]),
      ("10.16.0.0/12", ["10.31.255.255"], ["10.32.0.0"]), ("10.0.0.7/32", ["10.0.0.7"], ["10.0.0.6"]),
      ("::/0", ["::1", "fd00::1"], ["10.0.0.1"]), ("fd00::/127", ["fd00::1"], ["fd00::2"]),
    ] {
      let network = try AddressRules.Network(text)
      for text in inside { #expect(network.contains(try address(text)), "\(text)") }
      for text in outside { #expect(!network.contains(try address(text)), "\(text)") }
    }
  }

  @Test("only the hosts on the list are permitted")
  func hosts() throws {
    let rules = AddressRules.any.onlyHosts("A.example", "*.cdn.example", "[::1]")
    for (host, isPermitted) in [
      ("a.example", true), ("b.a.example", false), ("x.cdn.example", true), ("x.y.cdn.example", true),
      ("cdn.example", false), ("xcdn.example", false), ("a.example.evil", false), ("[::1]", true),
      ("127.0.0.1", false),
    ] {
      let origin = Origin(scheme: "https", host: host, port: 443)
      if isPermitted {
        #expect(throws: Never.self, "\(host)") { try rules.check(origin) }
      } else {
        #expect(throws: LoadError.self, "\(host)") { try rules.check(origin) }
      }
      #expect(throws: Never.self) { try AddressRules.publicOnly.check(origin) }
    }
    let both = rules.onlyHosts("a.example", "b.example")
    #expect(throws: LoadError.self) { try both.check(Origin(scheme: "http", host: "b.example", port: 80)) }
  }

  @Test("the transport refuses hosts that are not on the list, and redirects to them")
  func transport() async throws {
    let target = try RawOrigin { _ in [.read] }
    defer { target.stop() }
    let origin = try RawOrigin { _ in
      [
        .read,
        .send(
          "HTTP/1.1 302 Found\r\nLocation: http://localhost:\(target.port)/\r\nContent-Length: 0\r\n\r\n"),
      ]
    }
    defer { origin.stop() }
    let transport = CurlTransport(.init(addresses: .any.onlyHosts("127.0.0.1")))
    for url in [origin.url("/"), "http://localhost:\(target.port)/", "http://127.0.0.2:\(target.port)/"] {
      let error = await failure(TransportRequest(url: url), over: transport)
      #expect(error?.kind == .refused, "\(error?.message ?? "no error")")
    }
    await transport.close()
    target.stop()
    #expect(target.counters.connections == 0 && origin.counters.requests == 1)
  }

  @Test("a permitted private address is connected to")
  func permitted() async throws {
    let origin = try TestOrigin { _ in OriginResponse(body: [1]) }
    defer { origin.stop() }
    for (rules, isPermitted) in [
      (AddressRules.publicOnly.allowing("127.0.0.0/8"), true), (.publicOnly.allowing("10.0.0.0/8"), false),
    ] {
      let transport = CurlTransport(.init(addresses: rules))
      let error = await failure(TransportRequest(url: origin.url("/")), over: transport)
      #expect((error == nil) == isPermitted, "\(error?.message ?? "no error")")
      await transport.close()
    }
  }
}
