@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

/// Partial bodies of unknown length: `Transfer-Encoding: chunked`, or HTTP/2 without `Content-Length`.
extension ResumeTests {
  /// A chunked body that breaks after `count` bytes.
  static func chunked(after count: Int) -> Response {
    .broken(after: count).with("Content-Length", nil).with("Transfer-Encoding", "chunked")
  }

  @Test("a prefix of unknown length is resumed, also after a restart, if the rest states the length")
  func unknownLength() {
    for first in [Self.chunked(after: 4), .broken(after: 4).with("Content-Length", nil)] {
      let world = World([first])
      #expect(world.load() == "connection-lost" && world.prefix() == 4)
      let later = World([.rest(4)], after: world)
      #expect(
        later.load() == "200 0123456789" && later.seen == [Self.restRequest] && later.prefix() == nil)
      #expect(later.bytes.events.counters.resumedBytes == 4)
    }
    let retrying = World([Self.chunked(after: 4), .rest(4)], retries: 1)
    #expect(retrying.load() == "200 0123456789" && retrying.bytes.events.counters.receivedBytes == 10)
  }

  @Test("the length that a partial response states applies to the next one")
  func lengthOfAPart() {
    let first = World([Self.chunked(after: 4), .rest(4, breaks: 3)])
    #expect(first.load() == "connection-lost" && first.load() == "connection-lost" && first.prefix() == 7)
    let right = World([.rest(7)], after: first)
    #expect(right.load() == "200 0123456789" && right.seen == ["bytes=7- \"a\" identity"])
    let second = World([Self.chunked(after: 4), .rest(4, breaks: 3)])
    #expect(second.load() == "connection-lost" && second.load() == "connection-lost")
    let longer = World([.rest(7, "bytes 7-10/11"), Response(body: "abcdefghij")], after: second)
    #expect(longer.load() == "200 abcdefghij" && longer.seen.last == "")
  }

  @Test(
    "a partial response that does not reach its stated end starts over",
    arguments: [
      Response.rest(4, "bytes 4-9/*"), .rest(4, "bytes 4-8/10"), .rest(5, "bytes 5-9/10"),
      .rest(4, "bytes 4-10/11"), .rest(4, tag: nil), .rest(4, tag: "\"b\""), .rest(3, "bytes 3-9/10"),
      Response(status: 416).with("Content-Range", "bytes */4"),
    ])
  func noEnd(response: Response) {
    let world = World([Self.chunked(after: 4), response, Response(body: "abcdefghij")])
    #expect(world.load() == "connection-lost" && world.load() == "200 abcdefghij" && world.prefix() == nil)
    #expect(world.seen == ["", Self.restRequest, ""])
  }

  @Test("a body that breaks at the end of the resource is requested once more, not repeatedly")
  func breaksAtTheEnd() {
    let nothing = Response(status: 416).with("Content-Range", "bytes */10")
    let world = World([Self.chunked(after: 10), nothing, Self.chunked(after: 10)], retries: 2)
    #expect(world.load() == "connection-lost" && world.prefix() == nil)
    #expect(world.seen == ["", "bytes=10- \"a\" identity", ""])
  }

  @Test("a rest is not joined if the complete body exceeds the limit")
  func limitOfUnknownLength() {
    let world = World([Self.chunked(after: 4)])
    _ = world.load()
    var limits = TransferLimits()
    limits.bodyBytes = 9
    let later = World([.rest(4), .whole], after: world, limits: limits)
    // The scripted transport ignores the limit.
    #expect(later.load() == "200 0123456789")
    #expect(later.seen == [Self.restRequest, ""] && later.bytes.events.counters.resumed == 0)
    limits.bodyBytes = 3
    let least = World([.whole], after: world, limits: limits)
    _ = least.load()
    #expect(least.seen == [""])
  }
}
