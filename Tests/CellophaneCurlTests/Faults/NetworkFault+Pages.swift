internal import CellophaneTestOrigin

@testable internal import CellophaneCurl
internal import TestSupport

extension NetworkFault {
  /// Returns a row with an origin that sends `status`, `fields` and `page` to each request.
  private static func error(
    _ status: Int, _ name: String, _ fields: [String], _ page: [RawOrigin.Step] = [],
    _ outcome: Outcome? = nil
  ) -> NetworkFault {
    let isTemporary = status == 408 || status == 429 || status >= 500
    return NetworkFault(
      "sends a \(status) \(name)", [.send(head(status, fields))] + page,
      outcome ?? .error(.status, isRetryable: isTemporary)
    ).with { ($0.isStored, $0.memory) = (false, ResponseParser.maxUselessBody) }
  }

  /// Returns a row with an origin that redirects over its first connection, and sends "end" over the second one.
  private static func redirect(
    _ name: String, _ fields: [String], _ page: [RawOrigin.Step] = [], status: Int = 302
  ) -> NetworkFault {
    let redirect: [RawOrigin.Step] = [.read, .send(head(status, ["Location: /end"] + fields))] + page
    let end: [RawOrigin.Step] = [.read, .send(head("Content-Length: 3") + "end")]
    return NetworkFault("redirects \(name)", script: { $0 == 0 ? redirect : end }, .body("end"))
      .with { ($0.requests, $0.connections) = (2, 2) }
  }

  /// Returns a row with an origin that sends a page of `count` bytes to two requests over one connection, if the client
  /// keeps it.
  private static func repeated(_ count: Int, over connections: Int) -> NetworkFault {
    let page = head(404, ["Content-Length: \(count)"]) + String(repeating: "x", count: count)
    return NetworkFault(
      "sends two 404 with a page of \(count) bytes", [.send(page), .read, .send(page)], .error(.status)
    ).with {
      ($0.loads, $0.requests, $0.connections) = (2, 2, connections)
      $0.memory = ResponseParser.maxUselessBody
    }
  }

  private static func page(_ text: String) -> [RawOrigin.Step] { [.send(text)] }
  private static let plain = page("no")
  private static let flood: [RawOrigin.Step] = [.flood([UInt8](repeating: 0x78, count: 4096))]
  private static let gzip = "Content-Encoding: gzip"
  private static let two = "Content-Length: 2"
  private static let chunked = "Transfer-Encoding: chunked"

  /// Responses whose status is the result, whatever their page is like.
  // swift-format-ignore
  static let pages: [NetworkFault] = [
    error(404, "whose page is not gzip, as declared", [gzip, two], plain),
    error(429, "whose page is not gzip, as declared", [gzip, two, "Retry-After: 60"], plain),
    error(503, "whose page is not gzip, as declared", [gzip, two], plain),
    error(403, "whose page is compressed with brotli", ["Content-Encoding: br", two], plain),
    error(404, "whose page has an unknown coding", ["Content-Encoding: cow", two], plain),
    error(500, "whose page is compressed twice", ["Content-Encoding: gzip, gzip", two], plain),
    error(404, "whose page is 16 MB in 16 KB", [gzip], [.send(Gzip.bomb(1 << 24))]),
    error(401, "whose compressed page is cut", [gzip], [.send(Gzip.stored(Array("no".utf8)).dropLast(5))]),
    error(404, "with the transfer coding identity", ["Transfer-Encoding: identity", two], plain),
    error(404, "with an unknown transfer coding", ["Transfer-Encoding: cow"], plain),
    error(404, "with ten transfer codings", ["Transfer-Encoding: a, b, c, d, e, f, g, h, i, j"], plain),
    error(404, "with a length and chunks", [two, chunked], page("2\r\nno\r\n0\r\n\r\n")),
    error(404, "with two lengths", [two, "Content-Length: 3"], plain),
    error(404, "with a length that is no number", ["Content-Length: no"], plain),
    error(429, "with a negative length", ["Retry-After: 60", "Content-Length: -2"], plain),
    error(404, "with an empty length", ["Content-Length:"], plain),
    error(404, "with a length beyond 64 bits", ["Content-Length: 99999999999999999999"], plain),
    error(404, "with a space after the name Content-Length", ["Content-Length : 2"], plain),
    error(404, "with an invalid chunk size", [chunked], page("zz\r\n")),
    error(503, "with a chunk longer than its size", [chunked], page("2\r\nnoo\r\n0\r\n\r\n")),
    error(404, "without a last chunk", [chunked], page("2\r\nno\r\n")),
    error(404, "with invalid trailers", [chunked], page("2\r\nno\r\n0\r\nnonsense\r\n\r\n")),
    error(404, "with a line that is no field", ["nonsense", two], plain),
    error(429, "with a line that is no field behind Retry-After", ["Retry-After: 60", "<b>Warning</b>", two], plain),
    error(404, "with control characters in a field", ["A: \u{1}\u{1B}[31m", two], plain),
    error(404, "whose page is cut", ["Content-Length: 200"], plain),
    error(404, "whose page is missing", ["Content-Length: 200"]),
    error(404, "whose page is longer than its length", [two], page("no and more")),
    error(404, "and resets within the page", ["Content-Length: 200"], [.send("no"), .pause(.milliseconds(20)), .reset]),
    error(404, "and stalls within the page", ["Content-Length: 200"], [.send("no"), .hold]),
    error(503, "and stalls before the page", ["Content-Length: 200"], [.hold]),
    error(404, "and sends its page byte by byte", ["Content-Length: 5000"], [.drip([UInt8](repeating: 1, count: 5_000), every: .milliseconds(5))]),
    error(404, "with a page above the limit", ["Content-Length: 90000000"], flood),
    error(404, "whose page never ends", [], flood),
    error(500, "whose chunks never end", [chunked], [.flood(Array("4\r\nmore\r\n".utf8))]),
    error(404, "whose chunk extension never ends", [chunked], [.send("2;"), .flood([UInt8](repeating: 0x61, count: 4096))]),
    error(404, "with two Location fields", ["Location: /a", "Location: /b", two], plain),
    error(404, "with a Location, whose page is cut", ["Location: /a", "Content-Length: 200"], plain),
    error(300, "with a Location, whose page is cut", ["Location: /a", "Content-Length: 200"], plain),
    error(302, "without a Location, whose page is cut", ["Content-Length: 200"], plain),
    error(407, "whose page is not gzip, as declared", [gzip, two], plain),
    error(416, "whose page is not gzip, as declared", [gzip, two, "Content-Range: bytes */2"], plain),
    error(999, "whose page is not gzip, as declared", [gzip, two], plain),
    NetworkFault("sends a 404 in HTTP/1.0 with chunks", "HTTP/1.0 404 No\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno", .error(.status)),
    NetworkFault("sends an interim response, then a 404 whose page is cut", "HTTP/1.1 103 Wait\r\n\r\n" + head(404, ["Content-Length: 200"]) + "no", .error(.status)),
    NetworkFault("sends a 404 whose page is cut, encrypted", [.send(head(404, ["Content-Length: 200"]) + "no"), .cut], .error(.status)).with { ($0.certificate, $0.url) = (.trusted, "https://HOST/") },
    // A head that is damaged itself has no meaning.
    error(404, "with a NUL in a field", ["A: b\0c", two], plain, .error(.malformedResponse)),
    error(304, "without a validator in the request, with a transfer coding", ["Transfer-Encoding: identity"], [], .error(.malformedResponse)),
    NetworkFault("closes within the head of a 404", "HTTP/1.1 404 No\r\nContent-Len", .retryable(.connectionLost)),
    NetworkFault("sends an interim response with an invalid length, then a 404", "HTTP/1.1 103 Wait\r\nContent-Length: no\r\n\r\n" + head(404, [two]) + "no", .error(.malformedResponse)),
    redirect("with a page of 2 MB", ["Content-Length: 2000000"], [.send([UInt8](repeating: 1, count: 2_000_000))]),
    redirect("with a page that never ends", [], flood),
    redirect("with a page that is cut", ["Content-Length: 9"], page("cut")),
    redirect("with a page that stalls", ["Content-Length: 9"], [.send("cut"), .hold], status: 301),
    redirect("with a page that is reset", ["Content-Length: 9"], [.send("cut"), .pause(.milliseconds(20)), .reset], status: 307),
    redirect("with an invalid chunk", [chunked], page("zz\r\n"), status: 308),
    redirect("with a length and chunks", [chunked, two], page("2\r\nno\r\n0\r\n\r\n"), status: 303),
    redirect("with a negative length", ["Content-Length: -2"], plain),
    redirect("with a page compressed with brotli", ["Content-Encoding: br", two, "Connection: close"], plain),
    repeated(10, over: 1), repeated(ResponseParser.maxUselessBody, over: 1), repeated(ResponseParser.maxUselessBody + 1, over: 2),
  ]
}
