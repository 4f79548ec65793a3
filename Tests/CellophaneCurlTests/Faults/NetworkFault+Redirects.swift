internal import CellophaneTestOrigin

@testable internal import CellophaneCurl

extension NetworkFault {
  /// Returns a row with an origin that redirects to `location`, and sends "end" to a second request on that connection.
  private static func redirect(
    to location: String, _ outcome: Outcome, status: Int = 302, requests: Int = 1,
    _ change: (inout NetworkFault) -> Void = { _ in }
  ) -> NetworkFault {
    let response = head(status, ["Location: \(location)", "Content-Length: 0"])
    return NetworkFault(
      "redirects (\(status)) to \(location)",
      script: { _ in [.read, .send(response), .read, .send(head("Content-Length: 3") + "end")] }, outcome
    ).with { fault in
      fault.requests = requests
      change(&fault)
    }
  }

  private static func endless(_ count: Int) -> [RawOrigin.Step] {
    (0..<count).flatMap { [.read, .send(head(302, ["Location: /\($0 + 1)", "Content-Length: 0"]))] }
  }

  /// Returns chunks of one byte, with extensions of `count` bytes in total.
  private static func padded(_ count: Int) -> [UInt8] {
    let chunk = Array("1;\(String(repeating: "e", count: 10_000))\r\nA\r\n".utf8)
    return (0..<count / 10_000).flatMap { _ in chunk } + Array("0\r\n\r\n".utf8)
  }

  /// Redirects to invalid, unreachable or forbidden URLs, and long chains.
  // swift-format-ignore
  static let redirects: [NetworkFault] = [
    redirect(to: "/end", .body("end"), requests: 2),
    redirect(to: "end", .body("end"), status: 301, requests: 2),
    redirect(to: "?end", .body("end"), status: 303, requests: 2),
    redirect(to: "#end", .body("end"), status: 307, requests: 2),
    redirect(to: "./../../end", .body("end"), status: 308, requests: 2),
    redirect(to: "/with blank", .body("end"), requests: 2),
    redirect(to: "http://", .error(.malformedResponse)),
    redirect(to: "http://127.0.0.1:0/", .error(.malformedResponse)),
    redirect(to: "http://127.0.0.1:99999/", .error(.malformedResponse)),
    redirect(to: "http://[::1/", .error(.malformedResponse)),
    redirect(to: "http://name:word@127.0.0.1:1/", .error(.malformedResponse)),
    redirect(to: "//name:word@127.0.0.1:1/", .error(.malformedResponse)),
    redirect(to: "http://a,b/", .error(.malformedResponse)),
    redirect(to: "//127.0.0.1:1/", .retryable(.connect)),
    redirect(to: "http://nowhere.invalid/", .error(.dns)),
    redirect(to: "file:///etc/passwd", .error(.refused)),
    redirect(to: "ftp://127.0.0.1/", .error(.refused)),
    redirect(to: "data:,x", .error(.refused)),
    redirect(to: "javascript:alert(1)", .error(.refused)),
    redirect(to: "gopher://127.0.0.1:6379/_x", .error(.refused)),
    redirect(to: "file:///etc/passwd", .error(.refused), status: 301) { $0.configuration.allowsFiles = true },
    NetworkFault("redirects without a Location", head(302, ["Content-Length: 0"]), .error(.status)),
    NetworkFault("redirects to an empty Location", head(302, ["Location:", "Content-Length: 0"]), .error(.malformedResponse)),
    NetworkFault("redirects to two URLs", head(302, ["Location: /a", "Location: /b", "Content-Length: 0"]), .error(.malformedResponse)),
    NetworkFault("redirects 300 times", script: { _ in endless(300) }, .error(.redirects)).with { $0.requests = 21 },
    NetworkFault("redirects 20 times", script: { _ in endless(20) + [.read, .send(head("Content-Length: 3") + "end")] }, .body("end")).with { $0.requests = 21 },
    NetworkFault("redirects in a loop", script: { _ in Array(repeating: [.read, .send(head(302, ["Location: /", "Content-Length: 0"]))], count: 30).flatMap(\.self) }, .error(.redirects)).with { $0.requests = 21 },
    NetworkFault("redirects with 3 MB of chunk extensions", script: { $0 == 0 ? [.read, .send(head(302, ["Location: /end", "Transfer-Encoding: chunked"])), .send(padded(3_000_000))] : end }, .body("end")).with { ($0.requests, $0.connections) = (2, 2) },
    NetworkFault("redirects with 1 MB of chunk extensions", script: { _ in [.read, .send(head(302, ["Location: /end", "Transfer-Encoding: chunked"])), .send(padded(1_000_000))] + end }, .body("end")).with { $0.requests = 2 },
    redirect(to: "/end", .error(.refused), requests: 0) { ($0.configuration, $0.connections) = (.server, 0) },
  ]

  private static let end: [RawOrigin.Step] = [.read, .send(head("Content-Length: 3") + "end")]

  /// Failed handshakes, untrusted certificates and truncated encryption.
  // swift-format-ignore
  static let tls: [NetworkFault] = [
    NetworkFault("sends a trusted certificate", script: { _ in end }, .body("end")).with { $0.useTLS(.trusted, requests: 1) },
    NetworkFault("sends a certificate for another name", script: { _ in end }, .error(.tls)).with { $0.useTLS(.forAnotherName) }.with { $0.message = "for another host name" },
    NetworkFault("sends a self-signed certificate", script: { _ in end }, .error(.tls)).with { $0.useTLS(.unknown) }.with { $0.message = "self-signed" },
    NetworkFault("sends an expired certificate", script: { _ in end }, .error(.tls)).with { $0.useTLS(.expired) }.with { $0.message = "has expired" },
    NetworkFault("sends a certificate that is not valid yet", script: { _ in end }, .error(.tls)).with { $0.useTLS(.fromNextCentury) }.with { $0.message = "not valid yet" },
    NetworkFault("speaks plain text on its TLS port", script: { _ in end }, .error(.tls)).with { $0.useTLS(.none, requests: 1) },
    NetworkFault("speaks plain text before the request", script: { _ in [.send(head() + "ok"), .halfClose] }, .error(.tls)).with { $0.useTLS(.none) },
    NetworkFault("closes within the handshake", [.cut], .error(.tls)).with { $0.useTLS(.none, requests: 1) },
    NetworkFault("resets within the handshake", [.reset], .error(.tls)).with { $0.useTLS(.none, requests: 1) },
    NetworkFault("refuses the handshake", [.send([0x15, 3, 1, 0, 2, 2, 40])], .error(.tls)).with { $0.useTLS(.none, requests: 1) },
    NetworkFault("stalls within the handshake", [.hold], .retryable(.timeout)).with { $0.useTLS(.none, requests: 1) }.with { $0.limits.connect = .milliseconds(300) },
    NetworkFault("speaks TLS on its plain port", script: { _ in end }, .retryable(.connectionLost)).with { $0.useTLS(.trusted) }.with { $0.url = "http://HOST/" },
    NetworkFault("cuts an encrypted body", [.send(head("Content-Length: 9") + "cut"), .cut], .retryable(.connectionLost)).with { $0.useTLS(.trusted, requests: 1) },
    // libcurl treats an end without a TLS close notification as one with it (it sets SSL_OP_IGNORE_UNEXPECTED_EOF in
    // OpenSSL) and does not report which it was. So neither is stored: RFC 9112, section 9.8.
    NetworkFault("cuts an encrypted body without a length", [.send(head() + "cut"), .cut], .body("cut")).with { $0.useTLS(.trusted, requests: 1) }.with { $0.isStored = false },
    NetworkFault("ends an encrypted body without a length", [.send(head() + "whole")], .body("whole")).with { $0.useTLS(.trusted, requests: 1) }.with { $0.isStored = false },
    // libcurl drops the excess, and a byte count cannot distinguish it from TLS overhead.
    NetworkFault("sends more than its Content-Length, encrypted", [.send(head("Content-Length: 5") + "whole and more")], .body("whole")).with { $0.useTLS(.trusted, requests: 1) },
    NetworkFault("cuts the connection after an encrypted body with a length", [.send(head("Content-Length: 5") + "whole"), .cut], .body("whole")).with { $0.useTLS(.trusted, requests: 1) }.with { $0.isStored = true },
    NetworkFault("cuts the connection after encrypted chunks", [.send(head("Transfer-Encoding: chunked") + "2\r\nok\r\n0\r\n\r\n"), .cut], .body("ok")).with { $0.useTLS(.trusted, requests: 1) }.with { $0.isStored = true },
    NetworkFault("resets within an encrypted body", [.send(head("Content-Length: 9") + "cut"), .pause(.milliseconds(20)), .reset], .retryable(.connectionLost)).with { $0.useTLS(.trusted, requests: 1) },
    NetworkFault("cuts encrypted chunks", [.send(head("Transfer-Encoding: chunked") + "2\r\nok\r\n"), .cut], .retryable(.connectionLost)).with { $0.useTLS(.trusted, requests: 1) },
    NetworkFault("sends an invalid encrypted chunk size", [.send(head("Transfer-Encoding: chunked") + "zz\r\n")], .error(.malformedResponse)).with { $0.useTLS(.trusted, requests: 1) },
    NetworkFault("redirects from https to http", [.send(head(302, ["Location: http://127.0.0.1:1/", "Content-Length: 0"]))], .error(.refused)).with { $0.useTLS(.trusted, requests: 1) },
    NetworkFault("redirects from https to http, which is allowed", [.send(head(302, ["Location: http://127.0.0.1:1/", "Content-Length: 0"]))], .retryable(.connect)).with { $0.useTLS(.trusted, requests: 1) }.with { $0.configuration.allowsDowngrade = true },
  ]

  private mutating func useTLS(_ certificate: Certificate, requests: Int = 0) {
    self.certificate = certificate
    self.requests = requests
    url = "https://HOST/"
  }
}
