@testable internal import Cellophane
@testable internal import CellophaneCore
@testable internal import CellophaneCurl
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Foundation
internal import TestSupport
internal import Testing

/// Bodies with a content coding, which resume at the end of their compressed bytes.
extension ResumeTests {
  static let plain = [UInt8]((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
  static let compressed = Gzip.stored(Array(plain[..<20_000])) + Gzip.stored(Array(plain[20_000...]))

  /// An origin of one resource with a content coding, and the requests that it received.
  final class CodedOrigin: Sendable {
    let requests = Shared<[String]>([])
    let origin: TestOrigin

    /// Creates an origin that sends `body`, the plain bytes in `coding`. Its first response breaks after
    /// `length` bytes. `rest` may change the response to a range request.
    init(
      _ body: [UInt8] = compressed, in coding: String = "gzip", breaks length: Int,
      framing: OriginResponse.Framing = .length,
      rest: @escaping @Sendable (inout OriginResponse, _ first: Int) -> Void = { _, _ in }
    ) throws {
      origin = try TestOrigin { [requests] request in
        let names = ["range", "if-range", "accept-encoding"]
        requests.update { $0.append(names.compactMap { request.headers[$0] }.joined(separator: " ")) }
        var headers: HeaderFields = ["etag": "\"a\"", "accept-ranges": "bytes", "content-encoding": coding]
        guard let range = request.headers["range"], request.headers["if-range"] == "\"a\"",
          let first = Int(range.dropFirst(6).dropLast())
        else {
          var response = OriginResponse(headers: headers, body: body)
          response.framing = framing
          if requests.value.count == 1 { response.ending = .closed(after: length) }
          return response
        }
        headers.append("content-range", "bytes \(first)-\(body.count - 1)/\(body.count)")
        var response = OriginResponse(status: 206, headers: headers, body: Array(body[first...]))
        rest(&response, first)
        return response
      }
    }

    deinit { origin.stop() }

    /// Loads with a new loader, as after a restart. Returns the body or the error, and the number of resumed
    /// transfers.
    func load(_ files: MemoryFileSystem, limit: Int = .max) async throws -> (Result<[UInt8], LoadError>, Int)
    {
      var configuration = ByteLoader.Configuration()
      configuration.retry.retries = 0
      configuration.limits.bodyBytes = min(limit, configuration.limits.bodyBytes)
      let bytes = ByteLoader(
        transport: CurlTransport(), disk: DiskCache(directory: "/cache", fileSystem: files),
        configuration: configuration)
      let request = try Request<Int>(origin.url("/a"), options: 0)
      do throws(LoadError) {
        return (.success(try await bytes.load(request).bytes), bytes.events.counters.resumed)
      } catch {
        await bytes.settle()
        return (.failure(error), bytes.events.counters.resumed)
      }
    }

    /// Loads until the transfer breaks, and again after a restart.
    func twice(limit: Int = .max) async throws -> (Result<[UInt8], LoadError>, Int) {
      let files = MemoryFileSystem()
      let (broken, _) = try await load(files)
      #expect(throws: LoadError.self) { try broken.get() }
      return try await load(files, limit: limit)
    }
  }

  @Test(
    "a compressed body resumes after any break: in a header, a block, a checksum or between members",
    arguments: [1, 5, 10, 12, 15, 9_000, 20_015, 20_022, 20_023, 20_024, 20_040, 45_000], [true, false])
  func coded(length: Int, repeatsCoding: Bool) async throws {
    let origin = try CodedOrigin(breaks: length) { response, _ in
      if !repeatsCoding { response.headers["content-encoding"] = nil }
    }
    let (result, resumed) = try await origin.twice()
    #expect(try result.get() == Self.plain && resumed == 1)
    #expect(origin.requests.value == ["gzip, deflate", "bytes=\(length)- \"a\" gzip"])
  }

  @Test("a compressed body resumes in chunks and with the deflate coding")
  func chunkedAndDeflate() async throws {
    let chunked = try CodedOrigin(breaks: 30_000, framing: .chunked)
    let (whole, resumedChunks) = try await chunked.twice()
    #expect(try whole.get() == Self.plain && resumedChunks == 1)
    #expect(chunked.requests.value.last == "bytes=30000- \"a\" gzip")
    let deflated = try CodedOrigin(Gzip.zlib(Self.plain), in: "deflate", breaks: 30_000)
    let (result, resumed) = try await deflated.twice()
    #expect(try result.get() == Self.plain && resumed == 1)
    #expect(deflated.requests.value.last == "bytes=30000- \"a\" deflate")
  }

  @Test("a retry within one load resumes a compressed body")
  func codedWithinOneLoad() async throws {
    let origin = try CodedOrigin(breaks: 30_000)
    let bytes = ByteLoader(
      transport: CurlTransport(), disk: DiskCache(directory: "/cache", fileSystem: MemoryFileSystem()))
    let loaded = try await bytes.load(Request<Int>(origin.origin.url("/a"), options: 0))
    #expect(loaded.bytes == Self.plain && bytes.events.counters.resumed == 1)
    #expect(bytes.events.counters.receivedBytes == 50_000)
  }

  @Test(
    "a response that is not the rest in the same coding starts over",
    arguments: [
      { response, first in
        response.headers["content-encoding"] = nil
        response.body = Array((Self.plain + Self.plain)[first..<Self.compressed.count])
      },
      { response, _ in response.headers["content-encoding"] = "deflate" },
      { response, _ in response.headers["content-encoding"] = "gzip, gzip" },
      { response, _ in response.headers["etag"] = "\"b\"" },
      { response, _ in response.headers["etag"] = "W/\"a\"" },
      { response, first in
        response.body = Array(Self.compressed[(first - 1)...].dropLast())
      },
      { response, first in response.body = [response.body[0] ^ 1] + response.body.dropFirst() },
    ] as [@Sendable (inout OriginResponse, Int) -> Void])
  func codedStartsOver(change: @escaping @Sendable (inout OriginResponse, Int) -> Void) async throws {
    let origin = try CodedOrigin(breaks: 30_000, rest: change)
    let (result, resumed) = try await origin.twice()
    #expect(try result.get() == Self.plain && resumed == 0)
    #expect(origin.requests.value == ["gzip, deflate", "bytes=30000- \"a\" gzip", "gzip, deflate"])
  }

  @Test("the size limit counts decoded bytes, including those of the prefix")
  func codedLimit() async throws {
    let larger = try CodedOrigin(breaks: 30_000)
    let (small, resumed) = try await larger.twice(limit: 49_999)
    #expect(resumed == 0 && larger.requests.value.last == "bytes=30000- \"a\" gzip")
    #expect { try small.get() } throws: { ($0 as? LoadError)?.kind == .bodyTooLarge }
    let least = try CodedOrigin(breaks: 30_000)
    _ = try await least.twice(limit: 20_000)
    // The prefix is larger than that, so its rest is not requested.
    #expect(least.requests.value == ["gzip, deflate", "gzip, deflate"])
    let (enough, resumedAll) = try await CodedOrigin(breaks: 30_000).twice(limit: 50_000)
    #expect(try enough.get() == Self.plain && resumedAll == 1)
  }

  @Test(
    "no part of a body above the limit is stored", arguments: [OriginResponse.Framing.chunked, .length])
  func tooLarge(framing: OriginResponse.Framing) async throws {
    let origin = try CodedOrigin(breaks: .max, framing: framing)
    let files = MemoryFileSystem()
    let (result, _) = try await origin.load(files, limit: 30_000)
    #expect { try result.get() } throws: { ($0 as? LoadError)?.kind == .bodyTooLarge }
    #expect(files.files.keys.filter { !$0.hasPrefix("/cache/cellophane-") } == [])
  }

  @Test("a transport that does not decode a content coding is not asked to resume it")
  func transportWithoutDecoding() async throws {
    let world = World([.whole])
    let key = try Request<Int>("http://origin/a", options: 0).key.response
    world.time.run {
      await world.bytes.disk?.store(
        StoredPrefix(
          status: 200, headers: ["etag": "\"a\"", "content-encoding": "gzip"],
          bytes: Array(Self.compressed[..<100]), total: nil, storedAt: world.bytes.timeline.secondsSince1970),
        for: key)
    }
    #expect(world.prefix() == 100)
    #expect(world.load() == "200 0123456789" && world.seen == [""])
  }

  /// A text that compresses to dynamic Huffman codes, with matches that cross every break.
  static let text = [UInt8](
    (0..<120).map { "row \($0 * $0 % 37) of \($0)\n" }.joined().utf8)
  static let codedText = [UInt8](
    Data(
      base64Encoded:
        "H4sIAAAAAAACA1WUS3IEIQxD9znFHMFfjC+UbaqyyfUzDaR42QnGY8lS4++vn5e8vj5f8vH9hvpAXTAeaAv2A30XjAfHwpYPzoV93Y9dYw+u"
        + "XVMPngsv2Pt6leshXQJ007qvwya2redQ78Pm3lWHe0nVTe672WGf6zB5aJSZoIHp7WwGSnOIsYBMSwxgA6NZ3ZFtwgpreOQC81zhqhvsdkcM"
        + "cdPxvKH5Zl9KvHA/Ud+3TwjzJHUYRIVDbgQGibwTBkePgikxYVc0jEyBxQnv0xBKOuLKQJCZPDD8LDaY6NygHAIxgx/fMAwwHKONuDOPhBmD"
        + "X/4oPokJa0fD9JKbRuHNld30ym+qFbhP1A/0KRKQuhqipkDuVL5UuxNOjj4DpsyEXXPAyFmweML72QilBXG1Isg2Hhh+Bxvk7dwDlF0Q0/z4"
        + "urlsRP7tIb1Tqxj8UOEDUAm4qJIwWGXAe5W6qajgEao0Vu1ZgWcDKn8x/EexAfSswEOk/0T8bcHzW1G8cg/pexH+AiXjxO39BQAA"
    )
      ?? Data())

  /// Receives the first `count` of `sent`, a coded body, in pieces of at most `most` bytes. They continue
  /// `begun`, if there is one.
  static func arriving(
    _ sent: [UInt8], cutAfter count: Int, in most: Int, status: Int = 200, range: String? = nil,
    behind begun: Resumption? = nil
  ) -> (StreamingBody, TransportResponse, isWhole: Bool) {
    let body = StreamingBody(behind: begun, keepsCoded: true, onHead: { _ in }, onArrival: {})
    var headers: HeaderFields = ["ETag": "\"a\"", "Accept-Ranges": "bytes"]
    if let range {
      headers.append("Content-Range", range)
    } else {
      headers.append("Content-Encoding", "gzip")
    }
    var response = TransportResponse(status: status, headers: headers, body: [], url: "http://origin/a")
    var parser = ResponseParser(limits: TransferLimits(), body: body)
    let lines =
      ["HTTP/1.1 \(status) S\r\n"] + headers.fields.map { "\($0.name): \($0.value)\r\n" } + ["\r\n"]
    var progress = ResponseParser.HeadProgress.unchanged
    let cache = HeaderFieldCache()
    for text in lines {
      progress = parser.takeLine(Array(text.utf8).span, cache: cache, at: .zero, from: { "o" })
    }
    var continues = progress == .response && parser.begin(response, from: { "o" })
    for start in stride(from: 0, to: count, by: most) where continues {
      continues = parser.takeBody(Array(sent[start..<min(count, start + most)]).span, from: { "o" })
    }
    response.body = body.bytes
    return (body, response, continues && parser.defect(hasHead: true, from: { "o" }) == nil)
  }

  @Test("a body that breaks at any two bytes is decoded like an unbroken one")
  func brokenTwice() throws {
    let (text, coded) = (Self.text, Self.codedText)
    for first in 1..<coded.count {
      let (begin, _, isWhole) = Self.arriving(coded, cutAfter: first, in: 1 + first % 50)
      try #require(!isWhole)
      let begun = try #require(Resumption(begin, limit: 1 << 20, askedAt: 0), "after \(first)")
      // The stored prefix gives the same bytes.
      let stored = try #require(begun.stored.flatMap { Resumption($0, limit: 1 << 20) })
      #expect(stored.isSame(as: begun) && stored.bytes == begun.bytes && text.starts(with: begun.bytes))
      let second = first + (coded.count - first) / 2
      let range = { (first: Int) in "bytes \(first)-\(coded.count - 1)/\(coded.count)" }
      var last = begun
      if second > first {
        let (middle, _, _) = Self.arriving(
          Array(coded[first...]), cutAfter: second - first, in: 7, status: 206, range: range(first),
          behind: stored)
        last = try #require(Resumption(middle, limit: 1 << 20, askedAt: 0), "after \(first), \(second)")
        #expect(last.count == second)
      }
      let (end, response, isEnd) = Self.arriving(
        Array(coded[last.count...]), cutAfter: coded.count - last.count, in: 11, status: 206,
        range: range(last.count), behind: last)
      #expect(isEnd && end.joined(with: response, askedAt: 0)?.body == text, "after \(first), \(second)")
    }
  }

  @Test("a range other than the requested one is refused at its head")
  func otherRange() throws {
    let (begin, _, _) = Self.arriving(Self.codedText, cutAfter: 100, in: 50)
    let begun = try #require(Resumption(begin, limit: 1 << 20, askedAt: 0))
    let (body, _, isWhole) = Self.arriving(
      Self.codedText, cutAfter: 10, in: 1, status: 206, range: "bytes 99-200/399", behind: begun)
    #expect(!isWhole && body.bytes.isEmpty && body.version == nil)
  }

  @Test("a resumed body may have as many zeros after its end as an unbroken one")
  func padding() throws {
    let padded = Self.codedText + [UInt8](repeating: 0, count: 1_060_000)
    let (_, _, isWhole) = Self.arriving(padded, cutAfter: padded.count - 11_000, in: 9_000)
    let (begin, _, _) = Self.arriving(padded, cutAfter: 400, in: 500)
    let begun = try #require(Resumption(begin, limit: 1 << 20, askedAt: 0))
    let (_, _, isRestWhole) = Self.arriving(
      Array(padded[400...]), cutAfter: padded.count - 11_400, in: 9_000, status: 206,
      range: "bytes 400-\(padded.count - 1)/\(padded.count)", behind: begun)
    #expect(isWhole && isRestWhole)
  }

  @Test("a decoder that stops within a piece keeps the bytes of complete pieces")
  func settled() throws {
    let body = StreamingBody(behind: nil, keepsCoded: true, onHead: { _ in }, onArrival: {})
    body.begin(
      TransportResponse(
        status: 200, headers: ["ETag": "\"a\"", "Accept-Ranges": "bytes", "Content-Encoding": "gzip"],
        body: [],
        url: "http://origin/a"))
    body.append([1, 2, 3].span)
    body.settle(Array(Self.compressed[..<100]).span)
    body.append([4, 5].span)
    #expect(body.snapshot.bytes == [1, 2, 3] && body.snapshot.coded?.count == 100 && body.bytes.count == 5)
  }
}
