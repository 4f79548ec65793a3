internal import Cellophane
internal import CellophaneTestOrigin
internal import Foundation
internal import Testing

@testable internal import CellophaneTool

@Suite("--ignore-query", .timeLimit(.minutes(5)))
struct IgnoredQueryTests {
  @Test("URLs that differ only in ignored parameters share a cache entry, and requests are sent unchanged")
  func fetched() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    let cases: [(query: String, options: [String], source: String)] = [
      ("?w=1&sig=secret1&x=secret2", ["--ignore-query", "sig,x"], "network"),
      ("?w=1&sig=secret3", ["--ignore-query", "sig", "--ignore-query", "127.0.0.1:x"], "disk"),
      ("?w=1", [], "disk"),
      ("?w=1&sig=secret4", ["--ignore-query", "other.example:sig"], "network"),
      ("?w=2&sig=secret5", ["--ignore-query", "127.0.0.1:sig"], "network"),
    ]
    for item in cases {
      let ended = try await room.run(["fetch", origin.url("/9.png" + item.query), "--json"] + item.options)
      #expect(try ended.json()["source"] as? String == item.source, "\(item): \(ended)")
    }
    #expect(
      origin.requestsByTarget.keys.sorted() == [
        "/9.png?w=1&sig=secret1&x=secret2", "/9.png?w=1&sig=secret4", "/9.png?w=2&sig=secret5",
      ])
    let list = try await room.run("cache", "list").text
    #expect(list.contains("/9.png?w=1\n") && list.contains("/9.png?w=2\n"), "\(list)")
    #expect(list.components(separatedBy: "secret").count == 2 && list.contains("secret4"), "\(list)")
  }

  @Test("a rule may have a host, also an IPv6 address, but no port")
  func hosts() {
    #expect(QueryRule(argument: "[::1]:a,b") == QueryRule(ignoring: ["a", "b"], host: "[::1]"))
    #expect(QueryRule(argument: "h:a") == QueryRule(ignoring: ["a"], host: "h"))
    for wrong in ["h:80:a", "[::1]:80:a", "::1:a"] { #expect(QueryRule(argument: wrong) == nil, "\(wrong)") }
  }

  @Test("prefetch finds fresh responses for URLs with other signatures")
  func prefetched() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    for (round, outcome) in [(1, "fetched"), (2, "fresh")] {
      try room.write(lines: (1...3).map { origin.url("/\($0).png?t=\(round)") }, as: "list")
      let ended = try await room.run("prefetch", "list", "--json", "--ignore-query", "t")
      #expect(try ended.exit == 0 && ended.json()[outcome] as? Int == 3, "\(ended)")
    }
    #expect(origin.counters.requests == 3)
  }
}
