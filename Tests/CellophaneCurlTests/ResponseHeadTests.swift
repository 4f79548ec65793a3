internal import Testing

@testable internal import CellophaneCurl

extension ResponseHead {
  /// Parses the head in `lines` with an empty cache.
  fileprivate init?(_ lines: [UInt8]) {
    let cache = HeaderFieldCache()
    self.init(lines, cache: cache)
  }
}

@Suite struct ResponseHeadTests {
  @Test func `the status and the fields are parsed`() throws {
    let head = try #require(
      ResponseHead(
        Array("HTTP/1.1 206 Partial Content\r\nETag: \"a\"\r\nX-Two:  b c \r\nx-two:d\r\n\r\n".utf8)))
    #expect(head.status == 206)
    #expect(head.fields["etag"] == "\"a\"")
    #expect(head.fields.values(of: "X-TWO") == ["b c", "d"])
  }

  @Test(arguments: [
    ("a\u{1}b", "a b"), ("a\tb", "a\tb"), ("\u{1B}[31m\u{7F}", " [31m "), ("\u{B}\u{C}", "  "),
    ("\u{1}\r\n \u{2}c", "   c"),
  ])
  func `a control character becomes a space`(value: String, expected: String) throws {
    let head = try #require(ResponseHead(Array("HTTP/1.1 200 OK\r\nA: \(value)\r\n\r\n".utf8)))
    #expect(head.fields["a"] == expected && head.fields.defect == nil)
  }

  @Test(arguments: [
    ("HTTP/2 404\r\n\r\n", 404), ("HTTP/1.1  200 OK\r\n\r\n", 200), ("HTTP/1.1\r\n\r\n", 0),
    ("HTTP/1.0 99999999999999999999\n\n", 0), ("HTTP/1.1 200", 200),
    ("HTTP/1.1 +20 OK\r\n\r\n", 0), ("HTTP/1.1 0200\r\n\r\n", 0), ("HTTP/1.1 20\r\n\r\n", 0),
  ])
  func `only a valid status line has a status`(text: String, status: Int) throws {
    #expect(try #require(ResponseHead(Array(text.utf8))).status == status)
  }

  @Test func `trailers are not a head`() {
    #expect(ResponseHead(Array("Server-Timing: x\r\n\r\n".utf8)) == nil)
    #expect(ResponseHead([]) == nil)
  }

  @Test func `lines that are not fields are ignored`() throws {
    let head = try #require(
      ResponseHead(Array("HTTP/1.1 200 OK\r\nnonsense\r\na: 1\r\n b: folded\r\n: empty\r\n\r\n".utf8)))
    #expect(head.fields.values(of: "a") == ["1 b: folded"])
    #expect(head.fields.fields.count == 1)
  }

  @Test func `only a field is continued by a folded line`() throws {
    let head = try #require(
      ResponseHead(Array("HTTP/1.1 200 OK\r\n a: 1\r\nb c: 2\r\n\td: 3\r\ne: 4\r\n \t5 \r\n\r\n".utf8)))
    #expect(head.fields == ["e": "4 5"])
  }

  @Test func `field names are case-insensitive`() throws {
    let text = "HTTP/1.1 302 X\r\nLOCATION: /a\r\nCoNtEnT-EnCoDiNg: gzip\r\nContent-Length:\r\n 5\r\n\r\n"
    let head = try #require(ResponseHead(Array(text.utf8)))
    #expect(head.isRedirect && head.contentCodings == ["gzip"] && head.length == 5)
  }

  /// The arguments are fields and whether they make the head unusable.
  @Test(arguments: [
    ("A: b", false), ("A: b\rc", true), ("A: b\0", true), ("A: b\r\n c\rd", true), ("A: \tb\tc", false),
    ("A: b\u{1}", false), ("A: \u{7F}", false), ("A: \u{1B}[31m", false), ("A: \u{B}\u{C}", false),
    ("A: b\r\n \u{1}", false), ("Content-Length: 1\u{1}", true), ("Content-Length: 1\r\n \u{1}", true),
    ("Location: /a\u{1}", true), ("Content-Encoding: \u{1B}", true),
    ("A : b", true), ("A\t: b", true), ("A b : c", false), (" : c", false), ("A b", false),
    ("Content-Length: 1", false), ("Content-Length: 1, 1", false),
    ("Content-Length: 1\r\nContent-Length: 01", false),
    ("Content-Length: 1, 2", true), ("Content-Length: 1\r\nContent-Length: 2", true),
    ("Content-Length: -1", true),
    ("Content-Length: 1 1", true), ("Content-Length: x", true), ("Content-Length:", true),
    ("Content-Length: ,", true),
    ("Transfer-Encoding: Chunked", false), ("Transfer-Encoding: chunked, chunked", true),
    ("Transfer-Encoding: chunked\r\nTransfer-Encoding: Chunked", false),
    ("Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip", true), ("Transfer-Encoding: identity", true),
    ("Transfer-Encoding: chunked\r\nContent-Length: 1", true),
    ("Content-Length: 1\r\nTransfer-Encoding: chunked", true), ("Transfer-Encoding:", true),
    ("Location: /a\r\nLocation: /a", false), ("Location: /a\r\nLocation: /b", true),
  ])
  func `a head with an invalid field or framing is unusable`(fields: String, isUnusable: Bool) throws {
    let head = try #require(ResponseHead(Array("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n".utf8)))
    let defect = head.defect ?? head.framingDefect
    #expect((defect != nil) == isUnusable, "\(defect ?? "")")
  }

  @Test("a head is parsed alike with and without cached lines") func cachedHeads() throws {
    let begin = "HTTP/1.1 200 OK\r\n"
    let heads = [
      "A: 1\r\nB: 2\r\nC: 3\r\n\r\n", "A: 1\r\nB: 2\r\n c\r\nC: 3\r\n\r\n", "B: 2\r\nC: 3\r\n\r\n", "A: 1",
      "A: 1\nB: 2\r\nC: 3\0\r\n\r\n", "A: 1\r\nB: 2\r\nC: 3\r\nB: 2\r\nD : 4\r\n\r\n", "\r\n",
      "A: 1\r\nB: 2\r\nC: \(String(repeating: "3", count: 600))\r\nD: 4\r\n\r\n",
      String(repeating: "Content-Length: 7\r\n", count: 80) + "\r\n",
      "Content-Length: 7\r\nLocation: /a\r\n\r\n",
    ].map { Array((begin + $0).utf8) }
    for first in heads {
      for second in heads {
        let cache = HeaderFieldCache()
        for head in [first, second, first, second] {
          #expect(try #require(ResponseHead(head, cache: cache)) == #require(ResponseHead(head)))
        }
      }
    }
  }

  @Test("equal lines are found in the cache, also after a line that is too long for it") func cachedLines()
    throws
  {
    let cache = HeaderFieldCache()
    let long = "C: \(String(repeating: "3", count: 600))\r\n"
    for cached in ["A: 1\r\nB: 2\r\n", "A: 4\r\nB: 2\r\n"] {
      _ = try #require(ResponseHead(Array("HTTP/1.1 200 OK\r\n\(long)\(cached)\r\n".utf8), cache: cache))
      var start = 0
      let bytes = Array(cached.utf8)
      let fields = (0..<2).map { cache.next($0, in: bytes.span, from: &start)?.0 }
      #expect(fields.map { $0?.name } == ["a", "b"] && start == bytes.count)
      #expect(cache.next(2, in: bytes.span, from: &start) == nil)
    }
    var start = 0
    #expect(cache.next(0, in: Array("A: 4".utf8).span, from: &start) == nil && start == 0)
  }

  /// The fields of a usable head are valid in a request, ages and lifetimes are within bounds, and ranges are possible.
  @Test func `random bytes and damaged heads are parsed without a crash`() {
    let model = Array(
      """
      HTTP/1.1 200 OK\r\nContent-Length: 12, 12\r\n folded\r\nETag: "a"\r\nContent-Encoding: gzip\r
      Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nExpires: Sunday, 06-Nov-94 08:50:37 GMT\r
      Last-Modified: Sun Nov  6 08:32:57 1994\r\nAge: 1\r\nContent-Range: bytes 100-199/200\r
      Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\nVary: a, *\r
      Cache-Control: max-age=60, stale-if-error="5", x="\\"a, b"\r\n\r\n
      """.utf8)
    let bounds = 0...CacheControl.largestDelta
    let cache = HeaderFieldCache()
    for seed in 0..<4_000 {
      var random = SplitMix64(seed: seed)
      var bytes = model
      for _ in 0..<Int.random(in: 0..<8, using: &random) {
        let index = Int.random(in: 9..<bytes.count, using: &random)
        bytes[index] =
          [0, 9, 10, 13, 32, 44, 58, .random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
      }
      if seed % 10 == 0 {
        bytes = Array("HTTP/".utf8) + (0..<200).map { _ in .random(in: 0...255, using: &random) }
      }
      guard let head = ResponseHead(bytes) else {
        Issue.record("seed \(seed): no head")
        continue
      }
      #expect(ResponseHead(bytes, cache: cache) == head, "seed \(seed)")
      _ = (head.length, head.isRedirect, head.isCloseDelimited)
      #expect(head.contentCodings == head.fields.contentCodings, "seed \(seed)")
      var fields = head.fields
      // Without Cache-Control, Expires and the heuristic apply.
      if seed.isMultiple(of: 2) { fields["cache-control"] = nil }
      if seed.isMultiple(of: 4) { fields["expires"] = nil }
      for now in [784_111_777, 0, .min, .max] as [Int64] {
        let freshness = Freshness(status: 200, headers: fields, storedAt: now)
        #expect(bounds.contains(freshness.lifetime) && bounds.contains(freshness.initialAge), "seed \(seed)")
        #expect(bounds.contains(freshness.staleIfError), "seed \(seed)")
        if let delay = RetryAfter.delay(fields, now: now) { #expect(delay >= .zero, "seed \(seed)") }
      }
      if let text = fields["content-range"], let range = ContentRange(text) {
        #expect(
          0 <= range.first && range.first <= range.last && range.total ?? .max > range.last, "seed \(seed)")
      }
      if head.defect == nil { #expect(head.fields.defect == nil, "seed \(seed)") }
    }
  }

  @Test(
    arguments: [
      (200, "12", 12), (200, "0", 0), (404, "7", 7), (304, "12", nil), (204, "12", nil), (200, "", nil),
      (200, "-1", nil), (200, "1,1", 1), (200, "1,2", nil), (200, "9223372036854775807", Int.max),
      (200, "99999999999999999999", Int.max),
    ] as [(Int, String, Int?)])
  func `the length is that of Content-Length if the status permits a body`(
    status: Int, text: String, length: Int?
  ) throws {
    let head = try #require(
      ResponseHead(Array("HTTP/1.1 \(status) X\r\nContent-Length: \(text)\r\n\r\n".utf8)))
    #expect(head.length == length)
  }

  @Test(arguments: [
    (301, true), (302, true), (303, true), (307, true), (308, true), (300, false), (304, false),
  ])
  func `a redirect needs a redirect status and a Location`(status: Int, isRedirect: Bool) throws {
    let text = "HTTP/1.1 \(status) X\r\nLocation: /b\r\n\r\n"
    #expect(try #require(ResponseHead(Array(text.utf8))).isRedirect == isRedirect)
    #expect(try #require(ResponseHead(Array("HTTP/1.1 \(status) X\r\n\r\n".utf8))).isRedirect == false)
  }
}
