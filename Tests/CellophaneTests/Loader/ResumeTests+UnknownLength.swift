@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

/// Beginnings of bodies whose origins did not tell how long they are: `Transfer-Encoding: chunked`, or HTTP/2 without
/// `Content-Length`.
extension ResumeTests {
  static func unknown(after count: Int) -> Course {
    .broken(after: count).with("Content-Length", nil).with("Transfer-Encoding", "chunked")
  }

  @Test("a beginning of unknown length is continued, also after a restart, by a part that tells the length")
  func unknownLength() {
    for first in [Self.unknown(after: 4), .broken(after: 4).with("Content-Length", nil)] {
      let world = World([first])
      #expect(world.load() == "connection-lost" && world.prefix() == 4)
      let later = World([.rest(4)], after: world)
      #expect(later.load() == "200 0123456789" && later.seen.value == [Self.asks] && later.prefix() == nil)
      #expect(later.bytes.events.counters.resumedBytes == 4)
    }
    let atOnce = World([Self.unknown(after: 4), .rest(4)], retries: 1)
    #expect(atOnce.load() == "200 0123456789" && atOnce.bytes.events.counters.receivedBytes == 10)
  }

  @Test("the length that a part told holds for the next")
  func lengthOfAPart() {
    let first = World([Self.unknown(after: 4), .rest(4, breaks: 3)])
    #expect(first.load() == "connection-lost" && first.load() == "connection-lost" && first.prefix() == 7)
    let right = World([.rest(7)], after: first)
    #expect(right.load() == "200 0123456789" && right.seen.value == ["bytes=7- \"a\" identity"])
    let second = World([Self.unknown(after: 4), .rest(4, breaks: 3)])
    #expect(second.load() == "connection-lost" && second.load() == "connection-lost")
    let longer = World([.rest(7, "bytes 7-10/11"), Course(body: "abcdefghij")], after: second)
    #expect(longer.load() == "200 abcdefghij" && longer.seen.value.last == "")
  }

  @Test(
    "a part that does not reach to an end which it tells starts over",
    arguments: [
      Course.rest(4, "bytes 4-9/*"), .rest(4, "bytes 4-8/10"), .rest(5, "bytes 5-9/10"),
      .rest(4, "bytes 4-10/11"), .rest(4, tag: nil), .rest(4, tag: "\"b\""), .rest(3, "bytes 3-9/10"),
      Course(status: 416).with("Content-Range", "bytes */4"),
    ])
  func noEnd(answer: Course) {
    let world = World([Self.unknown(after: 4), answer, Course(body: "abcdefghij")])
    #expect(world.load() == "connection-lost" && world.load() == "200 abcdefghij" && world.prefix() == nil)
    #expect(world.seen.value == ["", Self.asks, ""])
  }

  @Test("what ends where the origin has nothing more is asked for once more, and not again and again")
  func nothingBehindTheEnd() {
    let nothing = Course(status: 416).with("Content-Range", "bytes */10")
    let world = World([Self.unknown(after: 10), nothing, Self.unknown(after: 10)], retries: 2)
    #expect(world.load() == "connection-lost" && world.prefix() == nil)
    #expect(world.seen.value == ["", "bytes=10- \"a\" identity", ""])
  }

  @Test("what is longer than the limit with its beginning is not joined")
  func limitOfUnknownLength() {
    let world = World([Self.unknown(after: 4)])
    _ = world.load()
    var limits = TransferLimits()
    limits.bodyBytes = 9
    let later = World([.rest(4), .whole], after: world, limits: limits)
    // The origin of this test does not look at limits.
    #expect(later.load() == "200 0123456789")
    #expect(later.seen.value == [Self.asks, ""] && later.bytes.events.counters.resumed == 0)
    limits.bodyBytes = 3
    let least = World([.whole], after: world, limits: limits)
    _ = least.load()
    #expect(least.seen.value == [""])
  }
}
