internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Foundation
internal import TestSupport
internal import Testing

/// Compares the results of the tool with the requests that origins received.
@Suite("Accuracy of the results of prefetch", .timeLimit(.minutes(5)))
struct PrefetchAccuracyTests {
  /// The number of good records. `CELLOPHANE_PROOF_LINES` overrides it.
  private static let good =
    ProcessInfo.processInfo.environment["CELLOPHANE_PROOF_LINES"].flatMap(Int.init)
    ?? TestScope.rounds(2_000, soak: 10_000)

  /// Returns the outcome of a result, or its error in the form of ``FaultyOrigins/Case/failure``.
  private func outcome(_ result: [String: Any]) -> String {
    guard let error = result["error"] as? [String: Any] else { return result["outcome"] as? String ?? "" }
    let isRetryable = error["retryable"] as? Bool == true
    return "\(error["kind"] ?? "") \(error["stage"] ?? "") \(isRetryable ? "retryable" : "final")"
  }

  @Test("in a list with every kind of failure, each result agrees with the requests at its origin")
  func everyKind() async throws {
    let room = try Room()
    let origins = try FaultyOrigins()
    let cases = origins.cases + (0..<Self.good).map(origins.good)
    // Each line has the number of its case; nil for a blank line.
    var lines: [(text: String, number: Int?)] = cases.enumerated().flatMap { number, item in
      ([item.record] + item.copies).map { ($0, number) }
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

    var reported: [String: Int] = [:]
    var mistakes: [String] = []
    let lineOfCase = Dictionary(grouping: expected) { lines[$0 - 1].number ?? -1 }
    for (number, item) in cases.enumerated() {
      let results = (lineOfCase[number] ?? []).compactMap { byLine[$0] }
      // Lines with the URL of a failed line fail with the same error, without requests.
      let repeated = item.failure ?? "duplicate"
      let first = results.filter { item.failure == nil ? outcome($0) != repeated : $0["tries"] != nil }
      guard first.count <= 1, let result = first.first ?? results.first,
        outcome(result) == item.failure ?? "fetched",
        results.count(where: { outcome($0) == repeated }) == results.count - (item.failure == nil ? 1 : 0)
      else {
        mistakes.append(
          "\(item.record.prefix(100)): \(results.map(outcome)), not \(item.failure ?? "fetched")")
        continue
      }
      let tries = result["tries"] as? Int
      if let expected = item.tries, tries != expected {
        mistakes.append("\(item.record): \(tries ?? 0) tries")
      }
      if let tries, let url = try? Request(item.record, options: 0).url, !origins.isUnreachable(url) {
        reported[url, default: 0] += tries
        for hop in item.hops { reported[origins.gallery.url(hop), default: 0] += 1 }
      }
    }
    #expect(mistakes.isEmpty, "\(mistakes.prefix(20).joined(separator: "\n"))")
    let received = origins.requests
    let difference = Set(reported.keys).union(received.keys).filter { reported[$0] != received[$0] }
      .map { "\($0): \(reported[$0] ?? 0) reported, \(received[$0] ?? 0) received" }
    #expect(difference.isEmpty, "\(difference.sorted().prefix(20).joined(separator: "\n"))")
    try check(ended.json(), against: results)
  }

  /// Expects that the summary is the sum of the results.
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
    @Test("four times as many records, good, invalid and duplicate, take no more memory")
    func memory() async throws {
      let room = try Room()
      let origins = try FaultyOrigins()
      let (child, input) = try room.startWithPipe([
        "prefetch", "-", "--jsonl", "-", "--quiet", "--as", "bytes",
      ])
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
      // 8 MB: 30 000 more records with their results would take 12 MB. The cache remembers a thousand good ones,
      // and the list is read ahead.
      #expect(peaks[1] - peaks[0] < 8_000_000, "\(peaks)")
    }
  #endif
}
