internal import Cellophane
internal import CellophaneTestOrigin
internal import Foundation
internal import Testing

@testable internal import CellophaneTool

@Suite("--ignore-header", .timeLimit(.minutes(5)))
struct IgnoredHeaderTests {
  @Test("requests that differ only in ignored headers share a cache entry")
  func fetched() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    let cases: [(headers: [String], options: [String], source: String)] = [
      (["Traceparent: 1", "X-Id: 1"], ["--ignore-header", "traceparent,x-id"], "network"),
      (["Traceparent: 2"], ["--ignore-header", "TraceParent"], "disk"),
      (
        ["X-Id: 3", "traceparent: 3"], ["--ignore-header", "x-id", "--ignore-header", "traceparent"], "disk"
      ),
      ([], [], "disk"),
      (["Traceparent: 4"], [], "network"),
      (["Traceparent: 5", "Y: 1"], ["--ignore-header", "traceparent"], "network"),
    ]
    for item in cases {
      let headers = item.headers.flatMap { ["-H", $0] }
      let ended = try await room.run(["fetch", origin.url("/9.png"), "--json"] + headers + item.options)
      #expect(try ended.json()["source"] as? String == item.source, "\(item): \(ended)")
    }
  }

  @Test("prefetch finds fresh responses of requests with other trace ids")
  func prefetched() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    try room.write(lines: (1...3).map { origin.url("/\($0).png") }, as: "list")
    for (round, outcome) in [(1, "fetched"), (2, "fresh")] {
      let ended = try await room.run(
        "prefetch", "list", "--json", "-H", "X-Trace: \(round)", "--ignore-header", "x-trace")
      #expect(try ended.exit == 0 && ended.json()[outcome] as? Int == 3, "\(ended)")
    }
    #expect(origin.counters.requests == 3)
  }

  @Test(
    "a second run of a list does not ask again for a URL with a fresh error",
    arguments: [("bytes", 3), ("image", 4)])
  func remembered(content: String, failed: Int) async throws {
    let room = try Room()
    let fresh: HeaderFields = ["cache-control": "max-age=600"]
    let origin = try TestOrigin { request in
      let status = Int(request.target.dropFirst()) ?? 500
      return OriginResponse(status: status, headers: fresh, body: [])
    }
    try room.write(lines: ["404", "410", "403", "204"].map { origin.url("/\($0)") }, as: "list")
    for _ in 0..<2 {
      let ended = try await room.run("prefetch", "list", "--json", "--as", content)
      #expect(try ended.exit == 2 && ended.json()["failed"] as? Int == failed, "\(ended)")
    }
    #expect(origin.counters.requests == 4)
  }
}
