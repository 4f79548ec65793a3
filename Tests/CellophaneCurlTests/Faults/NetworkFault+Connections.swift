internal import CellophaneTestOrigin
internal import Dispatch

@testable internal import Cellophane

extension NetworkFault {
  private static let tenBytes = head("Content-Length: 10")

  /// Connections that are not made, that break, and that stand still.
  // swift-format-ignore
  static let connections: [NetworkFault] = [
    NetworkFault("closes before the request", script: { _ in [.cut] }, .retryable(.connectionLost)).with { $0.requests = 0 },
    NetworkFault("closes after the request", [.cut], .retryable(.connectionLost)),
    NetworkFault("resets after the request", [.reset], .retryable(.connectionLost)),
    NetworkFault("sends no more after the request", [.halfClose], .retryable(.connectionLost)),
    NetworkFault("closes within the status line", "HTTP/1.1 2", .retryable(.connectionLost)),
    NetworkFault("closes behind the status line", "HTTP/1.1 200 OK\r\n", .retryable(.connectionLost)),
    NetworkFault("closes within a field", "HTTP/1.1 200 OK\r\nContent-Le", .retryable(.connectionLost)),
    NetworkFault("closes before the empty line", "HTTP/1.1 200 OK\r\nA: b\r\n", .retryable(.connectionLost)),
    NetworkFault("resets within the head", [.send("HTTP/1.1 200 OK\r\nA:"), .pause(.milliseconds(20)), .reset], .retryable(.connectionLost)),
    NetworkFault("closes before the body", tenBytes, .retryable(.connectionLost)),
    NetworkFault("closes in the body", tenBytes + "five!", .retryable(.connectionLost)),
    NetworkFault("resets in the body", [.send(tenBytes + "five!"), .pause(.milliseconds(20)), .reset], .retryable(.connectionLost)),
    NetworkFault("sends no more in the body", [.send(tenBytes + "five!"), .halfClose], .retryable(.connectionLost)),
    NetworkFault("closes a body of 500 KB one byte early", [.send(head("Content-Length: 500000")), .send([UInt8](repeating: 1, count: 499_999))], .retryable(.connectionLost)).with { $0.memory = 499_999 },
    NetworkFault("says nothing", [.hold], .retryable(.timeout)).with { $0.limits.firstByte = .milliseconds(200) },
    NetworkFault("stands still in the head", [.send("HTTP/1.1 200 OK\r\nA"), .hold], .retryable(.timeout)).with { $0.limits.total = .milliseconds(300) },
    NetworkFault("stands still in the body", [.send(tenBytes + "five!"), .hold], .retryable(.timeout)).with { $0.limits.total = .milliseconds(300) },
    NetworkFault("sends its head in drops", [.drip(Array(head("A: " + String(repeating: "b", count: 5_000)).utf8), every: .milliseconds(5))], .retryable(.timeout)).with { $0.limits.total = .milliseconds(300) },
    NetworkFault("sends its body in drops", [.send(head("Content-Length: 5000")), .drip([UInt8](repeating: 1, count: 5_000), every: .milliseconds(5))], .retryable(.timeout)).with { $0.limits.total = .milliseconds(300) },
    NetworkFault("waits within a head and a body that are whole in the end", [.send("HTTP/1.1 200"), .pause(.milliseconds(30)), .send(" OK\r\nContent-Length: 10\r\n\r"), .pause(.milliseconds(30)), .send("\nfive!"), .pause(.milliseconds(30)), .send("five!") ], .body("five!five!")),
    NetworkFault("answers before the request is read", script: { _ in [.send(tenBytes + "five!five!"), .halfClose] }, .body("five!five!")).with { $0.requests = 0 },
  ]

  /// Addresses that lead nowhere.
  // swift-format-ignore
  static let addresses: [NetworkFault] = [
    nowhere("has a port where nobody listens", "http://127.0.0.1:1/", .retryable(.connect)),
    nowhere("has an IPv6 address where nobody listens", "http://[::1]:1/", .retryable(.connect)),
    // Reserved by RFC 6761: never resolves.
    nowhere("has a name that does not exist", "http://nowhere.invalid/", .error(.dns)),
    nowhere("has a label that is too long", "http://\(String(repeating: "a", count: 64)).invalid/", .error(.dns)),
    nowhere("has a name that is too long", "http://\(String(repeating: "a.", count: 200))invalid/", .error(.dns)),
    nowhere("has an address that is none", "http://[::1::]/", .error(.invalidRequest)),
    nowhere("has the port 0", "http://127.0.0.1:0/", .error(.invalidRequest)),
    nowhere("has a port that is too large", "http://127.0.0.1:65536/", .error(.invalidRequest)),
    nowhere("has no host", "http:///path", .error(.invalidRequest)),
    nowhere("has another scheme", "ftp://127.0.0.1/", .error(.invalidRequest)),
  ]

  private static func nowhere(_ name: String, _ url: String, _ outcome: Outcome) -> NetworkFault {
    NetworkFault(name, [], outcome).with { fault in
      fault.url = url
      fault.requests = 0
      fault.connections = 0
    }
  }

  /// What an origin does to connections that are kept.
  // swift-format-ignore
  static let maxIdleConnections: [NetworkFault] = [
    NetworkFault("keeps its connection", script: { _ in [.read, ok(1), .read, ok(2), .hold] }, .body("2")).with { $0.twice(connections: 1) },
    NetworkFault("closes its connection between two requests", script: { [.read, ok($0)] }, .body("1")).with { $0.twice(connections: 2) },
    // One try more, and both requests were sent; the second answer counts once.
    NetworkFault("closes a kept connection on the next request", script: { $0 == 0 ? [.read, ok(0), .read, .cut] : [.read, ok($0)] }, .body("1")).with { $0.twice(connections: 2, requests: 3) },
    NetworkFault("closes a kept connection on the next request, and the new one too", script: { $0 == 0 ? [.read, ok(0), .read, .cut] : [.read, .cut] }, .retryable(.connectionLost)).with { $0.twice(connections: 2, requests: 3) },
    NetworkFault("closes a kept connection within the next answer", script: { _ in [.read, ok(0), .read, .send(tenBytes + "five!")] }, .retryable(.connectionLost)).with { $0.twice(connections: 1) },
    NetworkFault("sends garbage behind its answer", script: { $0 == 0 ? [.read, .send(one + "garbage"), .hold] : [.read, ok($0)] }, .body("1")).with { $0.twice(connections: 2) },
    late("garbage"),
    late(one),
    late(String(repeating: "x", count: 100_000)),
    late(one, .trusted),
    NetworkFault("sends the answer to the next request in a TLS record of its own", script: { $0 == 0 ? [.read, .send(one), .send(one), .hold] : [.read, ok($0)] }, .body("1")).with { $0.twice(connections: 2) }.with { ($0.url, $0.certificate) = ("https://HOST/", .trusted) },
    NetworkFault("sends the answer to the next request before it is asked", script: { $0 == 0 ? [.read, .send(one + one), .hold] : [.read, ok($0)] }, .body("1")).with { $0.twice(connections: 2) },
  ]

  /// An origin that sends `bytes` when its answer has been taken and nothing is asked.
  private static func late(_ bytes: String, _ certificate: Certificate = .none) -> NetworkFault {
    let pause = Pause()
    return NetworkFault(
      "sends \(bytes.utf8.count) bytes when its answer has been taken, certificate: \(certificate)",
      script: { number in
        number > 0
          ? [.read, ok(number)]
          : [
            .read, .send(one), .call { pause.isTaken.wait() }, .send(bytes),
            .call { pause.isOver.settle(()) },
            .hold,
          ]
      }, .body("1")
    ).with { fault in
      fault.twice(connections: 2)
      fault.pause = pause
      fault.certificate = certificate
      if certificate != .none { fault.url = "https://HOST/" }
    }
  }

  private static let one = head("Content-Length: 1") + "x"

  private static func ok(_ number: Int) -> RawOrigin.Step {
    .send(head("Content-Length: 1") + "\(number)")
  }

  private mutating func twice(connections: Int, requests: Int = 2) {
    loads = 2
    self.requests = requests
    self.connections = connections
  }
}
