internal import CellophaneTestOrigin

@testable internal import Cellophane

extension NetworkFault {
  /// An origin that redirects to `location`, and answers a second request on that connection with "end".
  private static func to(
    _ location: String, _ outcome: Outcome, status: Int = 302, requests: Int = 1,
    _ change: (inout NetworkFault) -> Void = { _ in }
  ) -> NetworkFault {
    let redirect = head(status, ["Location: \(location)", "Content-Length: 0"])
    return NetworkFault(
      "redirects (\(status)) to \(location)",
      script: { _ in [.read, .send(redirect), .read, .send(head("Content-Length: 3") + "end")] }, outcome
    ).with { fault in
      fault.requests = requests
      change(&fault)
    }
  }

  private static func endless(_ count: Int) -> [RawOrigin.Step] {
    (0..<count).flatMap { [.read, .send(head(302, ["Location: /\($0 + 1)", "Content-Length: 0"]))] }
  }

  /// A byte for each chunk, and extensions of `count` bytes in all.
  private static func padded(_ count: Int) -> [UInt8] {
    let chunk = Array("1;\(String(repeating: "e", count: 10_000))\r\nA\r\n".utf8)
    return (0..<count / 10_000).flatMap { _ in chunk } + Array("0\r\n\r\n".utf8)
  }

  /// Redirects that lead nowhere, or where nobody should go.
  // swift-format-ignore
  static let redirects: [NetworkFault] = [
    to("/end", .body("end"), requests: 2),
    to("end", .body("end"), status: 301, requests: 2),
    to("?end", .body("end"), status: 303, requests: 2),
    to("#end", .body("end"), status: 307, requests: 2),
    to("./../../end", .body("end"), status: 308, requests: 2),
    to("/with blank", .body("end"), requests: 2),
    to("http://", .error(.malformedResponse)),
    to("http://127.0.0.1:0/", .error(.malformedResponse)),
    to("http://127.0.0.1:99999/", .error(.malformedResponse)),
    to("http://[::1/", .error(.malformedResponse)),
    to("http://name:word@127.0.0.1:1/", .error(.malformedResponse)),
    to("//name:word@127.0.0.1:1/", .error(.malformedResponse)),
    to("http://a,b/", .error(.malformedResponse)),
    to("//127.0.0.1:1/", .retryable(.connect)),
    to("http://nowhere.invalid/", .error(.dns)),
    to("file:///etc/passwd", .error(.refused)),
    to("ftp://127.0.0.1/", .error(.refused)),
    to("data:,x", .error(.refused)),
    to("javascript:alert(1)", .error(.refused)),
    to("gopher://127.0.0.1:6379/_x", .error(.refused)),
    to("file:///etc/passwd", .error(.refused), status: 301) { $0.configuration.allowsFiles = true },
    NetworkFault("redirects to nowhere", head(302, ["Content-Length: 0"]), .error(.status)),
    NetworkFault("redirects to nothing", head(302, ["Location:", "Content-Length: 0"]), .error(.malformedResponse)),
    NetworkFault("redirects to two places", head(302, ["Location: /a", "Location: /b", "Content-Length: 0"]), .error(.malformedResponse)),
    NetworkFault("redirects 300 times", script: { _ in endless(300) }, .error(.redirects)).with { $0.requests = 21 },
    NetworkFault("redirects 20 times", script: { _ in endless(20) + [.read, .send(head("Content-Length: 3") + "end")] }, .body("end")).with { $0.requests = 21 },
    NetworkFault("redirects in a circle", script: { _ in Array(repeating: [.read, .send(head(302, ["Location: /", "Content-Length: 0"]))], count: 30).flatMap(\.self) }, .error(.redirects)).with { $0.requests = 21 },
    NetworkFault("redirects with a page of 2 MB", [.send(head(302, ["Location: /", "Content-Length: 2000000"])), .send([UInt8](repeating: 1, count: 2_000_000))], .error(.bodyTooLarge)),
    NetworkFault("redirects with 3 MB beside its page", [.send(head(302, ["Location: /", "Transfer-Encoding: chunked"])), .send(padded(3_000_000))], .error(.bodyTooLarge)),
    NetworkFault("redirects with 3 MB beside its page, and closes", [.send(head(302, ["Location: /", "Transfer-Encoding: chunked", "Connection: close"])), .send(padded(3_000_000))], .error(.bodyTooLarge)),
    NetworkFault("redirects with 1 MB beside its page", script: { _ in [.read, .send(head(302, ["Location: /end", "Transfer-Encoding: chunked"])), .send(padded(1_000_000))] + end }, .body("end")).with { $0.requests = 2 },
    NetworkFault("redirects with a page that is cut", head(302, ["Location: /", "Content-Length: 9"]) + "cut", .retryable(.connectionLost)),
    to("/end", .error(.refused), requests: 0) { ($0.configuration, $0.connections) = (.server, 0) },
  ]

  private static let end: [RawOrigin.Step] = [.read, .send(head("Content-Length: 3") + "end")]

  /// TLS that is none, or not the one that was meant.
  // swift-format-ignore
  static let tls: [NetworkFault] = [
    NetworkFault("proves who it is", script: { _ in end }, .body("end")).with { $0.over(.trusted, requests: 1) },
    NetworkFault("proves to be another", script: { _ in end }, .error(.tls)).with { $0.over(.forAnotherName) }.with { $0.says = "for another host name" },
    NetworkFault("signs for itself", script: { _ in end }, .error(.tls)).with { $0.over(.unknown) }.with { $0.says = "self-signed" },
    NetworkFault("shows a certificate of yesterday", script: { _ in end }, .error(.tls)).with { $0.over(.expired) }.with { $0.says = "has expired" },
    NetworkFault("shows a certificate of next century", script: { _ in end }, .error(.tls)).with { $0.over(.fromNextCentury) }.with { $0.says = "not valid yet" },
    NetworkFault("speaks plain text on its TLS port", script: { _ in end }, .error(.tls)).with { $0.over(.none, requests: 1) },
    NetworkFault("speaks plain text before it is asked", script: { _ in [.send(head() + "ok"), .halfClose] }, .error(.tls)).with { $0.over(.none) },
    NetworkFault("closes in the handshake", [.cut], .error(.tls)).with { $0.over(.none, requests: 1) },
    NetworkFault("resets in the handshake", [.reset], .error(.tls)).with { $0.over(.none, requests: 1) },
    NetworkFault("refuses the handshake", [.send([0x15, 3, 1, 0, 2, 2, 40])], .error(.tls)).with { $0.over(.none, requests: 1) },
    NetworkFault("stands still in the handshake", [.hold], .retryable(.timeout)).with { $0.over(.none, requests: 1) }.with { $0.limits.connect = .milliseconds(300) },
    NetworkFault("speaks TLS on its plain port", script: { _ in end }, .retryable(.connectionLost)).with { $0.over(.trusted) }.with { $0.url = "http://HOST/" },
    NetworkFault("cuts an encrypted body", [.send(head("Content-Length: 9") + "cut"), .cut], .retryable(.connectionLost)).with { $0.over(.trusted, requests: 1) },
    // libcurl takes an end without TLS's goodbye for one with it (it asks OpenSSL for SSL_OP_IGNORE_UNEXPECTED_EOF), and
    // tells nobody which of the two it was. So neither is kept: RFC 9112, section 9.8.
    NetworkFault("cuts an encrypted body without a length", [.send(head() + "cut"), .cut], .body("cut")).with { $0.over(.trusted, requests: 1) }.with { $0.isKept = false },
    NetworkFault("ends an encrypted body without a length", [.send(head() + "whole")], .body("whole")).with { $0.over(.trusted, requests: 1) }.with { $0.isKept = false },
    // libcurl passes over it, and what is wrapping cannot be told from it by counting.
    NetworkFault("sends more than its Content-Length, encrypted", [.send(head("Content-Length: 5") + "whole and more")], .body("whole")).with { $0.over(.trusted, requests: 1) },
    NetworkFault("cuts the connection behind an encrypted body of some length", [.send(head("Content-Length: 5") + "whole"), .cut], .body("whole")).with { $0.over(.trusted, requests: 1) }.with { $0.isKept = true },
    NetworkFault("cuts the connection behind encrypted chunks", [.send(head("Transfer-Encoding: chunked") + "2\r\nok\r\n0\r\n\r\n"), .cut], .body("ok")).with { $0.over(.trusted, requests: 1) }.with { $0.isKept = true },
    NetworkFault("resets in an encrypted body", [.send(head("Content-Length: 9") + "cut"), .pause(.milliseconds(20)), .reset], .retryable(.connectionLost)).with { $0.over(.trusted, requests: 1) },
    NetworkFault("cuts encrypted chunks", [.send(head("Transfer-Encoding: chunked") + "2\r\nok\r\n"), .cut], .retryable(.connectionLost)).with { $0.over(.trusted, requests: 1) },
    NetworkFault("breaks encrypted chunks", [.send(head("Transfer-Encoding: chunked") + "zz\r\n")], .error(.malformedResponse)).with { $0.over(.trusted, requests: 1) },
    NetworkFault("redirects from https to http", [.send(head(302, ["Location: http://127.0.0.1:1/", "Content-Length: 0"]))], .error(.refused)).with { $0.over(.trusted, requests: 1) },
    NetworkFault("redirects from https to http, which is allowed", [.send(head(302, ["Location: http://127.0.0.1:1/", "Content-Length: 0"]))], .retryable(.connect)).with { $0.over(.trusted, requests: 1) }.with { $0.configuration.allowsDowngrade = true },
  ]

  private mutating func over(_ certificate: Certificate, requests: Int = 0) {
    self.certificate = certificate
    self.requests = requests
    url = "https://HOST/"
  }
}
