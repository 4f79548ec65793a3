internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Foundation
internal import Testing

@Suite("prefetch as a worker", .timeLimit(.minutes(5)))
struct PrefetchWorkerTests {
  @Test("Each line of a pipe is answered before the next one is written", arguments: [[], ["--ordered"]])
  func dialogue(options: [String]) async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    let (child, input) = try room.converse(["prefetch", "-", "--jsonl", "-", "--quiet", "-j", "8"] + options)
    let lines = [
      origin.url("/8.png"), "no url", origin.url("/8.png"), origin.url("/nothing"), origin.url("/9.jpg"), "x",
    ]
    for (number, line) in lines.enumerated() {
      try input.write(contentsOf: Data((line + "\n").utf8))
      await child.lines(number + 1)
    }
    // A line need not end with a line break to be the last.
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

  @Test("Pipes that do not wait are waited for")
  func impatientPipes() async throws {
    let room = try Room()
    let (child, input) = try room.converse(["prefetch", "-", "--jsonl", "-", "--quiet"], waits: false)
    try input.write(contentsOf: Data("first\n".utf8))
    await child.lines(1)
    try input.write(contentsOf: Data(String(repeating: "no url\n", count: 20_000).utf8))
    try input.close()
    let ended = try await child.end()
    #expect(ended.exit == 2 && ended.errors.isEmpty, "\(ended)")
    #expect(try objects(lines: ended.output).count == 20_001)
  }

  @Test("In order, the answers to a slow line and those behind it come in its turn")
  func order() async throws {
    let room = try Room()
    let origin = try TestOrigin { request in
      var answer = OriginResponse(body: Array(request.path.utf8))
      if request.path == "/slow" { answer.delay = .milliseconds(500) }
      return answer
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

  @Test("What failed is tried again from its results, and comes under its own number")
  func retry() async throws {
    let room = try Room()
    let gallery = try TestOrigin.gallery()
    let isUp = try TestOrigin { request in
      OriginResponse(status: request.headers["retry"] == nil ? 500 : 200, body: Array("ok".utf8))
    }
    try room.write(
      lines: [
        "id,url", "1,\(gallery.url("/8.png"))", "2,\(isUp.url("/a"))", "3,nonsense", "4,\(isUp.url("/b"))",
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
    let onto = try await room.run(arguments + ["results.jsonl", "--jsonl", "results.jsonl"])
    #expect(try onto.exit == 64 && !room.bytes(of: "results.jsonl").isEmpty, "\(onto)")
  }

  @Test("The shards of a list make the list, and say what is left to others")
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
      let own = summary["lines"] as? Int ?? 0
      lines += own
      #expect(own + (summary["otherShards"] as? Int ?? 0) == 14, "\(ended)")
    }
    #expect(lines == 14 && origin.requestsByTarget.count == 12)
    #expect(origin.requestsByTarget.values.allSatisfy { $0 == 1 })
    for wrong in [["--shard", "4/3"], ["--shard", "x"], ["--shard", "1/2", "--shard-by", "line"]] {
      #expect(try await room.run(["prefetch", "list"] + wrong).exit == 64, "\(wrong)")
    }
  }
}
