internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Foundation
internal import TestSupport
internal import Testing

/// The results of the tool beside the logs of the origins.
@Suite("prefetch tells the truth", .timeLimit(.minutes(5)))
struct PrefetchProofTests {
  /// The number of good records. `CELLOPHANE_PROOF_LINES` overrides it.
  private static let good =
    ProcessInfo.processInfo.environment["CELLOPHANE_PROOF_LINES"].flatMap(Int.init)
    ?? TestScope.rounds(2_000, soak: 10_000)

  /// What a line came to, or should.
  private func said(_ result: [String: Any]) -> String {
    guard let error = result["error"] as? [String: Any] else { return result["outcome"] as? String ?? "" }
    let isRetryable = error["retryable"] as? Bool == true
    return "\(error["kind"] ?? "") \(error["stage"] ?? "") \(isRetryable ? "retryable" : "final")"
  }

  @Test("Over a list with every failure among good lines, each result is what its origin saw")
  func everyKind() async throws {
    let room = try Room()
    let origins = try FaultyOrigins()
    let cases = origins.cases + (0..<Self.good).map(origins.good)
    // Each with its number among the cases; nil for a blank line.
    var lines: [(text: String, number: Int?)] = cases.enumerated().flatMap { number, kind in
      ([kind.line] + kind.copies).map { ($0, number) }
    }
    for blank in ["", " ", "\r", "\t\t"] { lines.append((blank, nil)) }
    var random = SplitMix64(seed: 8)
    lines.shuffle(using: &random)
    try room.write(lines: lines.map(\.text), as: "list")

    let ended = try await room.run(
      "prefetch", "list", "--jsonl", "results", "--json", "--timeout", "10", "--max-bytes", "200000")
    #expect(ended.exit == 2, "\(ended)")
    let results = try objects(lines: room.bytes(of: "results"))
    let byLine = Dictionary(results.map { ($0["index"] as? Int ?? 0, $0) }) { first, _ in first }
    let expected = lines.indices.filter { lines[$0].number != nil }.map { $0 + 1 }
    #expect(results.count == expected.count && byLine.keys.sorted() == expected)

    var told: [String: Int] = [:]
    var wrong: [String] = []
    let lineOfCase = Dictionary(grouping: expected) { lines[$0 - 1].number ?? -1 }
    for (number, kind) in cases.enumerated() {
      let results = (lineOfCase[number] ?? []).compactMap { byLine[$0] }
      let first = results.filter { $0["outcome"] as? String != "duplicate" }
      guard first.count == 1, let result = first.first, said(result) == kind.failure ?? "fetched" else {
        wrong.append("\(kind.line.prefix(100)): \(results.map(said)), not \(kind.failure ?? "fetched")")
        continue
      }
      let tries = result["tries"] as? Int
      if let expected = kind.tries, tries != expected { wrong.append("\(kind.line): \(tries ?? 0) tries") }
      if let tries, let url = try? Request(kind.line, options: 0).url, !origins.isNobody(url) {
        told[url, default: 0] += tries
        for hop in kind.hops { told[origins.gallery.url(hop), default: 0] += 1 }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(20).joined(separator: "\n"))")
    let seen = origins.requests
    let difference = Set(told.keys).union(seen.keys).filter { told[$0] != seen[$0] }
      .map { "\($0): \(told[$0] ?? 0) told, \(seen[$0] ?? 0) seen" }
    #expect(difference.isEmpty, "\(difference.sorted().prefix(20).joined(separator: "\n"))")
    try check(ended.json(), against: results)
  }

  /// The summary is the sum of the results.
  private func check(_ summary: [String: Any], against results: [[String: Any]]) throws {
    func count(_ name: String) -> Int { summary[name] as? Int ?? -1 }
    let outcomes = Dictionary(grouping: results) { $0["outcome"] as? String ?? "" }
    for outcome in ["fetched", "fresh", "revalidated", "duplicate", "failed"] {
      #expect(count(outcome) == outcomes[outcome]?.count ?? 0, "\(outcome)")
    }
    #expect(count("lines") == results.count)
    let bytes = outcomes["fetched"]?.reduce(0) { $0 + ($1["bytes"] as? Int ?? 0) }
    #expect(count("fetchedBytes") == bytes)
    let errors = results.compactMap { $0["error"] as? [String: Any] }
    for (member, name) in [("kind", "failures"), ("stage", "failureStages")] {
      let counts = Dictionary(grouping: errors) { $0[member] as? String ?? "" }.mapValues(\.count)
      #expect(summary[name] as? [String: Int] == counts, "\(name)")
    }
    #expect(count("retryable") == errors.count { $0["retryable"] as? Bool == true })
  }

  #if os(Linux)
    @Test("Four times as many lines, good ones, junk and duplicates, take no more memory")
    func memory() async throws {
      let room = try Room()
      let origins = try FaultyOrigins()
      let (child, input) = try room.converse(["prefetch", "-", "--jsonl", "-", "--quiet", "--as", "bytes"])
      var peaks: [Int] = []
      var written = 0
      for count in [10_000, 40_000] {
        let lines = (written..<count).map { number in
          switch number % 30 {
          case 0: origins.gallery.url("/good/\(number)")
          case 1...14: "junk \(number)"
          default: origins.gallery.url("/good/0")
          }
        }
        written = count
        try input.write(contentsOf: Data(lines.map { $0 + "\n" }.joined().utf8))
        await child.lines(count)
        peaks.append(try #require(child.peakMemory))
      }
      try input.close()
      #expect(try await child.end().exit == 2)
      // 30 000 more, which would take 12 MB with their results; a thousand good ones among them, of which the cache
      // remembers something, and as many lines as are looked ahead.
      #expect(peaks[1] - peaks[0] < 8_000_000, "\(peaks)")
    }
  #endif
}
