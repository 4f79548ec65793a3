@testable internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Validation with a 304")
struct ValidationTests {
  /// Loads at each of `times`, in seconds. Returns the results and the response that is stored at the end.
  private func load(
    _ world: HTTPWorld, at times: [Int]
  ) -> (got: [String], stored: StoredResponse?)? {
    world.time.run {
      var got: [String] = []
      for time in times {
        try? await world.bytes.timeline.sleep(for: .seconds(time) - world.bytes.timeline.now)
        got.append(await world.load())
      }
      return (got, await world.stored())
    }
  }

  @Test("the fields of a 304 replace the stored ones, except framing fields, and the response is fresh again")
  func fields() {
    let world = HTTPWorld(answers: [
      "Cache-Control: max-age=1 | ETag: \"a\" | X: old | X: older | Y: stays | Content-Type: image/png"
        + " | Content-Encoding: gzip | Content-Length: 99 | Connection: close | Transfer-Encoding: chunked",
      "304 | Cache-Control: max-age=100 | ETag: W/\"a\" | X: new | Content-Length: 7 | Content-Encoding: br"
        + " | Content-Range: bytes 0-1/2 | Keep-Alive: 5",
    ])
    let result = load(world, at: [0, 1, 100, 101])
    #expect(result?.got == ["1 network", "1 disk", "1 disk", "1 disk"])
    #expect(world.seen == ["", "if-none-match: \"a\"", "if-none-match: \"a\""])
    #expect(
      result?.stored?.headers.sortedByName() == [
        "cache-control": "max-age=100", "content-type": "image/png", "etag": "\"a\"", "x": "new",
        "y": "stays",
      ])
    #expect(result?.stored?.storedAt == 1_800_000_101)
  }

  @Test("cookies and authentication fields are stored neither from a 200 nor from a 304")
  func cookies() {
    let secret =
      "Set-Cookie: id=1 | Set-Cookie2: id=2 | Authentication-Info: nextnonce=3 | WWW-Authenticate: 4"
    let world = HTTPWorld(answers: ["ETag: \"a\" | \(secret)", "304 | ETag: \"a\" | \(secret)"])
    #expect(load(world, at: [0])?.stored?.headers == ["etag": "\"a\""])
    #expect(load(world, at: [1])?.stored?.headers == ["etag": "\"a\""])
  }

  @Test(
    "the age of the first response does not apply after a 304",
    arguments: ["Age: 50", "Date: Fri, 15 Jan 2027 07:59:10 GMT"])
  func age(field: String) {
    let world = HTTPWorld(answers: ["Cache-Control: max-age=60 | ETag: \"a\" | \(field)", "304"])
    #expect(load(world, at: [0, 9, 10, 69])?.got == ["1 network", "1 disk", "1 disk", "1 disk"])
    #expect(world.seen.count == 2)
  }

  @Test("a 304 without a lifetime leaves the response stale")
  func expired() {
    let world = HTTPWorld(answers: ["Expires: Fri, 15 Jan 2027 08:00:10 GMT | ETag: \"a\"", "304"])
    #expect(load(world, at: [0, 9, 10, 11])?.got == ["1 network", "1 disk", "1 disk", "1 disk"])
    #expect(world.seen.count == 3)
  }

  @Test("a 304 counts as a revalidation and as a transfer without received bytes")
  func counters() {
    let world = HTTPWorld(answers: ["ETag: \"a\"", "304 | ETag: \"b\"", "200 | ETag: \"b\"", "304"])
    #expect(load(world, at: [0, 1, 2])?.got == ["1 network", "3 network", "3 disk"])
    let counters = world.bytes.events.counters
    #expect(counters.revalidated == 1 && counters.diskHits == 0)
    #expect(counters.transfers == 4 && counters.completed == 3 && counters.failed == 1)
    #expect(counters.receivedBytes == 2 && counters.wastedBytes == 0)
  }

  @Test("bytes after the head of a 304 are not a body and give no preview")
  func preview() {
    let world = HTTPWorld(answers: ["ETag: \"a\"", "304"])
    let next = world.time.run { () -> [SharedBody.Next] in
      _ = await world.load()
      let bodies = Shared<[SharedBody]>([])
      guard let request = try? HTTPWorld.request() else { return [] }
      _ = try? await world.bytes.load(ByteRequest(request), priority: .normal) { body in
        bodies.update { $0.append(body) }
      }
      var next: [SharedBody.Next] = []
      for body in bodies.value {
        var start = SharedBody.Position()
        next.append(await body.next(after: &start))
      }
      return next
    }
    #expect(next == [.useless])
  }

  @Test("no-store writes no file, not even the ledger")
  func noStore() {
    let world = HTTPWorld(answers: ["Cache-Control: no-store | ETag: \"a\""])
    #expect(load(world, at: [0, 1])?.got == ["1 network", "2 network"])
    #expect(world.files.files.isEmpty)
  }

  @Test("a request with no-store does not touch the disk")
  func noStoreAsked() {
    let world = HTTPWorld(answers: ["Cache-Control: max-age=60"])
    let got = world.time.run { await world.load(["Cache-Control": "No-Store"]) }
    #expect(got == "1 network" && world.files.operations == 0)
  }

  @Test("only max-stale accepts a response of unknown age, from before the clock was set back")
  func unknownAge() {
    let world = HTTPWorld(answers: ["Cache-Control: max-age=60"])
    let got = world.time.run {
      _ = await world.load()
      world.time.setBack = 100
      return [
        await world.load([:], .offline), await world.load(["Cache-Control": "max-stale"], .offline),
        await world.load(["Cache-Control": "max-stale"]),
        await world.load(["Cache-Control": "max-stale=1000"]),
      ]
    }
    #expect(got == ["not-cached", "1 stale", "1 stale", "2 network"])
  }

  @Test("a clock that is set back makes no response fresher", arguments: [1, 30, 1_000_000_000] as [Int64])
  func clock(setBack: Int64) {
    let world = HTTPWorld(answers: ["Cache-Control: max-age=60 | ETag: \"a\"", "304"])
    #expect(load(world, at: [0])?.got == ["1 network"])
    world.time.setBack = setBack
    #expect(load(world, at: [0])?.got == ["1 disk"])
    #expect(world.seen == ["", "if-none-match: \"a\""])
  }

  @Test("a new token of an account validates the response to the old token")
  func account() throws {
    let world = HTTPWorld(answers: ["ETag: \"a\"", "304"])
    let requests = try ["1", "2"].map { token throws in
      try Request<Int>("http://origin/a", headers: ["Authorization": token], account: "me", options: 0)
    }
    let sources = world.time.run {
      var sources: [Source?] = []
      for request in requests { sources.append(try? await world.bytes.load(request).source) }
      return sources
    }
    #expect(sources == [.network, .disk])
    #expect(world.seen == ["authorization: 1", "authorization: 2 | if-none-match: \"a\""])
  }

  @Test("callers of a decoded body get no Content-Length and no Content-Encoding")
  func headers() throws {
    let world = HTTPWorld(answers: ["Content-Encoding: gzip | Content-Length: 99 | X: y"])
    let loaded = world.time.run { try? await world.bytes.load(HTTPWorld.request()) }
    #expect(try #require(loaded ?? nil).headers == ["x": "y"])
  }

  @Test(
    "over a real connection, a compressed body is decoded once, also after a 304", .timeLimit(.minutes(1)))
  func realConnection() async throws {
    let origin = try TestOrigin { request in
      let headers: HeaderFields = ["etag": "\"a\"", "content-encoding": "gzip"]
      return request.headers["if-none-match"] == "\"a\""
        ? OriginResponse(status: 304, headers: headers)
        : OriginResponse(headers: headers, body: Gzip.stored(Array("hello".utf8)))
    }
    defer { origin.stop() }
    let bytes = ByteLoader(
      transport: CurlTransport(), disk: DiskCache(directory: "/cache", fileSystem: MemoryFileSystem()))
    let request = try Request<Int>(origin.url("/a"), options: 0)
    for source in [Source.network, .disk, .disk] {
      let loaded = try await bytes.load(request)
      #expect(loaded.source == source && loaded.bytes == Array("hello".utf8))
      #expect(loaded.headers["content-encoding"] == nil)
    }
    #expect(origin.counters.requests == 3 && bytes.events.counters.revalidated == 2)
  }

  @Test(
    "entity tags are recognized by their syntax",
    arguments: [
      ("\"a\"", true), ("W/\"a\"", true), ("\"\"", true), ("\"a,b\"", true), ("\"é\"", true),
      ("", false), ("\"", false), ("a", false), ("*", false), ("w/\"a\"", false), ("\"a", false),
      ("\"a\" ", false), ("\"a\", \"b\"", false), ("\"a b\"", true), ("W/\"a b\"", true), ("\" \"", true),
      ("\"a\tb\"", false), ("\"a\rb\"", false),
      ("\"a\nb\"", false), ("\"\u{7F}\"", false), ("W/", false),
    ])
  func tags(text: String, isTag: Bool) {
    #expect((EntityTag(text) != nil) == isTag)
  }
}
