internal import CellophaneTestOrigin

@testable internal import CellophaneCurl
internal import TestSupport

extension NetworkFault {
  private static let whole = Gzip.stored(Array("ok".utf8))
  private static let malformed = Outcome.error(.malformedResponse)

  private static func lines(_ count: Int, width: Int) -> String {
    String(repeating: "X: " + String(repeating: "y", count: width) + "\r\n", count: count)
  }

  /// Invalid heads and unexpected statuses.
  // swift-format-ignore
  static let heads: [NetworkFault] = [
    NetworkFault("does not speak HTTP", "220 ready, go ahead\r\n", malformed),
    NetworkFault("sends random bytes", [.send([0, 255, 7, 13, 10, 0, 1, 2, 3, 13, 10, 13, 10])], malformed),
    NetworkFault("responds in HTTP/0.9", "<html>hello</html>", malformed),
    NetworkFault("responds with the HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", malformed),
    NetworkFault("responds with HTTP/2 frames", [.send([0, 0, 0, 4, 0, 0, 0, 0, 0])], malformed),
    NetworkFault("responds with a TLS alert", [.send([0x15, 3, 1, 0, 2, 2, 40])], malformed),
    NetworkFault("sends an unknown version", "HTTP/7.3 200 OK\r\n\r\nok", malformed),
    NetworkFault("sends a status that is not a number", "HTTP/1.1 2x0 OK\r\n\r\nok", malformed),
    NetworkFault("sends a status of two digits", "HTTP/1.1 20 OK\r\n\r\nok", malformed),
    NetworkFault("sends no status", "HTTP/1.1\r\n\r\nok", malformed),
    NetworkFault("sends a NUL in a field", "HTTP/1.1 200 OK\r\nA: b\0c\r\nContent-Length: 2\r\n\r\nok", malformed),
    NetworkFault("sends control characters in a field", "HTTP/1.1 200 OK\r\nA: \u{1}\u{B}\u{C}\u{1B}[31m\u{7F}\r\nContent-Length: 2\r\n\r\nok", .body("ok")).with { $0.isStored = true },
    NetworkFault("sends a control character in its tag and its date", head("ETag: \"\u{1}\"", "Last-Modified: \u{1B}", "Content-Length: 2") + "ok", .body("ok")),
    NetworkFault("sends a control character in its Content-Length", head("Content-Length: 2\u{1}") + "ok", malformed),
    NetworkFault("redirects to a URL with a control character", head(302, ["Location: /a\u{1}", "Content-Length: 0"]), malformed),
    NetworkFault("sends a bare CR in a field", "HTTP/1.1 200 OK\r\nETag: \"a\rb: c\"\r\nContent-Length: 2\r\n\r\nok", malformed),
    NetworkFault("folds a field", "HTTP/1.1 200 OK\r\nA: b\r\n c\r\nContent-Length: 2\r\n\r\nok", .body("ok")),
    NetworkFault("folds its Content-Length", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n 0\r\n\r\nok", malformed),
    NetworkFault("sends a line that is not a field", "HTTP/1.1 200 OK\r\nnonsense\r\nContent-Length: 2\r\n\r\nok", malformed),
    NetworkFault("sends a name followed by a space", head("Content-Length: 2", "X : y") + "ok", .error(.malformedResponse)).with { $0.message = "whitespace before its colon" },
    NetworkFault("sends two lengths, one with a space after its name", head("Content-Length : 1", "Content-Length: 2") + "ok", .error(.malformedResponse)),
    NetworkFault("sends chunks, with a space after the name Transfer-Encoding", head("Transfer-Encoding : chunked") + "2\r\nok\r\n0\r\n\r\n", .error(.malformedResponse)),
    NetworkFault("ends its lines with LF alone", "HTTP/1.1 200 OK\nContent-Length: 2\n\nok", .body("ok")),
    NetworkFault("sends a line of 200 KB", head(lines(1, width: 200_000)) + "ok", malformed),
    NetworkFault("sends a line that never ends", [.send("HTTP/1.1 200 OK\r\nA: "), .flood([0x61])], malformed),
    NetworkFault("sends 1 001 fields", head(lines(1_001, width: 1)) + "ok", malformed),
    NetworkFault("sends 300 KB of fields", head(lines(30, width: 10_000)) + "ok", malformed),
    NetworkFault("sends fields that never end", [.send("HTTP/1.1 200 OK\r\n"), .flood(Array("A: b\r\n".utf8))], malformed),
    NetworkFault("sends only interim responses", [.flood(Array("HTTP/1.1 103 Wait\r\n\r\n".utf8))], malformed),
    NetworkFault("sends an interim response, then closes", "HTTP/1.1 100 Continue\r\n\r\n", .retryable(.connectionLost)),
    NetworkFault("sends an interim response, then the final one", "HTTP/1.1 103 Wait\r\nContent-Length: 9\r\n\r\n" + head("Content-Length: 2") + "ok", .body("ok")),
    NetworkFault("changes the protocol", "HTTP/1.1 101 Switch\r\nUpgrade: x\r\n\r\nok", malformed),
    NetworkFault("changes the protocol to HTTP/2", "HTTP/1.1 101 Switch\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n", malformed),
    NetworkFault("claims HTTP/2 in its status line, without a length", "HTTP/2 200 OK\r\n\r\nok", malformed),
    NetworkFault("claims HTTP/2 in its status line", "HTTP/2.0 200 OK\r\nContent-Length: 2\r\n\r\nok", malformed),
    NetworkFault("sends a 206 without a range", head(206, ["Content-Length: 2"]) + "ok", malformed),
    NetworkFault("sends the complete body as a 206", head(206, ["Content-Range: bytes 0-1/2", "Content-Length: 2"]) + "ok", .body("ok")).with { $0.isStored = true },
    NetworkFault("sends the complete body as a 206 in chunks", head(206, ["Content-Range: bytes 0-1/2", "Transfer-Encoding: chunked"]) + "2\r\nok\r\n0\r\n\r\n", .body("ok")),
    NetworkFault("sends the complete compressed body as a 206", [.send(head(206, ["Content-Range: bytes 0-\(whole.count - 1)/\(whole.count)", "Content-Length: \(whole.count)", "Content-Encoding: gzip"])), .send(whole)], .body("ok")),
    NetworkFault("sends the beginning as a 206", head(206, ["Content-Range: bytes 0-1/3", "Content-Length: 2"]) + "ok", malformed),
    NetworkFault("sends the end as a 206", head(206, ["Content-Range: bytes 1-2/3", "Content-Length: 2"]) + "ok", malformed),
    NetworkFault("sends a 206 of unknown length", head(206, ["Content-Range: bytes 0-1/*", "Content-Length: 2"]) + "ok", malformed),
    NetworkFault("sends a 206 shorter than its range", head(206, ["Content-Range: bytes 0-2/3", "Content-Length: 2"]) + "ok", malformed),
    NetworkFault("sends a 206 longer than its range", head(206, ["Content-Range: bytes 0-0/1", "Content-Length: 2"]) + "ok", malformed),
    NetworkFault("sends the complete body as a 206 with two ranges", head(206, ["Content-Range: bytes 0-1/2", "Content-Range: bytes 0-1/2", "Content-Length: 2"]) + "ok", .body("ok")),
    NetworkFault("sends the complete body as a 206 with another separator", head(206, ["Content-Range: bytes=0-1/2", "Content-Length: 2"]) + "ok", .body("ok")).with { $0.isStored = true },
    NetworkFault("sends the complete body as a 206 without a unit", head(206, ["Content-Range: 0-1/2", "Content-Length: 2"]) + "ok", .body("ok")),
    NetworkFault("sends the complete body as a 206 with its length as the last offset", head(206, ["Content-Range: bytes 0-2/2", "Content-Length: 2"]) + "ok", .body("ok")),
    NetworkFault("sends a 206 with two different ranges", head(206, ["Content-Range: bytes 0-1/2", "Content-Range: bytes 0-1/3", "Content-Length: 2"]) + "ok", malformed),
    NetworkFault("sends a 206 with an empty range", head(206, ["Content-Range:", "Content-Length: 2"]) + "ok", malformed),
    NetworkFault("sends a 206 with several parts", head(206, ["Content-Type: multipart/byteranges; boundary=x", "Content-Length: 2"]) + "ok", malformed),
    NetworkFault("sends a 304 without a validator in the request", head(304, ["ETag: \"a\""]), malformed),
    NetworkFault("sends a 404", head(404, ["Content-Length: 2"]) + "no", .error(.status)),
    NetworkFault("sends a 407", head(407, ["Content-Length: 2"]) + "no", .error(.status)),
    NetworkFault("sends a 416", head(416, ["Content-Length: 2"]) + "no", .error(.status)),
    NetworkFault("sends a 999", head(999, ["Content-Length: 2"]) + "no", .retryable(.status)),
  ]
}
