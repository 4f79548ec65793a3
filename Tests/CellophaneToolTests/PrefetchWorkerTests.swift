internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Foundation
internal import Testing

@Suite("prefetch as a worker", .timeLimit(.minutes(5)))
struct PrefetchWorkerTests {
  @Test("the result of each line appears before the next line is written", arguments: [[], ["--ordered"]])
  func dialogue(options: [String]) async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    let (child, input) = try room.startWithPipe(
      ["prefetch", "-", "--jsonl", "-", "--quiet", "-j", "8"] + options)
    let lines = [
      origin.url("/8.png"), "no url", origin.url("/8.png"), origin.url("/nothing"), origin.url("/9.jpg"), "x",
    ]
    for (number, line) in lines.enumerated() {
      try input.write(contentsOf: Data((line + "\n").utf8))
      await child.lines(number + 1)
    }
    // The last line needs no line break.
    try input.write(contentsOf: Data(origin.url("/text").utf8))
    try input.close()
    let ended = try await child.end()
    let results = try objects(lines: ended.output)
    #expect(ended.exit == 2 && ended.errors.isEmpty, "\(ended)")
    #expect(results.map { $0["index"] as? Int } == Array(1...7))
    #expect(
      results.map { $0["outcome"] as? String } == [
        "fetched", "failed", "duplicate", "failed", "fetched", "failed", "failed",
      ])
  }

  @Test("non-blocking pipes are read and written completely")
  func nonblockingPipes() async throws {
    let room = try Room()
    let (child, input) = try room.startWithPipe(["prefetch", "-", "--jsonl", "-", "--quiet"], blocks: false)
    try input.write(contentsOf: Data("first\n".utf8))
    await child.lines(1)
    try input.write(contentsOf: Data(String(repeating: "no url\n", count: 20_000).utf8))
    try input.close()
    let ended = try await child.end()
    #expect(ended.exit == 2 && ended.errors.isEmpty, "\(ended)")
    #expect(try objects(lines: ended.output).count == 20_001)
  }

  @Test("with --ordered, results have the order of the list, also behind a slow record")
  func order() async throws {
    let room = try Room()
    let origin = try TestOrigin { request in
      var response = OriginResponse(body: Array(request.path.utf8))
      if request.path == "/slow" { response.delay = .milliseconds(500) }
      return response
    }
    let urls = [origin.url("/slow")] + (1...30).map { origin.url("/\($0)") } + ["no url"]
    for (isOrdered, options) in [(true, ["--ordered"]), (false, [])] {
      let ended = try await room.run(
        ["prefetch", "--as", "bytes", "--no-cache", "-o", "folder-\(isOrdered)", "--jsonl", "-", "--quiet"]
          + ["-j", "4"] + options + urls.dropLast())
      let indices = try objects(lines: ended.output).compactMap { $0["index"] as? Int }
      #expect(ended.exit == 0 && Set(indices) == Set(1...31), "\(ended)")
      #expect((indices == Array(1...31)) == isOrdered, "\(indices)")
    }
  }

  @Test("--retry-failed loads failed records from results and keeps their numbers")
  func retry() async throws {
    let room = try Room()
    let gallery = try TestOrigin.gallery()
    let recovering = try TestOrigin { request in
      OriginResponse(status: request.headers["retry"] == nil ? 500 : 200, body: Array("ok".utf8))
    }
    try room.write(
      lines: [
        "id,url", "1,\(gallery.url("/8.png"))", "2,\(recovering.url("/a"))", "3,nonsense",
        "4,\(recovering.url("/b"))",
      ],
      as: "list.csv")
    let first = try await room.run(
      "prefetch", "list.csv", "--as", "bytes", "--jsonl", "results.jsonl", "--json")
    #expect(try first.exit == 2 && first.json()["retryable"] as? Int == 2, "\(first)")
    let arguments = ["prefetch", "--as", "bytes", "--retry-failed"]
    let second = try await room.run(
      arguments + ["results.jsonl", "-H", "retry: 1", "--jsonl", "again.jsonl", "--json"])
    #expect(try second.exit == 0 && second.json()["lines"] as? Int == 2, "\(second)")
    let again = try objects(lines: room.bytes(of: "again.jsonl"))
    #expect(again.compactMap { $0["index"] as? Int }.sorted() == [3, 5], "\(again)")
    #expect(
      again.allSatisfy { ($0["fields"] as? [String: String])?["id"] == "\(($0["index"] as? Int ?? 0) - 1)" })
    let third = try await room.run(arguments + ["again.jsonl"])
    #expect(third.exit == 0 && third.errors.contains("no failed record that may succeed now"), "\(third)")
    for wrong in [["list.csv"], ["--format", "csv"], ["--column", "url"]] {
      #expect(try await room.run(arguments + ["results.jsonl"] + wrong).exit == 64, "\(wrong)")
    }
    let overwritten = try await room.run(arguments + ["results.jsonl", "--jsonl", "results.jsonl"])
    #expect(try overwritten.exit == 64 && !room.bytes(of: "results.jsonl").isEmpty, "\(overwritten)")
  }

  @Test("shards divide a list completely, and each counts the records of the others")
  func shards() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    try room.write(
      lines: (1...12).map { origin.url("/\($0).png") } + ["no url", origin.url("/1.png#x")], as: "list")
    var lines = 0
    for shard in ["1/3", "2/3", "3/3"] {
      let ended = try await room.run(
        "prefetch", "list", "--shard", shard, "--json", "--jsonl", "results-\(shard.first ?? "0")")
      let summary = try ended.json()
      let count = summary["lines"] as? Int ?? 0
      lines += count
      #expect(count + (summary["otherShards"] as? Int ?? 0) == 14, "\(ended)")
    }
    #expect(lines == 14 && origin.requestsByTarget.count == 12)
    #expect(origin.requestsByTarget.values.allSatisfy { $0 == 1 })
    for wrong in [["--shard", "4/3"], ["--shard", "x"], ["--shard", "1/2", "--shard-by", "line"]] {
      #expect(try await room.run(["prefetch", "list"] + wrong).exit == 64, "\(wrong)")
    }
  }
}
