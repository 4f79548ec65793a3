@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Going on where a transfer ended, in virtual time")
struct ResumeTests {
  static let asks = "bytes=4- \"a\" identity"

  @Test("a transfer that broke is continued by the next load, also after a restart")
  func broken() {
    let world = World([.broken(after: 4), .rest(4)])
    #expect(world.load() == "connection-lost" && world.prefix() == 4)
    let later = World([.rest(4)], after: world)
    #expect(later.load() == "200 0123456789")
    #expect(later.seen.value == [Self.asks] && later.prefix() == nil)
    let counters = later.bytes.events.counters
    #expect(counters.resumed == 1 && counters.resumedBytes == 4 && counters.receivedBytes == 6)
  }

  @Test("a transfer that its last waiter left is continued as well")
  func left() async {
    let world = World([.whole, .rest(4)])
    #expect(world.load(for: .milliseconds(45)) == "cancelled" && world.prefix() == 4)
    #expect(world.load() == "200 0123456789" && world.seen.value == ["", Self.asks] && world.prefix() == nil)
    #expect(await world.bytes.activity == (0, 0, 0))
  }

  @Test("what is joined is kept with the fields of both, and is fresh from then on")
  func fields() throws {
    let first = Course.broken(after: 4).with("X", "old").with("Content-Type", "image/png").with("Age", "9")
    let world = World([first, .rest(4).with("X", "new").with("Cache-Control", "max-age=5")])
    _ = world.load()
    #expect(
      world.load() == "200 0123456789" && world.load() == "200 0123456789" && world.seen.value.count == 2)
    let key = try Request<Int>("http://origin/a", options: 0).key.response
    let stored = world.time.run { await world.bytes.disk?.response(for: key) }
    #expect(
      stored??.headers.sortedByName() == [
        "accept-ranges": "bytes", "cache-control": "max-age=5", "content-type": "image/png", "etag": "\"a\"",
        "x": "new",
      ])
  }

  @Test("a rest that breaks is continued in turn")
  func twice() {
    let world = World([.broken(after: 4), .rest(4, breaks: 3), .rest(7)])
    #expect(world.load() == "connection-lost" && world.load() == "connection-lost" && world.prefix() == 7)
    #expect(world.load() == "200 0123456789")
    #expect(world.seen.value == ["", Self.asks, "bytes=7- \"a\" identity"])
  }

  @Test("a rest whose head comes and whose bytes never do is not asked for again, now or later")
  func nothingBehindTheHead() {
    let world = World([.broken(after: 4), .rest(4, breaks: 0), .whole])
    #expect(world.load() == "connection-lost" && world.load() == "connection-lost" && world.prefix() == nil)
    #expect(world.load() == "200 0123456789" && world.seen.value == ["", Self.asks, ""])
    let patient = World([.broken(after: 4), .rest(4, breaks: 0), .whole], retries: 2)
    #expect(patient.load() == "200 0123456789" && patient.seen.value == ["", Self.asks, ""])
  }

  @Test("who leaves before the first byte of the rest says nothing about it")
  func leftBehindTheHead() {
    var slow = Course.rest(4)
    slow.pausesBehindHead = true
    let world = World([.broken(after: 4), slow])
    #expect(world.load() == "connection-lost" && world.load(for: .milliseconds(15)) == "cancelled")
    #expect(world.prefix() == 4)
    #expect(world.load() == "200 0123456789")
    #expect(world.seen.value == ["", Self.asks, Self.asks])
  }

  @Test("an origin that begins another answer and never ends it is asked for the rest once")
  func stalled() {
    for status in [416, 500, 206] {
      var stalls = Course(status: status).with("ETag", "\"b\"")
      stalls.stalls = true
      let world = World([.broken(after: 4), stalls, .whole])
      #expect(world.load() == "connection-lost" && world.prefix() == 4)
      #expect(world.load() == "timeout" && world.prefix() == nil)
      #expect(world.load() == "200 0123456789" && world.seen.value == ["", Self.asks, ""])
    }
  }

  @Test("a rest that must not be kept takes away what is there when it breaks")
  func restOfNoStore() {
    let world = World([
      .broken(after: 4), Course.rest(4, breaks: 3).with("Cache-Control", "no-store"), .whole,
    ])
    #expect(world.load() == "connection-lost" && world.prefix() == 4)
    #expect(world.load() == "connection-lost")
    // The account of the directory names no URL.
    #expect(world.files.files.keys.filter { !$0.hasPrefix("/cache/cellophane-") } == [])
    #expect(world.load() == "200 0123456789" && world.seen.value == ["", Self.asks, ""])
  }

  @Test("what must not be kept is not kept when its rest may be", arguments: [nil, 3])
  func restBehindNoStore(breaks: Int?) {
    let rest = Course.rest(4, breaks: breaks).with("Cache-Control", "max-age=100")
    let world = World(
      [Course.broken(after: 4).with("Cache-Control", "no-store"), rest, .rest(7)], retries: 2)
    #expect(world.load() == "200 0123456789")
    #expect(world.files.files.keys.filter { !$0.hasPrefix("/cache/cellophane-") } == [])
    #expect(world.seen.value.count == (breaks == nil ? 2 : 3))
  }

  @Test("an attempt that does not get so far leaves what is there")
  func noProgress() {
    for status in [500, 503] {
      let world = World(
        [.broken(after: 4)] + Array(repeating: Course(status: status), count: status == 500 ? 2 : 1)
          + [.rest(4)])
      #expect(world.load() == "connection-lost" && world.load() == "status" && world.prefix() == 4)
      world.time.run(until: world.time.now.advanced(by: .seconds(2)))
      #expect(world.load() == "200 0123456789")
    }
  }

  @Test(
    "an origin that cannot continue is asked for the whole, once, whatever it says instead",
    arguments: [
      Course(status: 400), Course(status: 403), Course(status: 500), Course(status: 501),
      Course(error: .connectionLost), Course(error: .malformedResponse), Course(error: .redirects),
      Course(error: .connect, redirect: Origin(scheme: "http", host: "dead", port: 80)),
      Course.rest(4, "bytes 4-10/11", breaks: 2), Course.rest(4, breaks: 2).with("Content-Encoding", "gzip"),
    ])
  func refused(answer: Course) {
    let world = World([.broken(after: 4), answer, Course(headers: ["ETag": "\"c\""], body: "abcdefghij")])
    #expect(world.load() == "connection-lost")
    #expect(world.load() == "200 abcdefghij" && world.prefix() == nil)
    #expect(world.seen.value == ["", Self.asks, ""])
  }

  @Test("what cannot be had in either way leaves what is there, and is asked for as often as the policy says")
  func refusedAltogether() {
    let world = World([.broken(after: 4), Course(status: 500)], retries: 2)
    _ = world.load(for: .milliseconds(60))
    let before = world.seen.value.count
    #expect(world.load() == "status" && world.prefix() == 4)
    #expect(world.seen.value[before...] == [Self.asks, "", "", ""])
  }

  @Test("within one load, another attempt goes on; each byte is received once")
  func withinOneLoad() {
    let world = World([.broken(after: 4), .rest(4)], retries: 2)
    #expect(world.load() == "200 0123456789" && world.seen.value == ["", Self.asks])
    let counters = world.bytes.events.counters
    #expect(counters.receivedBytes == 10 && counters.retries == 1 && counters.resumedBytes == 4)
    #expect(world.prefix() == nil)
  }

  @Test("a transfer that broke and cannot be continued is not asked for again")
  func notResumable() {
    let world = World([Course.broken(after: 4).with("Accept-Ranges", nil), .whole], retries: 2)
    #expect(world.load() == "connection-lost" && world.seen.value.count == 1 && world.prefix() == nil)
  }

  @Test(
    "nothing is kept of what could not be continued, or must not be kept",
    arguments: [
      Course.broken(after: 4).with("ETag", nil), Course.broken(after: 4).with("ETag", "W/\"a\""),
      Course.broken(after: 4).with("ETag", "a"), Course.broken(after: 4).with("Accept-Ranges", nil),
      Course.broken(after: 4).with("Accept-Ranges", "none"),
      Course.broken(after: 4).with("Content-Length", "x"),
      Course.broken(after: 4).with("Content-Encoding", "gzip"),
      Course.broken(after: 4).with("Cache-Control", "no-store"), Course.broken(after: 0),
      Course(status: 203, breaks: 4), Course(status: 404, breaks: 4), Course(status: 206, breaks: 4),
      Course(breaks: 4, redirects: [.init(status: 302, headers: [:])]),
    ])
  func notKept(course: Course) {
    let world = World([course, .whole])
    _ = world.load()
    #expect(world.prefix() == nil && world.files.files.isEmpty)
    #expect(world.load() == "200 0123456789" && world.seen.value == ["", ""])
  }

  @Test(
    "two versions are never joined: whatever is not the rest starts over, with one more request at most",
    arguments: [
      (Course(headers: ["ETag": "\"b\""], body: "abcdefghij"), 1), (Course(body: "abcdefghij"), 1),
      (.rest(4, tag: "\"b\""), 2), (.rest(4, tag: nil), 2), (.rest(4, tag: "W/\"a\""), 2),
      (.rest(4, "bytes 4-9/11"), 2), (.rest(4, "bytes 3-9/10"), 2), (.rest(4, "bytes 5-9/10"), 2),
      (.rest(4, "bytes 4-8/10"), 2), (.rest(4, "bytes 4-9/*"), 2), (.rest(4, "bytes 4-9"), 2),
      (.rest(5, "bytes 4-9/10"), 2), (.rest(3, "bytes 4-9/10"), 2),
      (Course.rest(4).with("Content-Range", nil), 2),
      (Course.rest(4).with("Content-Encoding", "gzip"), 2),
      (Course.rest(4).with("Content-Range", nil).with("Content-Type", "multipart/byteranges; boundary=x"), 2),
      (Course(status: 206, body: "456789", redirects: [.init(status: 302, headers: [:])]), 2),
      (Course(status: 412), 2), (Course(status: 416).with("Content-Range", "bytes */3"), 2),
      (Course(status: 304), 2),
    ])
  func startsOver(answer: Course, requests: Int) {
    let fresh = Course(headers: ["ETag": "\"c\""], body: "abcdefghij")
    let world = World([.broken(after: 4), answer, fresh])
    #expect(world.load() == "connection-lost")
    #expect(world.load() == "200 abcdefghij" && world.prefix() == nil)
    #expect(world.seen.value == ["", Self.asks] + Array(repeating: "", count: requests - 1))
    #expect(world.bytes.events.counters.resumed == 0)
  }

  @Test("when the other version breaks, it is what is kept, or nothing is")
  func otherVersionBreaks() {
    let other = Course(
      headers: ["ETag": "\"b\"", "Accept-Ranges": "bytes", "Content-Length": "12"], body: "abcdefghijkl",
      breaks: 6)
    let world = World([.broken(after: 4), other, other.with("Accept-Ranges", nil)])
    _ = world.load()
    #expect(world.load() == "connection-lost" && world.prefix() == 6)
    #expect(world.load() == "connection-lost" && world.prefix() == nil)
    #expect(world.seen.value == ["", Self.asks, "bytes=6- \"b\" identity"])
  }
}
