internal import CellophaneTestOrigin
internal import Dispatch

@testable internal import CellophaneCurl

extension NetworkFault {
  private static let tenBytes = head("Content-Length: 10")

  /// Connections that fail, break or stall.
  // swift-format-ignore
  static let connections: [NetworkFault] = [
    NetworkFault("closes before the request", script: { _ in [.cut] }, .retryable(.connectionLost)).with { $0.requests = 0 },
    NetworkFault("closes after the request", [.cut], .retryable(.connectionLost)),
    NetworkFault("resets after the request", [.reset], .retryable(.connectionLost)),
    NetworkFault("closes its sending side after the request", [.halfClose], .retryable(.connectionLost)),
    NetworkFault("closes within the status line", "HTTP/1.1 2", .retryable(.connectionLost)),
    NetworkFault("closes after the status line", "HTTP/1.1 200 OK\r\n", .retryable(.connectionLost)),
    NetworkFault("closes within a field", "HTTP/1.1 200 OK\r\nContent-Le", .retryable(.connectionLost)),
    NetworkFault("closes before the empty line", "HTTP/1.1 200 OK\r\nA: b\r\n", .retryable(.connectionLost)),
    NetworkFault("resets within the head", [.send("HTTP/1.1 200 OK\r\nA:"), .pause(.milliseconds(20)), .reset], .retryable(.connectionLost)),
    NetworkFault("closes before the body", tenBytes, .retryable(.connectionLost)),
    NetworkFault("closes within the body", tenBytes + "five!", .retryable(.connectionLost)),
    NetworkFault("resets within the body", [.send(tenBytes + "five!"), .pause(.milliseconds(20)), .reset], .retryable(.connectionLost)),
    NetworkFault("closes its sending side within the body", [.send(tenBytes + "five!"), .halfClose], .retryable(.connectionLost)),
    NetworkFault("closes a body of 500 KB one byte early", [.send(head("Content-Length: 500000")), .send([UInt8](repeating: 1, count: 499_999))], .retryable(.connectionLost)).with { $0.memory = 499_999 },
    NetworkFault("sends nothing", [.hold], .retryable(.timeout)).with { $0.limits.firstByte = .milliseconds(200) },
    NetworkFault("stalls within the head", [.send("HTTP/1.1 200 OK\r\nA"), .hold], .retryable(.timeout)).with { $0.limits.total = .milliseconds(300) },
    NetworkFault("stalls within the body", [.send(tenBytes + "five!"), .hold], .retryable(.timeout)).with { $0.limits.total = .milliseconds(300) },
    NetworkFault("sends its head byte by byte", [.drip(Array(head("A: " + String(repeating: "b", count: 5_000)).utf8), every: .milliseconds(5))], .retryable(.timeout)).with { $0.limits.total = .milliseconds(300) },
    NetworkFault("sends its body byte by byte", [.send(head("Content-Length: 5000")), .drip([UInt8](repeating: 1, count: 5_000), every: .milliseconds(5))], .retryable(.timeout)).with { $0.limits.total = .milliseconds(300) },
    NetworkFault("pauses within a head and a body, and completes both", [.send("HTTP/1.1 200"), .pause(.milliseconds(30)), .send(" OK\r\nContent-Length: 10\r\n\r"), .pause(.milliseconds(30)), .send("\nfive!"), .pause(.milliseconds(30)), .send("five!") ], .body("five!five!")),
    NetworkFault("responds before it reads the request", script: { _ in [.send(tenBytes + "five!five!"), .halfClose] }, .body("five!five!")).with { $0.requests = 0 },
  ]

  /// URLs without a reachable origin.
  // swift-format-ignore
  static let addresses: [NetworkFault] = [
    unreachable("has a port without a listener", "http://127.0.0.1:1/", .retryable(.connect)),
    unreachable("has an IPv6 address without a listener", "http://[::1]:1/", .retryable(.connect)),
    // Reserved by RFC 6761: never resolves.
    unreachable("has a name that does not exist", "http://nowhere.invalid/", .error(.dns)),
    unreachable("has a label that is too long", "http://\(String(repeating: "a", count: 64)).invalid/", .error(.dns)),
    unreachable("has a name that is too long", "http://\(String(repeating: "a.", count: 200))invalid/", .error(.dns)),
    unreachable("has an invalid address", "http://[::1::]/", .error(.invalidRequest)),
    unreachable("has the port 0", "http://127.0.0.1:0/", .error(.invalidRequest)),
    unreachable("has a port that is too large", "http://127.0.0.1:65536/", .error(.invalidRequest)),
    unreachable("has no host", "http:///path", .error(.invalidRequest)),
    unreachable("has another scheme", "ftp://127.0.0.1/", .error(.invalidRequest)),
  ]

  private static func unreachable(_ name: String, _ url: String, _ outcome: Outcome) -> NetworkFault {
    NetworkFault(name, [], outcome).with { fault in
      fault.url = url
      fault.requests = 0
      fault.connections = 0
    }
  }

  /// Events on idle connections.
  // swift-format-ignore
  static let idleConnections: [NetworkFault] = [
    NetworkFault("keeps its connection", script: { _ in [.read, ok(1), .read, ok(2), .hold] }, .body("2")).with { $0.loadTwice(connections: 1) },
    NetworkFault("closes its connection between two requests", script: { [.read, ok($0)] }, .body("1")).with { $0.loadTwice(connections: 2) },
    // libcurl retries once on a new connection, so the origin receives three requests.
    NetworkFault("closes a reused connection on its second request", script: { $0 == 0 ? [.read, ok(0), .read, .cut] : [.read, ok($0)] }, .body("1")).with { $0.loadTwice(connections: 2, requests: 3) },
    NetworkFault("closes a reused connection on its second request, and the new connection too", script: { $0 == 0 ? [.read, ok(0), .read, .cut] : [.read, .cut] }, .retryable(.connectionLost)).with { $0.loadTwice(connections: 2, requests: 3) },
    NetworkFault("closes a reused connection within its second response", script: { _ in [.read, ok(0), .read, .send(tenBytes + "five!")] }, .retryable(.connectionLost)).with { $0.loadTwice(connections: 1) },
    NetworkFault("sends garbage after its response", script: { $0 == 0 ? [.read, .send(one + "garbage"), .hold] : [.read, ok($0)] }, .body("1")).with { $0.loadTwice(connections: 2) },
    sendsUnsolicited("garbage"),
    sendsUnsolicited(one),
    sendsUnsolicited(String(repeating: "x", count: 100_000)),
    sendsUnsolicited(one, .trusted),
    sendsEarly(),
    NetworkFault("sends the response to the next request early", script: { $0 == 0 ? [.read, .send(one + one), .hold] : [.read, ok($0)] }, .body("1")).with { $0.loadTwice(connections: 2) },
  ]

  /// Returns a row with an origin that sends `bytes` on an idle connection.
  private static func sendsUnsolicited(_ bytes: String, _ certificate: Certificate = .none) -> NetworkFault {
    let pause = Pause()
    return NetworkFault(
      "sends \(bytes.utf8.count) bytes on an idle connection, certificate: \(certificate)",
      script: { number in
        number > 0
          ? [.read, ok(number)]
          : [
            .read, .send(one), .call { pause.firstLoadEnded.wait() }, .send(bytes),
            .call { pause.mayContinue.settle(()) },
            .hold,
          ]
      }, .body("1")
    ).with { fault in
      fault.loadTwice(connections: 2)
      fault.pause = pause
      fault.certificate = certificate
      if certificate != .none { fault.url = "https://HOST/" }
    }
  }

  /// Returns a row with an origin that sends two responses to one request, in two TLS records.
  private static func sendsEarly() -> NetworkFault {
    let pause = Pause()
    return NetworkFault(
      "sends the response to the next request early, in a separate TLS record",
      script: { number in
        number > 0
          ? [.read, ok(number)]
          : [.read, .send(one), .send(one), .call { pause.mayContinue.settle(()) }, .hold]
      }, .body("1")
    ).with { fault in
      fault.loadTwice(connections: 2)
      // A response that arrives after the second request would be its response.
      fault.pause = pause
      (fault.url, fault.certificate) = ("https://HOST/", .trusted)
    }
  }

  private static let one = head("Content-Length: 1") + "x"

  private static func ok(_ number: Int) -> RawOrigin.Step {
    .send(head("Content-Length: 1") + "\(number)")
  }

  private mutating func loadTwice(connections: Int, requests: Int = 2) {
    loads = 2
    self.requests = requests
    self.connections = connections
  }
}
