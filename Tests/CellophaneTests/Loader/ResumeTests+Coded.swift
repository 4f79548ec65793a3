@testable internal import Cellophane
internal import CellophaneTesting
internal import Testing

/// Bodies with a content coding, which are continued where their compressed bytes ended.
extension ResumeTests {
  static let plain = [UInt8]((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
  static let compressed = Gzip.stored(Array(plain[..<20_000])) + Gzip.stored(Array(plain[20_000...]))

  /// An origin of one resource in a coding, and what it was asked.
  final class CodedOrigin: Sendable {
    let asked = Shared<[String]>([])
    let origin: TestOrigin

    /// The first answer breaks after `length` bytes of `body`, which is `coding` of the plain bytes; `rest` may change
    /// the answer to a request for a part.
    init(
      _ body: [UInt8] = compressed, in coding: String = "gzip", breaks length: Int,
      framing: OriginResponse.Framing = .length,
      rest: @escaping @Sendable (inout OriginResponse, _ first: Int) -> Void = { _, _ in }
    ) throws {
      origin = try TestOrigin { [asked] request in
        let names = ["range", "if-range", "accept-encoding"]
        asked.update { $0.append(names.compactMap { request.headers[$0] }.joined(separator: " ")) }
        var headers: HeaderFields = ["etag": "\"a\"", "accept-ranges": "bytes", "content-encoding": coding]
        guard let range = request.headers["range"], request.headers["if-range"] == "\"a\"",
          let first = Int(range.dropFirst(6).dropLast())
        else {
          var answer = OriginResponse(headers: headers, body: body)
          answer.framing = framing
          if asked.value.count == 1 { answer.course = .closed(after: length) }
          return answer
        }
        headers.append("content-range", "bytes \(first)-\(body.count - 1)/\(body.count)")
        var answer = OriginResponse(status: 206, headers: headers, body: Array(body[first...]))
        rest(&answer, first)
        return answer
      }
    }

    deinit { origin.stop() }

    /// What a loader gives after a restart, with the bytes that it did not ask for again; or its error.
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

    /// Loads until the transfer broke, and once more after a restart.
    func twice(limit: Int = .max) async throws -> (Result<[UInt8], LoadError>, Int) {
      let files = MemoryFileSystem()
      let (broken, _) = try await load(files)
      #expect(throws: LoadError.self) { try broken.get() }
      return try await load(files, limit: limit)
    }
  }

  @Test(
    "a compressed body is continued wherever it broke: within a header, a block, a checksum, between members",
    arguments: [1, 5, 10, 12, 15, 9_000, 20_015, 20_022, 20_023, 20_024, 20_040, 45_000], [true, false])
  func coded(length: Int, repeatsCoding: Bool) async throws {
    let origin = try CodedOrigin(breaks: length) { answer, _ in
      if !repeatsCoding { answer.headers["content-encoding"] = nil }
    }
    let (result, resumed) = try await origin.twice()
    #expect(try result.get() == Self.plain && resumed == 1)
    #expect(origin.asked.value == ["gzip, deflate", "bytes=\(length)- \"a\" gzip"])
  }

  @Test("so is one in chunks, and one in the other coding")
  func otherwiseCoded() async throws {
    let chunked = try CodedOrigin(breaks: 30_000, framing: .chunked)
    #expect(try await chunked.twice().0.get() == Self.plain && chunked.asked.value.count == 2)
    let deflated = try CodedOrigin(Gzip.zlib(Self.plain), in: "deflate", breaks: 30_000)
    let (result, resumed) = try await deflated.twice()
    #expect(try result.get() == Self.plain && resumed == 1)
    #expect(deflated.asked.value.last == "bytes=30000- \"a\" deflate")
  }

  @Test("within one load as well, and what a reader has read stays")
  func codedWithinOneLoad() async throws {
    let origin = try CodedOrigin(breaks: 30_000)
    let bytes = ByteLoader(
      transport: CurlTransport(), disk: DiskCache(directory: "/cache", fileSystem: MemoryFileSystem()))
    let loaded = try await bytes.load(Request<Int>(origin.origin.url("/a"), options: 0))
    #expect(loaded.bytes == Self.plain && bytes.events.counters.resumed == 1)
    #expect(bytes.events.counters.receivedBytes == 50_000)
  }

  @Test(
    "what is not the rest in the same coding starts over",
    arguments: [
      { answer, first in
        answer.headers["content-encoding"] = nil
        answer.body = Array((Self.plain + Self.plain)[first..<Self.compressed.count])
      },
      { answer, _ in answer.headers["content-encoding"] = "deflate" },
      { answer, _ in answer.headers["content-encoding"] = "gzip, gzip" },
      { answer, _ in answer.headers["etag"] = "\"b\"" },
      { answer, _ in answer.headers["etag"] = "W/\"a\"" },
      { answer, first in
        answer.body = Array(Self.compressed[(first - 1)...].dropLast())
      },
      { answer, first in answer.body = [answer.body[0] ^ 1] + answer.body.dropFirst() },
    ] as [@Sendable (inout OriginResponse, Int) -> Void])
  func codedStartsOver(change: @escaping @Sendable (inout OriginResponse, Int) -> Void) async throws {
    let origin = try CodedOrigin(breaks: 30_000, rest: change)
    let (result, resumed) = try await origin.twice()
    #expect(try result.get() == Self.plain && resumed == 0)
    #expect(origin.asked.value == ["gzip, deflate", "bytes=30000- \"a\" gzip", "gzip, deflate"])
  }

  @Test("a limit counts what is decoded, the beginning included")
  func codedLimit() async throws {
    let (small, resumed) = try await CodedOrigin(breaks: 30_000).twice(limit: 49_999)
    #expect(resumed == 0)
    #expect { try small.get() } throws: { ($0 as? LoadError)?.kind == .bodyTooLarge }
    let least = try CodedOrigin(breaks: 30_000)
    _ = try await least.twice(limit: 20_000)
    // More than that is there already, so that nothing is asked for behind it.
    #expect(least.asked.value == ["gzip, deflate", "gzip, deflate"])
    let (enough, _) = try await CodedOrigin(breaks: 30_000).twice(limit: 50_000)
    #expect(try enough.get() == Self.plain)
  }
}
