internal import CellophaneTestOrigin
internal import Foundation
internal import Testing

@Suite("Lists of prefetch", .timeLimit(.minutes(5)))
struct PrefetchListTests {
  @Test("arguments are URLs or one list")
  func arguments() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    let urls = [origin.url("/1.png"), origin.url("/2.png"), origin.url("/nothing"), origin.url("/1.png")]
    let ended = try await room.run(["prefetch", "--jsonl", "-", "-j", "1", "--quiet"] + urls)
    let results = try objects(lines: ended.output)
    #expect(ended.exit == 2 && results.map { $0["url"] as? String } == urls, "\(ended)")
    #expect(results.map { $0["outcome"] as? String } == ["fetched", "fetched", "failed", "duplicate"])
    #expect(results.map { $0["index"] as? Int } == [1, 2, 3, 4])
    try room.write(lines: urls, as: "list")
    for arguments in [
      ["list", urls[0]], [urls[0], "list"], ["list", "list"], ["-", "list"], [urls[0], "ftp://h/"],
    ] {
      let ended = try await room.run(["prefetch"] + arguments)
      #expect(
        ended.exit == 64 && ended.errors.contains("give one list, or only URLs"), "\(arguments): \(ended)")
    }
  }

  @Test("existing results stay until prefetch has read the list")
  func existingResults() async throws {
    let room = try Room()
    try room.write(lines: ["existing"], as: "results")
    let existing = try room.bytes(of: "results")
    try room.write(lines: ["a,b", "1,2"], as: "other.csv")
    try room.write([0x1F, 0x8B, 8, 0], as: "packed.txt")
    for list in ["other.csv", "packed.txt", "missing"] {
      let ended = try await room.run("prefetch", list, "--jsonl", "results", "--quiet")
      #expect(ended.exit != 0, "\(list): \(ended)")
      #expect(try room.bytes(of: "results") == existing, "\(list)")
    }
    let ended = try await room.run(
      "prefetch", "other.csv", "--jsonl", "results", "--output", "results", "--column", "a")
    #expect(ended.exit == 1, "\(ended)")
    #expect(try room.bytes(of: "results") == existing)
    try room.write(lines: ["", ""], as: "empty")
    #expect(try await room.run("prefetch", "empty", "--jsonl", "results").exit == 0)
    #expect(try room.bytes(of: "results").isEmpty)
  }

  @Test(
    "existing results stay if a run is interrupted before its first result", arguments: [SIGINT, SIGTERM])
  func interruptedAtOnce(signal: Int32) async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    try room.write(lines: ["existing"], as: "results")
    let existing = try room.bytes(of: "results")
    let child = try room.start(["prefetch", origin.url("/hangs"), "--jsonl", "results", "--quiet"])
    _ = await origin.counters { $0.requests == 1 }
    child.send(signal)
    #expect(try await child.end().exit == (signal == SIGTERM ? 143 : 130))
    #expect(try room.bytes(of: "results") == existing)
  }

  @Test(arguments: [
    (["--no-cache"], "nothing is kept (--no-cache without --output)"),
    (["--no-cache", "--output", "images"], "finished work is kept"), ([], "finished work is kept"),
  ])
  func `an interruption tells what is kept`(options: [String], text: String) async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    let child = try room.start(["prefetch", origin.url("/hangs"), "--json"] + options)
    _ = await origin.counters { $0.inFlight == 1 }
    child.interrupt()
    let ended = try await child.end()
    #expect(ended.exit == 130, "\(ended)")
    #expect(ended.errorLines == ["cellophane: interrupted: stopped by a signal; \(text)"], "\(ended)")
    // The object is the summary, without an error.
    let summary = try ended.json()
    #expect(summary["lines"] as? Int == 0 && summary["error"] == nil, "\(ended)")
  }

  @Test("a result contains the other fields of its record, in every format")
  func fields() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    let (one, two) = (origin.url("/1.png"), origin.url("/2.png"))
    for (name, text, options, expected) in [
      ("a.csv", "id,url\n7,\(one)\n8,\(two)\n9,nonsense\n", [], #"{"id":"7"} {"id":"8"} {"id":"9"}"#),
      ("a.tsv", "link\tid\n\(one)\t7\n", ["--column", "link"], #"{"id":"7"}"#),
      ("a.jsonl", "{\"url\":\"\(one)\",\"id\":7.10}\n{\"id\":8}\n", [], #"{"id":7.10} {"id":8}"#),
      ("a.txt", "url;id\n", ["--format", "lines"], ""),
      ("list", "{\"URL\":\"\(one)\",\"id\":[]}\n", ["--format", "jsonl"], #"{"id":[]}"#),
    ] as [(String, String, [String], String)] {
      try room.write(Array(text.utf8), as: name)
      let ended = try await room.run(["prefetch", name, "--jsonl", "-", "-j", "1", "--quiet"] + options)
      let fields = ended.text.split(separator: "\n").compactMap { line in
        line.split(separator: "\"fields\":").dropFirst().first?.split(separator: ",\"duration_ms\"").first
      }
      #expect(fields.joined(separator: " ") == expected, "\(name): \(ended)")
      #expect(
        try objects(lines: ended.output).count == text.split(separator: "\n").count
          - (name.contains("sv") ? 1 : 0))
    }
  }

  @Test("--column is refused for lists of plain lines")
  func columnOfLines() async throws {
    let room = try Room()
    try room.write(lines: ["{\"u\":\"http://127.0.0.1:1/\"}"], as: "a.json")
    for arguments in [["a.json"], ["-"], ["http://127.0.0.1:1/"], ["a.csv", "--format", "lines"]] {
      let ended = try await room.run(["prefetch", "--column", "u"] + arguments)
      #expect(ended.exit == 64 && ended.errors.contains("set the format with --format"), "\(ended)")
    }
  }

  @Test("a list without the column is refused in one line, before the first request")
  func missingColumn() async throws {
    let room = try Room()
    try room.write(lines: ["id,link", "1,http://127.0.0.1:1/"], as: "a.csv")
    let ended = try await room.run("prefetch", "a.csv", "--quiet")
    #expect(ended.exit == 64 && ended.errorLines.count == 1, "\(ended)")
    #expect(
      ended.errors.contains("cannot read the list 'a.csv': it has no column 'url', but 'id', 'link'"),
      "\(ended)")
  }
}
