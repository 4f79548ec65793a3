@testable internal import Cellophane
internal import CellophaneTesting
internal import Testing

@Suite("Going on where a transfer ended, in virtual time")
struct ResumeTests {
  /// What an origin does with the n-th request; the body is `0123456789`, in pieces of one byte, 10 ms apart.
  struct Course: Sendable {
    var status = 200
    var headers: HeaderFields = ["ETag": "\"a\"", "Accept-Ranges": "bytes", "Content-Length": "10"]
    var body = "0123456789"
    /// After how many bytes it breaks.
    var breaks: Int?
    /// Whether the first byte comes 10 ms after the head, and not with it.
    var pausesBehindHead = false
    /// Whether nothing follows the head until the time of a load is over.
    var stalls = false
    var redirects: [TransportResponse.Redirect] = []
    /// What comes in place of an answer, and the origin that a redirect leads to.
    var error: LoadError.Kind?
    var redirect: Origin?

    static let whole = Course()
    static func broken(after count: Int) -> Course { Course(breaks: count) }
    /// The rest behind `count` bytes, as it was asked for.
    static func rest(_ count: Int, _ range: String? = nil, tag: String? = "\"a\"", breaks: Int? = nil)
      -> Course
    {
      var headers: HeaderFields = ["Content-Range": range ?? "bytes \(count)-9/10"]
      if let tag { headers.append("ETag", tag) }
      return Course(
        status: 206, headers: headers, body: String("0123456789".dropFirst(count)), breaks: breaks)
    }
    func result(_ url: String) -> Result<TransportResponse, LoadError> {
      if let error { return .failure(LoadError(error, "x", isRetryable: true)) }
      return .success(
        TransportResponse(
          status: status, headers: headers, body: Array(body.utf8), url: url, redirects: redirects))
    }
    func with(_ name: String, _ value: String?) -> Course {
      var copy = self
      copy.headers[name] = value
      return copy
    }
  }

  /// A byte loader over a disk in memory; a new one with the same files is what is there after a restart.
  struct World: Sendable {
    let time: VirtualTime
    let files: MemoryFileSystem
    let seen = Shared<[String]>([])
    let bytes: ByteLoader
    let previews = Shared<[String]>([])

    init(
      _ courses: [Course], after other: World? = nil, retries: Int = 0,
      limits: TransferLimits = TransferLimits()
    ) {
      time = other?.time ?? VirtualTime()
      files = other?.files ?? MemoryFileSystem()
      let timeline = time.timeline()
      let transport = ScriptedTransport(timeline: timeline) { [seen] request in
        seen.update { seen in
          let names = ["range", "if-range", "accept-encoding", "if-none-match"]
          seen.append(names.compactMap { request.headers[$0] }.joined(separator: " "))
        }
        let course = courses[min(seen.value.count, courses.count) - 1]
        let pieces = Array(
          repeating: ScriptedTransport.Answer.Piece(1, pause: .milliseconds(10)), count: course.breaks ?? 10)
        if course.stalls {
          return .init(
            after: .milliseconds(10), pieces: [.init(0, pause: limits.total)], course.result(request.url),
            breaking: LoadError(.timeout, "took too long"))
        }
        return .init(
          after: .milliseconds(10),
          pieces: (course.pausesBehindHead ? [.init(0, pause: .milliseconds(10))] : []) + pieces,
          course.result(request.url), redirect: course.redirect,
          breaking: course.breaks == nil ? nil : LoadError(.connectionLost, "broke", isRetryable: true))
      }
      var configuration = ByteLoader.Configuration()
      configuration.retry.retries = retries
      configuration.retry.seed = 1
      configuration.limits = limits
      bytes = ByteLoader(
        transport: transport,
        disk: DiskCache(directory: "/cache", fileSystem: files, executor: time.lane(), timeline: timeline),
        configuration: configuration, timeline: timeline)
    }

    func load(_ headers: HeaderFields = [:], _ policy: CachePolicy = .standard, for patience: Duration? = nil)
      -> String?
    {
      time.run {
        let result = Shared<String>("")
        let task = bytes.timeline.spawn {
          do throws(LoadError) {
            let request = try Request<Int>(
              "http://origin/a", headers: headers, options: 0, cachePolicy: policy)
            let loaded = try await bytes.load(request)
            result.value = "\(loaded.status) \(String(decoding: loaded.bytes, as: UTF8.self))"
          } catch {
            result.value = error.kind.rawValue
          }
        }
        if let patience {
          try? await bytes.timeline.sleep(for: patience)
          task.cancel()
        }
        await task.value
        return result.value
      }
    }

    func prefix() -> Int? {
      time.run {
        guard let request = try? Request<Int>("http://origin/a", options: 0) else { return nil }
        return await bytes.disk?.prefix(for: request.key.response)?.bytes.count
      } ?? nil
    }
  }

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

  @Test("404 and 410 take it away", arguments: [404, 410])
  func gone(status: Int) {
    let world = World([.broken(after: 4), Course(status: status)])
    #expect(world.load() == "connection-lost" && world.load() == "status" && world.prefix() == nil)
  }

  @Test("it is asked for together with what is stored and stale; the answer decides")
  func beside() {
    let stale = Course.whole.with("Cache-Control", "max-age=0").with("ETag", "\"old\"")
    for (answer, expected) in [
      (Course.rest(4), "200 0123456789"), (Course(status: 304, headers: [:]), "200 0123456789"),
    ] {
      let world = World([stale, .broken(after: 4), answer])
      #expect(world.load() == "200 0123456789" && world.load() == "connection-lost" && world.prefix() == 4)
      #expect(world.load() == expected && world.prefix() == nil)
      #expect(world.seen.value.last == Self.asks + " \"old\"")
    }
  }

  @Test("a reload, and a caller who asks for a part itself, begin at the beginning")
  func callers() {
    let world = World([.broken(after: 4), .whole])
    _ = world.load()
    #expect(world.load([:], .reload) == "200 0123456789" && world.seen.value == ["", ""])
    let part = World([Course.broken(after: 4)])
    _ = part.load(["Range": "bytes=0-"])
    #expect(part.files.files.isEmpty)
  }

  @Test("it expires after a day")
  func expiry() {
    let world = World([.broken(after: 4), .whole])
    _ = world.load()
    world.time.run(until: world.time.now.advanced(by: .seconds(86_500)))
    #expect(world.load() == "200 0123456789" && world.seen.value == ["", ""])
  }

  @Test("what would be longer than the limit with its beginning is not asked for")
  func limit() {
    let world = World([.broken(after: 4)])
    _ = world.load()
    var limits = TransferLimits()
    limits.bodyBytes = 9
    let later = World([.whole], after: world, limits: limits)
    _ = later.load()
    #expect(later.seen.value == [""])
  }

  @Test("a previewing reader goes on with a rest and starts over with another version, never mixing them")
  func previews() {
    func read(_ courses: [Course]) -> [String] {
      let world = World(courses, retries: 2)
      let read = Shared<[String]>([])
      world.bytes.timeline.spawn {
        guard let request = try? Request<Int>("http://origin/a", options: 0) else { return }
        _ = try? await world.bytes.load(Errand(request), priority: .normal) { body in
          world.bytes.timeline.spawn {
            var (text, position) = ("", FlightBody.Position())
            while true {
              switch await body.next(after: &position) {
              case .piece(let piece): text += String(decoding: piece, as: UTF8.self)
              case .startedOver:
                read.update { $0.append(text) }
                text = ""
              case .whole, .useless:
                read.update { $0.append(text) }
                return
              }
            }
          }
        }
      }
      world.time.run()
      return read.value
    }
    #expect(read([.broken(after: 4), .rest(4)]) == ["0123456789"])
    #expect(read([.broken(after: 4), .rest(4, breaks: 2), .rest(6)]) == ["0123456789"])
    #expect(read([.broken(after: 4), Course(status: 503), .rest(4)]) == ["0123456789"])
    #expect(read([.broken(after: 4), Course(body: "abcdefghij")]) == ["0123", "abcdefghij"])
    #expect(
      read([.broken(after: 4), .rest(4, tag: "\"b\""), Course(body: "abcdefghij")]) == ["0123", "abcdefghij"])
  }

  @Test(
    "over a real line a broken transfer is continued, whether its length was told or not",
    .timeLimit(.minutes(1)),
    arguments: [OriginResponse.Framing.length, .chunked])
  func line(framing: OriginResponse.Framing) async throws {
    let whole = [UInt8]((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let asked = Shared<[String?]>([])
    let origin = try TestOrigin { request in
      asked.update { $0.append(request.headers["range"]) }
      var headers: HeaderFields = ["etag": "\"a\"", "accept-ranges": "bytes"]
      guard let range = request.headers["range"], request.headers["if-range"] == "\"a\"",
        let first = Int(range.dropFirst(6).dropLast())
      else {
        var answer = OriginResponse(headers: headers, body: whole)
        (answer.framing, answer.course) = (framing, .closed(after: 60_000))
        return answer
      }
      headers.append("content-range", "bytes \(first)-99999/100000")
      var answer = OriginResponse(status: 206, headers: headers, body: Array(whole[first...]))
      answer.framing = framing
      return answer
    }
    defer { origin.stop() }
    let bytes = ByteLoader(
      transport: CurlTransport(), disk: DiskCache(directory: "/cache", fileSystem: MemoryFileSystem()))
    let loaded = try await bytes.load(Request<Int>(origin.url("/a"), options: 0))
    #expect(loaded.bytes == whole && loaded.status == 200)
    #expect(asked.value.count == 2 && bytes.events.counters.resumed == 1)
    #expect(bytes.events.counters.receivedBytes == 100_000)
  }

  @Test("an origin that is silent when it is asked for the rest has time left to be asked for the whole")
  func silent() async throws {
    let head = "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nAccept-Ranges: bytes\r\nContent-Length: 10\r\n\r\n"
    let origin = try RawOrigin { connection in
      switch connection {
      case 0: [.read, .send(head + "0123"), .cut]
      case 1: [.read, .hold]
      default: [.read, .send(head + "0123456789")]
      }
    }
    defer { origin.stop() }
    var configuration = ByteLoader.Configuration()
    configuration.retry.retries = 0
    let disk = DiskCache(directory: "/cache", fileSystem: MemoryFileSystem())
    let transport = CurlTransport()
    let request = try Request(origin.url("/a"), options: 0)
    let first = ByteLoader(transport: transport, disk: disk, configuration: configuration)
    let broken = await #expect(throws: LoadError.self) { try await first.load(request) }
    #expect(broken?.kind == .connectionLost)
    configuration.limits.total = .seconds(3)
    let second = ByteLoader(transport: transport, disk: disk, configuration: configuration)
    let loaded = try await second.load(request)
    #expect(loaded.bytes == Array("0123456789".utf8) && second.events.counters.transfers == 2)
    await transport.close()
  }
}
