internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Foundation
internal import TestSupport
internal import Testing

/// Compares the summary with the published schema.
@Suite("Summary of prefetch", .timeLimit(.minutes(5)))
struct PrefetchSummaryTests {
  let schema: JSONSchema

  init() throws { schema = try JSONSchema(named: "cellophane.prefetch-summary.schema.json") }

  /// Returns the summaries of an empty list, of a list with every outcome, and of more hosts than a summary names.
  private func summaries() async throws -> [[UInt8]] {
    let room = try Room()
    let origin = try TestOrigin { request in
      switch request.path {
      case "/404": OriginResponse(status: 404)
      case "/503": OriginResponse(status: 503)
      case "/large":
        OriginResponse(headers: ["cache-control": "max-age=60"], body: [UInt8](repeating: 1, count: 9_000))
      default: OriginResponse(headers: ["cache-control": "max-age=60"], body: Array(request.path.utf8))
      }
    }
    defer { origin.stop() }
    try room.write(lines: [], as: "none")
    let urls = ["/1", "/1#again", "/2", "/404", "/503", "/large"].map(origin.url)
    try room.write(lines: urls + ["no url"], as: "list")
    // Each address is on loopback.
    try room.write(lines: (1...130).map { "http://127.0.0.\($0):\(origin.port)/1" }, as: "hosts")
    return [
      try await room.run("prefetch", "none", "--json", "--quiet", "--no-cache").output,
      // An entry may take an eighth of the limit.
      try await room.run(
        "prefetch", "list", "--json", "--quiet", "--as", "bytes", "--cache-limit", "32768", "--shard", "0/1"
      )
      .output,
      try await room.run("prefetch", "hosts", "--json", "--quiet", "--as", "bytes", "--offline").output,
    ]
  }

  @Test func `a summary has exactly the fields of the schema`() async throws {
    var written: Set<String> = []
    for summary in try await summaries() {
      let value = try AnyJSON(summary)
      #expect(schema.faults(of: value) == [], "\(String(decoding: summary, as: UTF8.self))")
      written.formUnion(paths(of: value, ""))
    }
    var known = fields(of: schema.root, "")
    // No file operation fails in this test.
    #expect(known.remove(".cache.lastError") != nil)
    #expect(written == known, "\(written.symmetricDifference(known).sorted())")
  }

  @Test func `the table names hosts with their requests, latency and concurrency`() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    defer { origin.stop() }
    try room.write(lines: (1...5).map { origin.url("/\($0).png") }, as: "list")
    let ended = try await room.run("prefetch", "list", "-j", "2")
    let lines = ended.text.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("hosts") && $0.hasSuffix(" 1") }, "\(ended)")
    let host = try #require(lines.first { $0.hasPrefix("  127.0.0.1:\(origin.port)") }, "\(ended)")
    #expect(host.contains(" in 5 attempts, ") && host.contains("first byte"), "\(host)")
    #expect(host.hasSuffix(", at most 2 loads at a time"), "\(host)")
  }

  @Test func `the table adds up the hosts that it does not name`() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    defer { origin.stop() }
    // Each address is on loopback.
    try room.write(
      lines: (1...5).map { "http://127.0.0.\($0):\(origin.port)/404" }
        + ["/405", "/406"].map { "http://127.0.0.1:\(origin.port)" + $0 }, as: "list")
    let ended = try await room.run("prefetch", "list", "--offline")
    let lines = ended.text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    #expect(
      lines.contains { $0.hasPrefix("by host 3 from") && $0.hasSuffix(", 2 from 2 other hosts") }, "\(ended)")
    #expect(lines.contains("2 other hosts 2 records"), "\(ended)")
  }

  @Test("the table tells how many outputs existed before", arguments: [[], ["--webdataset"]])
  func existingOutput(options: [String]) async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    defer { origin.stop() }
    for (count, text) in [
      (2, "2 in out"), (2, "2 in out (0 new, 2 already there)"), (3, "3 in out (1 new, 2 already there)"),
    ] {
      try room.write(lines: (1...count).map { origin.url("/\($0).png") }, as: "list")
      let ended = try await room.run(["prefetch", "list", "-o", "out"] + options)
      let lines = ended.text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
      #expect(ended.exit == 0 && lines.contains("output " + text), "\(ended)")
    }
  }

  @Test func `the table counts the failures of a host, and names the results that repeat them`() async throws
  {
    let room = try Room()
    let origin = try TestOrigin { _ in OriginResponse(status: 503, headers: ["retry-after": "3600"]) }
    defer { origin.stop() }
    try room.write(lines: [origin.url("/1")], as: "list")
    for (arguments, advice) in [
      ([], "to repeat only these, run again with --jsonl FILE, then with --retry-failed FILE"),
      (["--jsonl", "r.jsonl"], "--retry-failed r.jsonl repeats them"),
    ] {
      let ended = try await room.run(["prefetch", "list"] + arguments)
      let lines = ended.text.split(separator: "\n")
      #expect(
        lines.contains { $0.hasPrefix("  by host ") && $0.hasSuffix(" 1 from \(origin.url(""))") }, "\(ended)"
      )
      #expect(lines.contains { $0.hasPrefix("  retryable ") && $0.hasSuffix("  " + advice) }, "\(ended)")
    }
  }

  /// Returns the paths of all members; members of a map share one name.
  private func paths(of value: AnyJSON, _ path: String) -> Set<String> {
    if let list = value.list { return list.reduce(into: [path]) { $0.formUnion(paths(of: $1, path + "[]")) } }
    guard let members = value.members else { return [path] }
    let isMap = [".failures", ".failureStages", ".failureHosts", ".notKept.reasons"].contains(path)
    return members.reduce(into: isMap ? [path] : []) {
      $0.formUnion(paths(of: $1.value, path + "." + (isMap ? "*" : $1.key)))
    }
  }

  private func fields(of reference: AnyJSON, _ path: String) -> Set<String> {
    let schema = schema.resolved(reference)
    if let items = schema["items"] { return fields(of: items, path + "[]").union([path]) }
    if let others = schema["additionalProperties"], others.members != nil {
      return fields(of: others, path + ".*").union([path])
    }
    guard let properties = schema["properties"]?.members else { return [path] }
    return properties.reduce(into: []) { $0.formUnion(fields(of: $1.value, path + "." + $1.key)) }
  }
}
