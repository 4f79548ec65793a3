@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Resuming interrupted transfers, in virtual time")
struct ResumeTests {
  /// The request for the rest after four bytes: range, entity tag and content coding.
  static let restRequest = "bytes=4- \"a\" identity"

  @Test("the next load resumes a broken transfer, also after a restart")
  func broken() {
    let world = World([.broken(after: 4), .rest(4)])
    #expect(world.load() == "connection-lost" && world.prefix() == 4)
    let later = World([.rest(4)], after: world)
    #expect(later.load() == "200 0123456789")
    #expect(later.seen == [Self.restRequest] && later.prefix() == nil)
    let counters = later.bytes.events.counters
    #expect(counters.resumed == 1 && counters.resumedBytes == 4 && counters.receivedBytes == 6)
  }

  @Test("the next load resumes a cancelled transfer")
  func cancelled() async {
    let world = World([.whole, .rest(4)])
    #expect(world.load(cancelAfter: .milliseconds(45)) == "cancelled" && world.prefix() == 4)
    #expect(
      world.load() == "200 0123456789" && world.seen == ["", Self.restRequest] && world.prefix() == nil)
    #expect(await world.bytes.activity == (0, 0, 0))
  }

  @Test("a joined response is stored with the fields of both parts and the freshness of the second")
  func fields() throws {
    let first = Response.broken(after: 4).with("X", "old").with("Content-Type", "image/png").with("Age", "9")
    let world = World([first, .rest(4).with("X", "new").with("Cache-Control", "max-age=5")])
    _ = world.load()
    #expect(
      world.load() == "200 0123456789" && world.load() == "200 0123456789" && world.seen.count == 2)
    let key = try Request<Int>("http://origin/a", options: 0).key.response
    let stored = world.time.run { await world.bytes.disk?.response(for: key) }
    #expect(
      stored??.headers.sortedByName() == [
        "accept-ranges": "bytes", "cache-control": "max-age=5", "content-type": "image/png", "etag": "\"a\"",
        "x": "new",
      ])
  }

  @Test("a rest that breaks is resumed as well")
  func twice() {
    let world = World([.broken(after: 4), .rest(4, breaks: 3), .rest(7)])
    #expect(world.load() == "connection-lost" && world.load() == "connection-lost" && world.prefix() == 7)
    #expect(world.load() == "200 0123456789")
    #expect(world.seen == ["", Self.restRequest, "bytes=7- \"a\" identity"])
  }

  @Test("a rest that breaks without a byte is not requested again, by this load or the next")
  func emptyRest() {
    let world = World([.broken(after: 4), .rest(4, breaks: 0), .whole])
    #expect(world.load() == "connection-lost" && world.load() == "connection-lost" && world.prefix() == nil)
    #expect(world.load() == "200 0123456789" && world.seen == ["", Self.restRequest, ""])
    let retrying = World([.broken(after: 4), .rest(4, breaks: 0), .whole], retries: 2)
    #expect(retrying.load() == "200 0123456789" && retrying.seen == ["", Self.restRequest, ""])
  }

  @Test("a load cancelled before the first byte of the rest keeps the prefix")
  func cancelledAfterTheHead() {
    var slow = Response.rest(4)
    slow.pausesBehindHead = true
    let world = World([.broken(after: 4), slow])
    #expect(world.load() == "connection-lost" && world.load(cancelAfter: .milliseconds(15)) == "cancelled")
    #expect(world.prefix() == 4)
    #expect(world.load() == "200 0123456789")
    #expect(world.seen == ["", Self.restRequest, Self.restRequest])
  }

  @Test("an origin that begins another response and stalls is asked for the rest once")
  func stalled() {
    for status in [416, 500, 206] {
      var stalls = Response(status: status).with("ETag", "\"b\"")
      stalls.stalls = true
      let world = World([.broken(after: 4), stalls, .whole])
      #expect(world.load() == "connection-lost" && world.prefix() == 4)
      #expect(world.load() == "timeout" && world.prefix() == nil)
      #expect(world.load() == "200 0123456789" && world.seen == ["", Self.restRequest, ""])
    }
  }

  @Test("a rest with no-store removes the prefix when it breaks")
  func restOfNoStore() {
    let world = World([
      .broken(after: 4), Response.rest(4, breaks: 3).with("Cache-Control", "no-store"), .whole,
    ])
    #expect(world.load() == "connection-lost" && world.prefix() == 4)
    #expect(world.load() == "connection-lost")
    // The ledger contains no URL.
    #expect(world.files.files.keys.filter { !$0.hasPrefix("/cache/cellophane-") } == [])
    #expect(world.load() == "200 0123456789" && world.seen == ["", Self.restRequest, ""])
  }

  @Test("a body that begins with no-store is not stored, even if its rest may be", arguments: [nil, 3])
  func beginningWithNoStore(breaks: Int?) {
    let rest = Response.rest(4, breaks: breaks).with("Cache-Control", "max-age=100")
    let world = World(
      [Response.broken(after: 4).with("Cache-Control", "no-store"), rest, .rest(7)], retries: 2)
    #expect(world.load() == "200 0123456789")
    #expect(world.files.files.keys.filter { !$0.hasPrefix("/cache/cellophane-") } == [])
    #expect(world.seen.count == (breaks == nil ? 2 : 3))
  }

  @Test("an attempt that fails before the rest keeps the prefix")
  func noProgress() {
    for status in [500, 503] {
      let world = World(
        [.broken(after: 4)] + Array(repeating: Response(status: status), count: status == 500 ? 2 : 1)
          + [.rest(4)])
      #expect(world.load() == "connection-lost" && world.load() == "status" && world.prefix() == 4)
      world.time.run(until: world.time.now.advanced(by: .seconds(2)))
      #expect(world.load() == "200 0123456789")
    }
  }

  @Test(
    "an origin that does not resume is asked once for the complete body",
    arguments: [
      Response(status: 400), Response(status: 403), Response(status: 500), Response(status: 501),
      Response(error: .connectionLost), Response(error: .malformedResponse), Response(error: .redirects),
      Response(error: .connect, redirect: Origin(scheme: "http", host: "dead", port: 80)),
      Response.rest(4, "bytes 4-10/11", breaks: 2),
      Response.rest(4, breaks: 2).with("Content-Encoding", "gzip"),
    ])
  func refused(response: Response) {
    let world = World([.broken(after: 4), response, Response(headers: ["ETag": "\"c\""], body: "abcdefghij")])
    #expect(world.load() == "connection-lost")
    #expect(world.load() == "200 abcdefghij" && world.prefix() == nil)
    #expect(world.seen == ["", Self.restRequest, ""])
  }

  @Test("a load that fails with and without a range keeps the prefix, and retries by the policy")
  func refusedTwice() {
    let world = World([.broken(after: 4), Response(status: 500)], retries: 2)
    _ = world.load(cancelAfter: .milliseconds(60))
    let before = world.seen.count
    #expect(world.load() == "status" && world.prefix() == 4)
    #expect(world.seen[before...] == [Self.restRequest, "", "", ""])
  }

  @Test("a retry resumes the transfer, so that each byte is received once")
  func withinOneLoad() {
    let world = World([.broken(after: 4), .rest(4)], retries: 2)
    #expect(world.load() == "200 0123456789" && world.seen == ["", Self.restRequest])
    let counters = world.bytes.events.counters
    #expect(counters.receivedBytes == 10 && counters.retries == 1 && counters.resumedBytes == 4)
    #expect(world.prefix() == nil)
  }

  @Test("a broken transfer that cannot be resumed is not retried")
  func notResumable() {
    let world = World([Response.broken(after: 4).with("Accept-Ranges", nil), .whole], retries: 2)
    #expect(world.load() == "connection-lost" && world.seen.count == 1 && world.prefix() == nil)
  }

  @Test(
    "a partial body is not stored if it cannot be resumed or must not be stored",
    arguments: [
      Response.broken(after: 4).with("ETag", nil), Response.broken(after: 4).with("ETag", "W/\"a\""),
      Response.broken(after: 4).with("ETag", "a"), Response.broken(after: 4).with("Accept-Ranges", nil),
      Response.broken(after: 4).with("Accept-Ranges", "none"),
      Response.broken(after: 4).with("Content-Length", "x"),
      Response.broken(after: 4).with("Content-Encoding", "gzip"),
      Response.broken(after: 4).with("Cache-Control", "no-store"), Response.broken(after: 0),
      Response(status: 203, breaks: 4), Response(status: 404, breaks: 4), Response(status: 206, breaks: 4),
      Response(breaks: 4, redirects: [.init(status: 302, headers: [:])]),
    ])
  func notStored(response: Response) {
    let world = World([response, .whole])
    _ = world.load()
    #expect(world.prefix() == nil && world.files.files.isEmpty)
    #expect(world.load() == "200 0123456789" && world.seen == ["", ""])
  }

  @Test(
    "a response that is not the rest starts over with one more request at most, never mixing versions",
    arguments: [
      (Response(headers: ["ETag": "\"b\""], body: "abcdefghij"), 1), (Response(body: "abcdefghij"), 1),
      (.rest(4, tag: "\"b\""), 2), (.rest(4, tag: nil), 2), (.rest(4, tag: "W/\"a\""), 2),
      (.rest(4, "bytes 4-9/11"), 2), (.rest(4, "bytes 3-9/10"), 2), (.rest(4, "bytes 5-9/10"), 2),
      (.rest(4, "bytes 4-8/10"), 2), (.rest(4, "bytes 4-9/*"), 2), (.rest(4, "bytes 4-9"), 2),
      (.rest(5, "bytes 4-9/10"), 2), (.rest(3, "bytes 4-9/10"), 2),
      (Response.rest(4).with("Content-Range", nil), 2),
      (Response.rest(4).with("Content-Encoding", "gzip"), 2),
      (
        Response.rest(4).with("Content-Range", nil).with("Content-Type", "multipart/byteranges; boundary=x"),
        2
      ),
      (Response(status: 206, body: "456789", redirects: [.init(status: 302, headers: [:])]), 2),
      (Response(status: 412), 2), (Response(status: 416).with("Content-Range", "bytes */3"), 2),
      (Response(status: 304), 2),
    ])
  func startsOver(response: Response, requests: Int) {
    let fresh = Response(headers: ["ETag": "\"c\""], body: "abcdefghij")
    let world = World([.broken(after: 4), response, fresh])
    #expect(world.load() == "connection-lost")
    #expect(world.load() == "200 abcdefghij" && world.prefix() == nil)
    #expect(world.seen == ["", Self.restRequest] + Array(repeating: "", count: requests - 1))
    #expect(world.bytes.events.counters.resumed == 0)
  }

  @Test("another version that breaks replaces the prefix of the old one, or removes it")
  func otherVersionBreaks() {
    let other = Response(
      headers: ["ETag": "\"b\"", "Accept-Ranges": "bytes", "Content-Length": "12"], body: "abcdefghijkl",
      breaks: 6)
    let world = World([.broken(after: 4), other, other.with("Accept-Ranges", nil)])
    _ = world.load()
    #expect(world.load() == "connection-lost" && world.prefix() == 6)
    #expect(world.load() == "connection-lost" && world.prefix() == nil)
    #expect(world.seen == ["", Self.restRequest, "bytes=6- \"b\" identity"])
  }
}
