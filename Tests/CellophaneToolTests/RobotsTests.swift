internal import Cellophane
internal import CellophaneTestOrigin
internal import Foundation
internal import Synchronization
internal import Testing

@Suite("robots.txt and tdmrep.json", .timeLimit(.minutes(2)))
struct RobotsTests {
  private let room: Room

  init() throws { room = try Room() }

  private func outcomes(_ paths: [String], of origin: TestOrigin, _ arguments: [String]) async throws
    -> [String]
  {
    try room.write(lines: paths.map { origin.url($0) }, as: "list")
    let ended = try await room.run(
      ["prefetch", "list", "--jsonl", "-", "--quiet", "--ordered", "--robots"] + arguments)
    return try objects(lines: ended.output).map { $0["outcome"] as? String ?? "" }
  }

  /// Returns an origin with a `robots.txt`, or with a status instead, and optionally a `tdmrep.json`.
  private func origin(
    robots: String? = nil, status: Int = 404, failures: Int = 0, reservations: String? = nil
  ) throws -> TestOrigin {
    let body = try testImage(8, 8).encoded(as: .png)
    let left = Mutex(failures)
    return try TestOrigin { request in
      switch request.path {
      case "/robots.txt":
        if left.withLock({ left in
          left -= 1
          return left >= 0
        }) {
          return OriginResponse(status: 503)
        }
        // An answer to the user's own fields would be another file.
        if request.headers["x-secret"] != nil || request.headers["range"] != nil { return OriginResponse() }
        return robots.map { OriginResponse(headers: ["cache-control": "max-age=900"], body: Array($0.utf8)) }
          ?? OriginResponse(status: status)
      case "/.well-known/tdmrep.json":
        return reservations.map { OriginResponse(body: Array($0.utf8)) } ?? OriginResponse(status: 404)
      case "/moved": return OriginResponse(status: 302, headers: ["location": "/private/a"])
      case "/art/free": return OriginResponse(headers: ["tdm-reservation": "0"], body: body)
      case "/reserved": return OriginResponse(headers: ["tdm-reservation": "1"], body: body)
      default: return OriginResponse(headers: ["cache-control": "max-age=900"], body: body)
      }
    }
  }

  @Test("a forbidden URL is not requested, also behind a redirect and from the cache")
  func forbidden() async throws {
    let origin = try origin(
      robots: "User-agent: *\nDisallow: /private/\n\nUser-agent: robot\nDisallow: /a")
    let paths = ["/a", "/private/a", "/private/b", "/moved", "/a"]
    let expected = ["fetched", "opted-out", "opted-out", "opted-out", "duplicate"]
    #expect(try await outcomes(paths, of: origin, []) == expected)
    #expect(origin.requestsByTarget["/private/a"] == nil && origin.requestsByTarget["/moved"] == 1)
    #expect(origin.requestsByTarget["/robots.txt"] == 1)
    #expect(origin.requestsByTarget["/.well-known/tdmrep.json"] == nil)
    // The second run has robots.txt in the cache, and addresses another robot.
    let agent = ["--user-agent", "Robot/1.0"]
    #expect(try await outcomes(["/a", "/b"], of: origin, agent) == ["opted-out", "fetched"])
    #expect(origin.requestsByTarget["/robots.txt"] == 1)
    // Without --robots, nothing is forbidden.
    try room.write(lines: [origin.url("/private/a")], as: "list")
    #expect(try await room.run("prefetch", "list", "--quiet").exit == 0)
    #expect(try await outcomes(["/private/a"], of: origin, []) == ["opted-out"])
  }

  @Test(
    "without a robots.txt everything is allowed, and without an answer nothing", arguments: [404, 403, 503])
  func missing(status: Int) async throws {
    let origin = try origin(status: status)
    let found = try await outcomes(["/a", "/b"], of: origin, ["--no-cache", "--tries", "1"])
    #expect(found == (status == 503 ? ["failed", "failed"] : ["fetched", "fetched"]))
    if status == 503 {
      #expect(origin.requestsByTarget["/a"] == nil)
      // One load with its retries, for both records.
      #expect(origin.requestsByTarget["/robots.txt"] ?? 0 <= 3)
      let ended = try await room.run("prefetch", "list", "--robots", "--no-cache", "--tries", "1")
      #expect(ended.exit == 2 && ended.errors.contains("/robots.txt, which must be read first: "), "\(ended)")
    }
  }

  @Test("tdmrep.json reserves written images, unless their response says otherwise")
  func reservations() async throws {
    let rules = [
      #"{"location": "/art/open*", "tdm-reservation": 0}"#, #"{"location": 5}"#,
      #"{"location": "/art/*", "tdm-reservation": 1}"#,
    ]
    // The specification does not say whether the first or the longest location counts, so both do.
    for (rules, open) in [(rules, "fetched"), (rules.reversed(), "opted-out")] {
      let origin = try origin(reservations: "[\(rules.joined(separator: ","))]")
      let paths = ["/art/a", "/art/open1", "/art/free", "/b", "/reserved"]
      let written = ["--no-cache", "-o", "out\(open)", "--names", "{index}"]
      #expect(
        try await outcomes(paths, of: origin, written)
          == ["opted-out", open, "fetched", "fetched", "opted-out"])
      #expect(
        try await outcomes(paths, of: origin, written + ["--ignore-opt-out"]).count { $0 == "opted-out" } == 0
      )
    }
  }

  @Test("a broken tdmrep.json reserves nothing")
  func broken() async throws {
    let origin = try origin(reservations: "[{\"location\": 5}]")
    #expect(try await outcomes(["/a"], of: origin, ["-o", "out"]) == ["fetched"])
  }

  @Test("one failure of robots.txt is retried, and requests have no fields of the user")
  func retried() async throws {
    let origin = try origin(robots: "User-agent: *\nDisallow: /private/", failures: 1)
    let found = try await outcomes(
      ["/a", "/private/a"], of: origin, ["--no-cache", "-H", "X-Secret: 1", "-H", "Range: bytes=0-9"])
    #expect(found.last == "opted-out" && origin.requestsByTarget["/robots.txt"] == 2, "\(found)")
  }

  @Test("without the network, a stored robots.txt counts even if it is stale")
  func offline() async throws {
    let origin = try origin(robots: "User-agent: *\nDisallow: /private/")
    #expect(try await outcomes(["/a"], of: origin, []) == ["fetched"])
    #expect(try await outcomes(["/a", "/private/a"], of: origin, ["--offline"]) == ["fresh", "opted-out"])
  }
}
