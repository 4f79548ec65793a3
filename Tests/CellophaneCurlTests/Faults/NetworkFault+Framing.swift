internal import CellophaneTestOrigin

@testable internal import CellophaneCurl
internal import TestSupport

extension NetworkFault {
  private static let malformed = Outcome.error(.malformedResponse)
  private static let chunked = head("Transfer-Encoding: chunked")

  /// Bodies with a wrong length, two lengths or none.
  // swift-format-ignore
  static let lengths: [NetworkFault] = [
    NetworkFault("sends two lengths", head("Content-Length: 2", "Content-Length: 3") + "okk", malformed),
    NetworkFault("sends two lengths in one field", head("Content-Length: 2, 3") + "okk", malformed),
    NetworkFault("sends the same length twice", head("Content-Length: 2", "Content-Length: 2") + "ok", .body("ok")).with { $0.isStored = true },
    NetworkFault("sends a negative length", head("Content-Length: -2") + "ok", malformed),
    NetworkFault("sends a length with a sign", head("Content-Length: +2") + "ok", malformed),
    NetworkFault("sends a length followed by a word", head("Content-Length: 2 bytes") + "ok", malformed),
    NetworkFault("sends a hexadecimal length", head("Content-Length: 0x2") + "ok", malformed),
    NetworkFault("sends an empty length", head("Content-Length:") + "ok", malformed),
    NetworkFault("sends a length beyond 64 bits", head("Content-Length: 99999999999999999999") + "ok", .error(.bodyTooLarge)),
    NetworkFault("sends a length above the limit", head("Content-Length: 1048577") + "ok", .error(.bodyTooLarge)),
    NetworkFault("sends a length and chunks", head("Content-Length: 2", "Transfer-Encoding: chunked") + "2\r\nok\r\n0\r\n\r\n", malformed),
    NetworkFault("sends more than its Content-Length", head("Content-Length: 2") + "ok and more", malformed).with { $0.message = "more than the 2 bytes" },
    NetworkFault("sends one byte more than its Content-Length", head("Content-Length: 2") + "ok.", malformed).with { $0.message = "more than the 2 bytes" },
    NetworkFault("sends one byte with a Content-Length of 0", head("Content-Length: 0") + ".", malformed),
    NetworkFault("sends more than its Content-Length, and stalls", [.send(head("Content-Length: 2") + "ok and more"), .hold], malformed),
    NetworkFault("sends more than its Content-Length, and resets", [.send(head("Content-Length: 2") + "ok and more"), .reset], malformed),
    NetworkFault("sends more than its Content-Length in pieces", [.send(head("Content-Length: 4") + "ok"), .pause(.milliseconds(20)), .send("ok and more"), .hold], malformed),
    NetworkFault("sends more than its Content-Length after an interim response", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + head("Content-Length: 2") + "ok and more", malformed),
    NetworkFault("sends more than its Content-Length of 1 MB", head("Content-Length: 1000000") + String(repeating: "x", count: 1_000_005), malformed).with { ($0.message, $0.memory) = ("more than the 1000000 bytes", 1_000_000) },
    NetworkFault("sends 1 MB more than its Content-Length", head("Content-Length: 2") + String(repeating: "x", count: 1_000_000), malformed),
    NetworkFault("sends exactly its Content-Length after an interim response, with a folded line", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + head("Content-Length: 2", "X: y\r\n z") + "ok", .body("ok")).with { $0.isStored = true },
    NetworkFault("ends its last body with a line break", head("Content-Length: 2", "Connection: close") + "ok\r\n", .body("ok")).with { $0.isStored = true },
    NetworkFault("ends its last body with LF", head("Content-Length: 2", "Connection: Keep-Alive, Close") + "ok\n", .body("ok")),
    NetworkFault("ends a body of HTTP/1.0 with a line break", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok\r\n", .body("ok")),
    NetworkFault("ends its last body with a line break, and stalls", [.send(head("Content-Length: 2", "Connection: close") + "ok\r\n"), .hold], .body("ok")),
    NetworkFault("ends its last empty body with a line break", head("Content-Length: 0", "Connection: close") + "\r\n", .body("")),
    NetworkFault("ends its last body with two line breaks", head("Content-Length: 2", "Connection: close") + "ok\r\n\r\n", .body("ok")).with { $0.isStored = true },
    NetworkFault("ends a body of HTTP/1.0 with two line breaks", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok\n\n", .body("ok")),
    NetworkFault("ends its last body with five bytes", head("Content-Length: 2", "Connection: close") + "ok\r\n\r\n\n", malformed).with { $0.message = "more than the 2 bytes" },
    NetworkFault("ends a body with a line break and keeps the connection", head("Content-Length: 2") + "ok\r\n", malformed),
    NetworkFault("ends a body of HTTP/1.0 with a line break and keeps the connection", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok\r\n", malformed),
    NetworkFault("ends its last chunks with a line break", chunked.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n") + "2\r\nok\r\n0\r\n\r\n\r\n", .body("ok")),
    NetworkFault("never ends its body", [.send(head()), .flood([UInt8](repeating: 1, count: 4096))], .error(.bodyTooLarge)).with { $0.memory = $0.limits.bodyBytes },
    // A close-delimited body may be truncated, so it is delivered but not stored.
    NetworkFault("sends a close-delimited body", head() + "ok", .body("ok")).with { $0.isStored = false },
    NetworkFault("sends a close-delimited body in HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nok", .body("ok")).with { $0.isStored = false },
  ]

  /// Returns `text` repeated, in large writes, so that the origin is not slower than the link.
  private static func repeated(_ text: String) -> [UInt8] {
    Array(String(repeating: text, count: 10_000).utf8)
  }

  /// A proxy or origin of HTTP/1.0 that does not know chunks could keep the connection in another state.
  private static let chunkedInOldVersion =
    "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"

  /// Invalid chunks.
  // swift-format-ignore
  static let chunks: [NetworkFault] = [
    NetworkFault("sends chunks", chunked + "2\r\nok\r\n0\r\n\r\n", .body("ok")).with { $0.isStored = true },
    NetworkFault("declares chunks in two fields", head("Transfer-Encoding: chunked", "Transfer-Encoding: Chunked") + "2\r\nok\r\n0\r\n\r\n", .body("ok")).with { $0.isStored = true },
    NetworkFault("declares chunks and another coding in two fields", head("Transfer-Encoding: gzip", "Transfer-Encoding: chunked") + "2\r\nok\r\n0\r\n\r\n", malformed),
    NetworkFault("sends an invalid chunk size", chunked + "zz\r\nok\r\n0\r\n\r\n", malformed),
    NetworkFault("sends an empty chunk size", chunked + "\r\nok\r\n0\r\n\r\n", malformed),
    NetworkFault("sends a negative chunk size", chunked + "-2\r\nok\r\n0\r\n\r\n", malformed),
    NetworkFault("sends a chunk size beyond 64 bits", chunked + "fffffffffffffffff\r\nok", malformed),
    NetworkFault("sends a chunk size of nearly 64 bits", chunked + "7fffffffffffffff\r\nok", .retryable(.connectionLost)),
    NetworkFault("sends a chunk longer than its size", chunked + "2\r\nokk\r\n0\r\n\r\n", malformed),
    NetworkFault("closes within a chunk", chunked + "5\r\nok", .retryable(.connectionLost)),
    NetworkFault("closes within a chunk size", chunked + "2\r\nok\r\n1", .retryable(.connectionLost)),
    NetworkFault("sends no last chunk", chunked + "2\r\nok\r\n", .retryable(.connectionLost)),
    NetworkFault("closes before the end of the trailers", chunked + "2\r\nok\r\n0\r\n", .retryable(.connectionLost)),
    NetworkFault("sends invalid trailers", chunked + "2\r\nok\r\n0\r\nnonsense\r\n\r\n", malformed),
    NetworkFault("sends a head as trailers", chunked + "2\r\nok\r\n0\r\nHTTP/1.1 500 No\r\nContent-Length: 1\r\n\r\n", malformed),
    NetworkFault("sends trailers", chunked + "2\r\nok\r\n0\r\nETag: \"x\"\r\n\r\n", .body("ok")),
    NetworkFault("never ends its trailers", [.send(chunked + "2\r\nok\r\n0\r\n"), .flood(Array("T: railer\r\n".utf8))], malformed),
    NetworkFault("never ends a chunk's extension", [.send(chunked + "2;"), .flood(repeated("a=b;"))], .error(.bodyTooLarge)),
    NetworkFault("never ends the zeros before a chunk size", [.send(chunked), .flood(repeated("0"))], malformed),
    NetworkFault("never ends its chunks", [.send(chunked), .flood(Array("4\r\nmore\r\n".utf8))], .error(.bodyTooLarge)).with { $0.memory = $0.limits.bodyBytes },
    NetworkFault("applies the chunked coding twice", head("Transfer-Encoding: chunked, chunked") + "2\r\nok\r\n0\r\n\r\n", malformed),
    NetworkFault("compresses its chunks", head("Transfer-Encoding: gzip, chunked") + "2\r\nok\r\n0\r\n\r\n", malformed),
    NetworkFault("uses ten transfer codings", head("Transfer-Encoding: a, b, c, d, e, f, g, h, i, j") + "ok", malformed),
    NetworkFault("uses an unknown transfer coding", head("Transfer-Encoding: cow") + "ok", malformed),
    NetworkFault("sends chunks in HTTP/1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", .body("ok")).with { $0.isStored = true },
    NetworkFault("sends chunks in HTTP/1.0 and keeps the connection", script: { _ in [.read, .send(chunkedInOldVersion), .read, .send(chunkedInOldVersion)] }, .body("ok")).with { ($0.loads, $0.requests, $0.connections) = (2, 2, 2) },
    NetworkFault("sends a length and chunks in HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", malformed),
    NetworkFault("sends no last chunk in HTTP/1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n", .retryable(.connectionLost)),
    NetworkFault("declares chunks in HTTP/1.0 and sends none", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nok", malformed),
  ]

  private static func gzip(_ bytes: [UInt8], _ coding: String = "gzip") -> [RawOrigin.Step] {
    [.send(head("Content-Encoding: \(coding)", "Content-Length: \(bytes.count)")), .send(bytes)]
  }

  private static func plain(_ coding: String) -> [RawOrigin.Step] { gzip(Array("ok".utf8), coding) }

  private static let gzipped = Gzip.stored(Array("whole".utf8))

  private static func damaged(at index: Int) -> [UInt8] {
    var bytes = gzipped
    bytes[index < 0 ? bytes.count + index : index] ^= 0x10
    return bytes
  }

  /// Compressed bodies that are damaged or have an unsupported coding.
  // swift-format-ignore
  static let codings: [NetworkFault] = [
    NetworkFault("sends gzip", gzip(gzipped), .body("whole")),
    NetworkFault("sends gzip in two members", gzip(gzipped + gzipped, "x-gzip"), .body("wholewhole")),
    NetworkFault("declares gzip for an empty body", gzip([]), .body("")),
    NetworkFault("declares gzip for plain text", gzip(Array("plain".utf8)), malformed),
    NetworkFault("cuts compressed data before its checksum", gzip(gzipped.dropLast(8)), malformed),
    NetworkFault("cuts compressed data before its last byte", gzip(gzipped.dropLast(1)), malformed),
    NetworkFault("cuts compressed data in its header", gzip(Array(gzipped.prefix(5))), malformed),
    NetworkFault("cuts compressed data in its second member", gzip(gzipped + gzipped.prefix(15)), malformed),
    NetworkFault("cuts compressed data and the connection", [.send(head("Content-Encoding: gzip", "Content-Length: \(gzipped.count)")), .send(gzipped.dropLast(3))], .retryable(.connectionLost)),
    NetworkFault("cuts compressed data in a close-delimited body", [.send(head("Content-Encoding: gzip")), .send(gzipped.dropLast(3))], malformed),
    // Another gzip member might follow; deflated data has a definite end.
    NetworkFault("sends gzip in a close-delimited body", [.send(head("Content-Encoding: gzip")), .send(gzipped)], .body("whole")).with { $0.isStored = false },
    NetworkFault("sends deflated data in a close-delimited body", [.send(head("Content-Encoding: deflate")), .send(Gzip.zlib(Array("whole".utf8)))], .body("whole")).with { $0.isStored = true },
    NetworkFault("sends deflated data", gzip(Gzip.zlib(Array("whole".utf8)), "deflate"), .body("whole")).with { $0.isStored = true },
    NetworkFault("sends deflated data without a header", gzip(Gzip.raw(Array("whole".utf8)), "Deflate"), .body("whole")).with { $0.isStored = true },
    NetworkFault("cuts deflated data", gzip(Gzip.zlib(Array("whole".utf8)).dropLast(), "deflate"), malformed),
    NetworkFault("cuts deflated data without a header", gzip(Gzip.raw(Array("whole".utf8)).dropLast(), "deflate"), malformed),
    NetworkFault("sends garbage after deflated data", gzip(Gzip.zlib(Array("whole".utf8)) + [0], "deflate"), malformed),
    NetworkFault("declares deflate and sends gzip", gzip(gzipped, "deflate"), malformed),
    NetworkFault("damages compressed data", gzip(damaged(at: 12)), malformed),
    NetworkFault("damages compressed data that the checksum covers", gzip(damaged(at: 17)), malformed),
    NetworkFault("sends a wrong checksum", gzip(damaged(at: -8)), malformed),
    NetworkFault("sends a wrong size of the data", gzip(damaged(at: -1)), malformed),
    NetworkFault("sends zeros after compressed data", gzip(gzipped + [UInt8](repeating: 0, count: 1_000)), .body("whole")).with { $0.isStored = true },
    NetworkFault("sends zeros before compressed data", gzip([0] + gzipped), malformed),
    NetworkFault("never ends empty compressed data", [.send(head("Content-Encoding: gzip")), .flood(Array([[UInt8]](repeating: Gzip.stored([]), count: 1_000).joined()))], .error(.bodyTooLarge)).with { $0.message = "for a body of 0" },
    NetworkFault("never ends the name in a gzip header", [.send(head("Content-Encoding: gzip")), .send([0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 3]), .flood(repeated("x"))], .error(.bodyTooLarge)).with { $0.message = "for a body of 0" },
    NetworkFault("sends garbage after compressed data", gzip(gzipped + Array("garbage".utf8)), malformed),
    NetworkFault("sends a gigabyte in a megabyte", gzip(Gzip.bomb(1 << 30)), .error(.bodyTooLarge)).with { $0.memory = $0.limits.bodyBytes },
    NetworkFault("compresses twice", gzip(Gzip.stored(gzipped), "gzip, gzip"), malformed).with { $0.message = "'gzip, gzip'" },
    NetworkFault("compresses twice, and declares it in two fields", gzip(Gzip.stored(gzipped), "deflate\r\nContent-Encoding: gzip"), malformed).with { $0.message = "'deflate, gzip'" },
    NetworkFault("compresses with brotli", gzip([0x0B, 0x02, 0x80, 0x6F, 0x6B, 0x03], "br"), malformed).with { $0.message = "'br'" },
    NetworkFault("compresses with zstd", gzip([0x28, 0xB5, 0x2F, 0xFD], "zstd"), malformed).with { $0.message = "'zstd'" },
    NetworkFault("declares an unknown coding", plain("cow"), .body("ok")).with { $0.isStored = true },
    NetworkFault("declares a coding with a long name", plain(String(repeating: "m", count: 9_000)), .body("ok")),
    NetworkFault("declares the coding of an upload", plain("aws-chunked"), .body("ok")).with { $0.isStored = true },
    NetworkFault("declares a charset as a coding", plain("UTF-8"), .body("ok")),
    NetworkFault("declares a charset with its name as a coding", plain("charset=utf-8"), .body("ok")),
    NetworkFault("declares the coding binary", plain("binary"), .body("ok")),
    NetworkFault("declares the coding none", plain("none, null"), .body("ok")),
    NetworkFault("declares the coding compress", plain("compress"), .body("ok")).with { $0.isStored = true },
    NetworkFault("declares the coding pack200-gzip", plain("pack200-gzip"), .body("ok")),
    NetworkFault("declares the coding xz", plain("x-xz, xz"), .body("ok")),
    NetworkFault("declares compress and sends it", gzip([0x1F, 0x9D, 0x90, 0x6F], "x-compress"), malformed).with { $0.message = "'x-compress'" },
    NetworkFault("declares pack200-gzip and sends gzip", gzip(gzipped, "pack200-gzip"), malformed).with { $0.message = "'pack200-gzip'" },
    NetworkFault("declares a compression without a signature", plain("snappy"), malformed).with { $0.message = "'snappy'" },
    NetworkFault("declares the coding base64", plain("base64"), .body("ok")),
    NetworkFault("declares a media type as a coding", plain("image/jpeg; q=1"), .body("ok")),
    NetworkFault("declares a charset and gzip", gzip(gzipped, "utf-8, gzip"), .body("whole")),
    NetworkFault("declares the coding of an upload and gzip", gzip(gzipped, "gzip,aws-chunked"), .body("whole")),
    NetworkFault("quotes the coding", gzip(gzipped, "\"gzip\""), .body("whole")),
    NetworkFault("sends a coding with a parameter", gzip(gzipped, "gzip;q=1.0"), .body("whole")),
    NetworkFault("declares a charset and brotli", plain("utf-8, br"), malformed).with { $0.message = "'br'" },
    NetworkFault("declares a charset and sends gzip", gzip(gzipped, "utf-8"), malformed).with { $0.message = "'utf-8'" },
    NetworkFault("declares gzip and a charset, and compresses twice", gzip(Gzip.stored(gzipped), "gzip, utf-8"), malformed),
    NetworkFault("sends the signed chunks of an upload", gzip(Array("2;chunk-signature=ab\r\nok\r\n0;chunk-signature=cd\r\n\r\n".utf8), "aws-chunked"), malformed).with { $0.message = "'aws-chunked'" },
    NetworkFault("sends the chunks of an upload", gzip(Array("2\r\nok\r\n0\r\n\r\n".utf8), "aws-chunked"), malformed),
    NetworkFault("sends gzip with a long name for its coding", gzip(gzipped, String(repeating: "m", count: 9_000)), malformed).with { $0.message = "'\(String(repeating: "m", count: 60))'" },
    NetworkFault("declares the coding identity", gzip(Array("ok".utf8), "identity"), .body("ok")),
  ]
}
