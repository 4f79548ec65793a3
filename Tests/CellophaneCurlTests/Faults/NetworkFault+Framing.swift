internal import CellophaneTestOrigin

@testable internal import Cellophane
internal import TestSupport

extension NetworkFault {
  private static let malformed = Outcome.error(.malformedResponse)
  private static let chunked = head("Transfer-Encoding: chunked")

  /// Bodies whose length is told wrongly, twice, or not at all.
  // swift-format-ignore
  static let lengths: [NetworkFault] = [
    NetworkFault("tells two lengths", head("Content-Length: 2", "Content-Length: 3") + "okk", malformed),
    NetworkFault("tells two lengths in one field", head("Content-Length: 2, 3") + "okk", malformed),
    NetworkFault("tells one length twice", head("Content-Length: 2", "Content-Length: 2") + "ok", .body("ok")).with { $0.isKept = true },
    NetworkFault("tells a negative length", head("Content-Length: -2") + "ok", malformed),
    NetworkFault("tells a length with a sign", head("Content-Length: +2") + "ok", malformed),
    NetworkFault("tells a length with more behind it", head("Content-Length: 2 bytes") + "ok", malformed),
    NetworkFault("tells a length in hexadecimal", head("Content-Length: 0x2") + "ok", malformed),
    NetworkFault("tells an empty length", head("Content-Length:") + "ok", malformed),
    NetworkFault("tells a length beyond 64 bits", head("Content-Length: 99999999999999999999") + "ok", .error(.bodyTooLarge)),
    NetworkFault("tells a length above the limit", head("Content-Length: 1048577") + "ok", .error(.bodyTooLarge)),
    NetworkFault("tells a length and sends chunks", head("Content-Length: 2", "Transfer-Encoding: chunked") + "2\r\nok\r\n0\r\n\r\n", malformed),
    NetworkFault("sends more than its Content-Length", head("Content-Length: 2") + "ok and more", malformed).with { $0.says = "more than the 2 bytes" },
    NetworkFault("sends a byte more than its Content-Length", head("Content-Length: 2") + "ok.", malformed).with { $0.says = "more than the 2 bytes" },
    NetworkFault("sends a byte more than no body", head("Content-Length: 0") + ".", malformed),
    NetworkFault("sends more than its Content-Length, and holds", [.send(head("Content-Length: 2") + "ok and more"), .hold], malformed),
    NetworkFault("sends more than its Content-Length, and breaks", [.send(head("Content-Length: 2") + "ok and more"), .reset], malformed),
    NetworkFault("sends more than its Content-Length in pieces", [.send(head("Content-Length: 4") + "ok"), .pause(.milliseconds(20)), .send("ok and more"), .hold], malformed),
    NetworkFault("sends more than its Content-Length behind an interim answer", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + head("Content-Length: 2") + "ok and more", malformed),
    NetworkFault("sends more than 1 MB, which its Content-Length tells", head("Content-Length: 1000000") + String(repeating: "x", count: 1_000_005), malformed).with { ($0.says, $0.memory) = ("more than the 1000000 bytes", 1_000_000) },
    NetworkFault("sends 1 MB more than its Content-Length", head("Content-Length: 2") + String(repeating: "x", count: 1_000_000), malformed),
    NetworkFault("sends just its Content-Length behind an interim answer, with a line folded", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + head("Content-Length: 2", "X: y\r\n z") + "ok", .body("ok")).with { $0.isKept = true },
    NetworkFault("never ends its body", [.send(head()), .flood([UInt8](repeating: 1, count: 4096))], .error(.bodyTooLarge)).with { $0.memory = $0.limits.bodyBytes },
    // Whether it was the end nobody can tell: it is given, and not kept.
    NetworkFault("ends its body with the connection", head() + "ok", .body("ok")).with { $0.isKept = false },
    NetworkFault("ends its body with the connection, in HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nok", .body("ok")).with { $0.isKept = false },
  ]

  /// Enough at once that the origin is no slower than its line.
  private static func many(_ text: String) -> [UInt8] { Array(String(repeating: text, count: 10_000).utf8) }

  /// Chunks that are none.
  // swift-format-ignore
  static let chunks: [NetworkFault] = [
    NetworkFault("sends chunks", chunked + "2\r\nok\r\n0\r\n\r\n", .body("ok")).with { $0.isKept = true },
    NetworkFault("sends a chunk size that is none", chunked + "zz\r\nok\r\n0\r\n\r\n", malformed),
    NetworkFault("sends an empty chunk size", chunked + "\r\nok\r\n0\r\n\r\n", malformed),
    NetworkFault("sends a negative chunk size", chunked + "-2\r\nok\r\n0\r\n\r\n", malformed),
    NetworkFault("sends a chunk size beyond 64 bits", chunked + "fffffffffffffffff\r\nok", malformed),
    NetworkFault("sends a chunk size of nearly 64 bits", chunked + "7fffffffffffffff\r\nok", .retryable(.connectionLost)),
    NetworkFault("sends a chunk longer than its size", chunked + "2\r\nokk\r\n0\r\n\r\n", malformed),
    NetworkFault("breaks off within a chunk", chunked + "5\r\nok", .retryable(.connectionLost)),
    NetworkFault("breaks off within a chunk size", chunked + "2\r\nok\r\n1", .retryable(.connectionLost)),
    NetworkFault("sends no last chunk", chunked + "2\r\nok\r\n", .retryable(.connectionLost)),
    NetworkFault("breaks off before the trailers' end", chunked + "2\r\nok\r\n0\r\n", .retryable(.connectionLost)),
    NetworkFault("sends trailers that are none", chunked + "2\r\nok\r\n0\r\nnonsense\r\n\r\n", malformed),
    NetworkFault("sends a head as trailers", chunked + "2\r\nok\r\n0\r\nHTTP/1.1 500 No\r\nContent-Length: 1\r\n\r\n", malformed),
    NetworkFault("sends trailers", chunked + "2\r\nok\r\n0\r\nETag: \"x\"\r\n\r\n", .body("ok")),
    NetworkFault("never ends its trailers", [.send(chunked + "2\r\nok\r\n0\r\n"), .flood(Array("T: railer\r\n".utf8))], malformed),
    NetworkFault("never ends a chunk's extension", [.send(chunked + "2;"), .flood(many("a=b;"))], .error(.bodyTooLarge)),
    NetworkFault("never ends the zeros before a chunk size", [.send(chunked), .flood(many("0"))], malformed),
    NetworkFault("never ends its chunks", [.send(chunked), .flood(Array("4\r\nmore\r\n".utf8))], .error(.bodyTooLarge)).with { $0.memory = $0.limits.bodyBytes },
    NetworkFault("sends chunks twice over", head("Transfer-Encoding: chunked, chunked") + "2\r\nok\r\n0\r\n\r\n", malformed),
    NetworkFault("compresses its chunks", head("Transfer-Encoding: gzip, chunked") + "2\r\nok\r\n0\r\n\r\n", malformed),
    NetworkFault("sends in an unknown framing", head("Transfer-Encoding: cow") + "ok", malformed),
    NetworkFault("sends chunks in HTTP/1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", malformed),
  ]

  private static func gzip(_ bytes: [UInt8], _ coding: String = "gzip") -> [RawOrigin.Step] {
    [.send(head("Content-Encoding: \(coding)", "Content-Length: \(bytes.count)")), .send(bytes)]
  }

  private static let whole = Gzip.stored(Array("whole".utf8))

  private static func damaged(at index: Int) -> [UInt8] {
    var bytes = whole
    bytes[index < 0 ? bytes.count + index : index] ^= 0x10
    return bytes
  }

  /// Compressed bodies that are damaged, or not what was asked for.
  // swift-format-ignore
  static let codings: [NetworkFault] = [
    NetworkFault("compresses", gzip(whole), .body("whole")),
    NetworkFault("compresses in two members", gzip(whole + whole, "x-gzip"), .body("wholewhole")),
    NetworkFault("says it compresses nothing", gzip([]), .body("")),
    NetworkFault("says it compresses, and does not", gzip(Array("plain".utf8)), malformed),
    NetworkFault("cuts compressed data before its checksum", gzip(whole.dropLast(8)), malformed),
    NetworkFault("cuts compressed data in its last byte", gzip(whole.dropLast(1)), malformed),
    NetworkFault("cuts compressed data in its header", gzip(Array(whole.prefix(5))), malformed),
    NetworkFault("cuts compressed data in its second member", gzip(whole + whole.prefix(15)), malformed),
    NetworkFault("cuts compressed data and the connection", [.send(head("Content-Encoding: gzip", "Content-Length: \(whole.count)")), .send(whole.dropLast(3))], .retryable(.connectionLost)),
    NetworkFault("cuts compressed data that ends with the connection", [.send(head("Content-Encoding: gzip")), .send(whole.dropLast(3))], malformed),
    // Another member may have followed; behind deflated data nothing may.
    NetworkFault("ends compressed data with the connection", [.send(head("Content-Encoding: gzip")), .send(whole)], .body("whole")).with { $0.isKept = false },
    NetworkFault("ends deflated data with the connection", [.send(head("Content-Encoding: deflate")), .send(Gzip.zlib(Array("whole".utf8)))], .body("whole")).with { $0.isKept = true },
    NetworkFault("compresses by deflate", gzip(Gzip.zlib(Array("whole".utf8)), "deflate"), .body("whole")).with { $0.isKept = true },
    NetworkFault("compresses by deflate without its header", gzip(Gzip.raw(Array("whole".utf8)), "Deflate"), .body("whole")).with { $0.isKept = true },
    NetworkFault("cuts deflated data", gzip(Gzip.zlib(Array("whole".utf8)).dropLast(), "deflate"), malformed),
    NetworkFault("cuts deflated data without a header", gzip(Gzip.raw(Array("whole".utf8)).dropLast(), "deflate"), malformed),
    NetworkFault("sends garbage behind deflated data", gzip(Gzip.zlib(Array("whole".utf8)) + [0], "deflate"), malformed),
    NetworkFault("says it deflates, and sends gzip", gzip(whole, "deflate"), malformed),
    NetworkFault("damages compressed data", gzip(damaged(at: 12)), malformed),
    NetworkFault("damages the bytes behind a checksum", gzip(damaged(at: 17)), malformed),
    NetworkFault("sends a wrong checksum", gzip(damaged(at: -8)), malformed),
    NetworkFault("sends a wrong size of the data", gzip(damaged(at: -1)), malformed),
    NetworkFault("sends zeros behind compressed data", gzip(whole + [UInt8](repeating: 0, count: 1_000)), .body("whole")).with { $0.isKept = true },
    NetworkFault("sends zeros before compressed data", gzip([0] + whole), malformed),
    NetworkFault("never ends empty compressed data", [.send(head("Content-Encoding: gzip")), .flood(Array([[UInt8]](repeating: Gzip.stored([]), count: 1_000).joined()))], .error(.bodyTooLarge)).with { $0.says = "for a body of 0" },
    NetworkFault("never ends the name in a compressed head", [.send(head("Content-Encoding: gzip")), .send([0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 3]), .flood(many("x"))], .error(.bodyTooLarge)).with { $0.says = "for a body of 0" },
    NetworkFault("sends garbage behind compressed data", gzip(whole + Array("garbage".utf8)), malformed),
    NetworkFault("sends a gigabyte in a megabyte", gzip(Gzip.bomb(1 << 30)), .error(.bodyTooLarge)).with { $0.memory = $0.limits.bodyBytes },
    NetworkFault("compresses twice", gzip(Gzip.stored(whole), "gzip, gzip"), malformed).with { $0.says = "'gzip, gzip'" },
    NetworkFault("compresses twice, and says so in two fields", gzip(Gzip.stored(whole), "deflate\r\nContent-Encoding: gzip"), malformed).with { $0.says = "'deflate, gzip'" },
    NetworkFault("compresses by brotli", gzip([0x0B, 0x02, 0x80, 0x6F, 0x6B, 0x03], "br"), malformed).with { $0.says = "'br'" },
    NetworkFault("compresses by zstd", gzip([0x28, 0xB5, 0x2F, 0xFD], "zstd"), malformed).with { $0.says = "'zstd'" },
    NetworkFault("codes in an unknown way", gzip(Array("ok".utf8), "cow"), malformed).with { $0.says = "'cow'" },
    NetworkFault("codes in a way with an endless name", gzip(Array("ok".utf8), String(repeating: "m", count: 9_000)), malformed).with { $0.says = "'\(String(repeating: "m", count: 60))'" },
    NetworkFault("codes in no way, and says so", gzip(Array("ok".utf8), "identity"), .body("ok")),
  ]
}
