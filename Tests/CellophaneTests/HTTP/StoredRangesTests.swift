@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Ranges of stored responses")
struct StoredRangesTests {
  private static let fresh: HeaderFields = ["cache-control": "max-age=60"]

  /// Stores ten digits, then requests a range in the next process. Returns the status, the body and the
  /// `Content-Range`, and whether the origin was asked.
  private func range(
    _ headers: HeaderFields, of stored: HeaderFields = fresh, after: Int = 0,
    _ policy: CachePolicy = .standard
  ) throws -> String? {
    let world = LoaderWorld()
    world.origin.script("http://origin/a", .ok("0123456789", stored))
    world.time.run { _ = try? await world.bytes.load(try Request("http://origin/a", options: 0)) }
    world.origin.script("http://origin/a", .status(404, [:]))
    let next = world.restarted()
    let request = try Request("http://origin/a", headers: headers, options: 0, cachePolicy: policy)
    return world.time.run {
      try? await next.timeline.sleep(for: .seconds(after))
      do throws(LoadError) {
        let loaded = try await next.bytes.load(request)
        return "\(String(decoding: loaded.bytes, as: UTF8.self)) \(loaded.status) \(loaded.source)"
      } catch { return "\(error.status.map(String.init) ?? error.kind.rawValue)" }
    }
  }

  @Test(
    "a fresh stored response answers a range within it",
    arguments: [
      ("bytes=0-1", "01 206 disk"), ("bytes=3-5", "345 206 disk"), ("bytes=1-", "123456789 206 disk"),
      ("bytes=0-", "0123456789 206 disk"), ("bytes=-1", "9 206 disk"), ("bytes=-99", "0123456789 206 disk"),
      ("bytes=8-99", "89 206 disk"), ("Bytes=9-9", "9 206 disk"),
      // The origin answers the others.
      ("bytes=10-", "404"), ("bytes=-0", "404"), ("bytes=5-4", "404"), ("bytes=0-1,3-4", "404"),
      ("items=0-1", "404"), ("bytes=a-b", "404"), ("bytes=", "404"),
    ])
  func parts(asked: String, expected: String) throws {
    #expect(try range(["range": asked]) == expected)
  }

  @Test("a stale or forbidden response answers no range")
  func terms() throws {
    let one: HeaderFields = ["range": "bytes=0-0"]
    func with(_ directive: String) -> HeaderFields { ["range": "bytes=0-0", "cache-control": directive] }
    #expect(try range(one, after: 59) == "0 206 disk")
    #expect(try range(one, after: 60) == "404")
    #expect(try range(one, of: ["etag": "\"a\""]) == "404")
    #expect(try range(one, of: ["cache-control": "max-age=60, no-cache"]) == "404")
    #expect(try range(one, of: ["cache-control": "max-age=60", "vary": "*"]) == "404")
    #expect(try range(with("no-cache")) == "404")
    #expect(try range(with("no-store")) == "404")
    #expect(try range(with("max-age=0")) == "404")
    #expect(try range(with("max-stale"), after: 99) == "0 206 disk")
    #expect(try range(one, .reload) == "404")
    #expect(try range(one, .offline) == "0 206 disk")
    #expect(try range(one, after: 60, .offline) == "not-cached")
    #expect(try range(["range": "bytes=0-0", "if-range": "\"a\""]) == "404")
    #expect(try range(["range": "bytes=0-0", "if-none-match": "\"a\""]) == "404")
    #expect(try range(["range": "bytes=0-0", "x": "1"]) == "404")
  }
}
