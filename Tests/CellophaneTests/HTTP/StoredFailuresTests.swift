@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Failures on disk")
struct StoredFailuresTests {
  /// The first response of the origin, the request of the next process after some seconds, and its result.
  struct Row: Sendable, CustomTestStringConvertible {
    var first: String
    var after = 0
    var policy = CachePolicy.standard
    var headers: HeaderFields = [:]
    /// The status of the stored failure, or the number of the origin's second response with its source.
    var gets: String
    var testDescription: String { "\(first), after \(after) s, \(policy), \(headers) → \(gets)" }

    init(
      _ first: String, after: Int = 0, _ policy: CachePolicy = .standard, _ headers: HeaderFields = [:],
      gets: String
    ) {
      (self.first, self.after, self.policy) = (first, after, policy)
      (self.headers, self.gets) = (headers, gets)
    }
  }

  private static let fresh = " | Cache-Control: max-age=60"
  private static let monday = "Last-Modified: Mon, 11 Jan 2027 08:00:00 GMT"

  private static let statuses = [400, 401, 403, 404, 405, 410, 414, 451, 499, 500, 501, 502, 503, 504, 599]
  private static let rows =
    statuses.flatMap {
      [
        Row("\($0)\(fresh)", after: 59, gets: "\($0)"), Row("\($0)\(fresh)", after: 60, gets: "2 network"),
        Row("\($0)", gets: "2 network"), Row("\($0) | Cache-Control: max-age=0", gets: "2 network"),
      ]
    } + [
      Row("404 | Expires: Fri, 15 Jan 2027 08:01:00 GMT", after: 59, gets: "404"),
      Row("404 | Expires: Fri, 15 Jan 2027 08:01:00 GMT", after: 60, gets: "2 network"),
      Row("404 | Expires: Fri, 15 Jan 2027 08:01:00 UTC", gets: "2 network"),
      Row("404\(fresh) | Age: 20", after: 39, gets: "404"),
      Row("404\(fresh) | Age: 20", after: 40, gets: "2 network"),
      Row("404 | Cache-Control: max-age=9999999", after: 86_399, gets: "404"),
      Row("404 | Cache-Control: max-age=9999999", after: 86_400, gets: "2 network"),
      Row("404\(fresh), no-store", gets: "2 network"), Row("404\(fresh), no-cache", gets: "2 network"),
      Row("404\(fresh) | Vary: *", gets: "2 network"), Row("404\(fresh) | via: 302", gets: "2 network"),
      Row("404 | \(monday)", gets: "2 network"), Row("403 | \(monday)", gets: "2 network"),
      Row("503 | \(monday)", gets: "2 network"), Row("410 | \(monday)", gets: "410"),
      Row("410 | \(monday)", after: 34_560, gets: "2 network"),
      // Only the pause, which other URLs of the origin may end.
      Row("429 | Retry-After: 60", gets: "2 network"), Row("503 | Retry-After: 60", gets: "2 network"),
      Row("404\(fresh)", .reload, gets: "2 network"), Row("404\(fresh)", .offline, gets: "not-cached"),
      Row("404\(fresh)", .standard, ["cache-control": "no-cache"], gets: "2 network"),
      Row("404\(fresh)", .standard, ["cache-control": "no-store"], gets: "2 network"),
      Row("404\(fresh)", .standard, ["cache-control": "max-age=0"], gets: "2 network"),
      Row("404\(fresh)", after: 10, .standard, ["cache-control": "min-fresh=50"], gets: "2 network"),
      Row("404\(fresh)", after: 10, .standard, ["cache-control": "min-fresh=49"], gets: "404"),
      Row("404\(fresh)", after: 60, .standard, ["cache-control": "max-stale"], gets: "2 network"),
      Row("404\(fresh)", .standard, ["x": "1"], gets: "2 network"),
      Row("404\(fresh)", .standard, ["authorization": "1"], gets: "2 network"),
      Row("404\(fresh) | ETag: \"a\"", after: 60, gets: "2 network"),
      Row("204\(fresh)", after: 59, gets: " disk"), Row("204\(fresh)", after: 60, gets: "2 network"),
      Row("204 | \(monday)", gets: " disk"), Row("204", gets: "2 network"),
    ]

  @Test("the next process asks again only when a failure is over", arguments: rows)
  func next(row: Row) throws {
    let world = HTTPWorld(answers: [row.first.replacing("204", with: "204 | empty"), "200"])
    world.time.run {
      _ = await world.load()
      await world.bytes.settle()
    }
    let next = world.base.restarted()
    let got = world.time.run {
      try? await next.timeline.sleep(for: .seconds(row.after))
      return await next.load("http://origin/a", row.headers, row.policy)
    }
    #expect(got == row.gets)
    #expect(world.seen.count == (got == "2 network" ? 2 : 1))
  }

  @Test("a stored failure has no body, and its error names the time that is left")
  func error() throws {
    let world = HTTPWorld(answers: ["404\(Self.fresh) | Set-Cookie: secret"])
    world.time.run { _ = await world.load() }
    let (next, stored) = (world.base.restarted(), world.time.run { await world.stored() } ?? nil)
    #expect(stored?.status == 404 && stored?.body.isEmpty == true && stored?.headers["set-cookie"] == nil)
    let error = world.time.run { () -> LoadError? in
      try? await next.timeline.sleep(for: .seconds(20))
      do throws(LoadError) {
        _ = try await next.bytes.load(try HTTPWorld.request())
        return nil
      } catch { return error }
    }
    #expect(error??.kind == .status && error??.status == 404 && error??.isRetryable == false)
    #expect(error??.retryAfter == .seconds(40) && next.bytes.events.counters.knownFailures == 1)
    let message =
      "http://origin/a answered 404 20 s ago, which lasts for 40 s more; a reload asks again before"
    #expect(error??.message == message)
  }

  @Test(
    "a failure replaces a stored response only if the resource is gone",
    arguments: [
      ("404\(fresh)", "404"), ("410\(fresh)", "410"), ("404", "none"), ("410", "none"), ("403\(fresh)", "1"),
      ("500\(fresh)", "1"), ("503\(fresh)", "1"), ("500", "1"), ("connect", "1"),
    ])
  func replacing(second: String, onDisk: String) {
    let world = HTTPWorld(answers: ["200 | ETag: \"a\"", second])
    let stored = world.time.run {
      _ = [await world.load(), await world.load()]
      return await world.stored()
    }
    let text = (stored ?? nil).map {
      $0.body.isEmpty ? "\($0.status)" : String(decoding: $0.body, as: UTF8.self)
    }
    #expect(text ?? "none" == onDisk)
  }

  @Test(
    "a newer response replaces a stored failure",
    arguments: [("200", "2"), ("500", "none"), ("403\(fresh)", "403"), ("connect", "404"), ("304", "404")])
  func replaced(second: String, onDisk: String) {
    let world = HTTPWorld(answers: ["404\(Self.fresh)", second])
    let stored = world.time.run {
      _ = [await world.load(), await world.load([:], .reload)]
      return await world.stored()
    }
    let text = (stored ?? nil).map {
      $0.body.isEmpty ? "\($0.status)" : String(decoding: $0.body, as: UTF8.self)
    }
    #expect(text ?? "none" == onDisk)
  }

  @Test("a failure with an account or a signature is not stored")
  func personal() throws {
    let world = LoaderWorld { $0.queryRules = [QueryRule(ignoring: ["sig"])] }
    world.origin.script("*", .status(404, ["cache-control": "max-age=60"]))
    for request in [
      try Request("http://origin/a?sig=1", options: 0),
      try Request("http://origin/b", headers: ["authorization": "1"], account: "ada", options: 0),
    ] {
      world.time.run { _ = try? await world.bytes.load(request) }
    }
    #expect(!world.files.files.keys.contains { !$0.contains("/cellophane-") })
  }

  @Test("a stored failure of a redirect's target is found through the redirect")
  func redirected() throws {
    let world = LoaderWorld()
    let fresh: HeaderFields = ["cache-control": "max-age=60"]
    world.origin.script(
      "http://origin/a", .status(302, ["cache-control": "max-age=60", "location": "http://origin/b"]))
    world.origin.script("http://origin/b", .status(410, fresh))
    let first = world.time.run { await world.load("http://origin/a", [:], .standard) }
    let second = world.time.run { await world.restarted().load("http://origin/a", [:], .standard) }
    #expect(first == "410" && second == "410" && world.origin.requests.count == 2)
  }
}
