internal import Cellophane
internal import CellophaneTestOrigin
internal import Foundation
internal import TestSupport
internal import Testing

@Suite("Archives for WebDataset", .timeLimit(.minutes(5)))
struct WebDatasetTests {
  private let room: Room
  private let origin: TestOrigin

  init() throws {
    room = try Room()
    origin = try TestOrigin.gallery()
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: room.path("set")).sorted() }
  }

  /// Returns the keys of all samples by archive. Expects that each sample is an image and its result, that the index of
  /// each archive has their names and offsets, that its statistics count them, and that no other files exist.
  private func keys(sourceLocation: SourceLocation = #_sourceLocation) throws -> [[String]] {
    let archives = try names.filter { $0.hasSuffix(".tar") }
    #expect(
      try names
        == archives.flatMap { [$0, $0.dropLast(4) + ".jsonl", $0.dropLast(4) + ".stats.json"] }.sorted(),
      sourceLocation: sourceLocation)
    let schema = try JSONSchema(named: "cellophane.shard-stats.schema.json")
    return try archives.map { archive in
      let contents = try #require(
        files(ofTar: room.bytes(of: "set/" + archive)), "\(archive)", sourceLocation: sourceLocation)
      let index = try objects(lines: room.bytes(of: "set/\(archive.dropLast(4)).jsonl"))
      #expect(contents.count == 2 * index.count, "\(archive)", sourceLocation: sourceLocation)
      let statistics = try AnyJSON(room.bytes(of: "set/\(archive.dropLast(4)).stats.json"))
      #expect(schema.faults(of: statistics) == [], sourceLocation: sourceLocation)
      #expect(statistics["samples"] == .number(Double(index.count)), sourceLocation: sourceLocation)
      return try zip(index, stride(from: 0, to: contents.count, by: 2)).map { entry, position in
        let (image, result) = (contents[position], try object(contents[position + 1].content))
        let key = try #require(entry["key"] as? String)
        let header = try ImageDecoder().header(of: image.content)
        #expect(
          image.name == key + (header.format == .png ? ".png" : ".jpg"), sourceLocation: sourceLocation)
        #expect(contents[position + 1].name == key + ".json", sourceLocation: sourceLocation)
        #expect(entry["offset"] as? Int == image.offset, sourceLocation: sourceLocation)
        #expect(entry["bytes"] as? Int == image.content.count, sourceLocation: sourceLocation)
        #expect(entry["url"] as? String == result["url"] as? String, sourceLocation: sourceLocation)
        #expect(entry["index"] as? Int == result["index"] as? Int, sourceLocation: sourceLocation)
        #expect(result["outcome"] as? String != "failed", sourceLocation: sourceLocation)
        return key
      }
    }
  }

  private func list(_ lines: ClosedRange<Int>) -> [String] {
    ["url,caption"] + lines.map { "\(origin.url("/\($0).\($0.isMultiple(of: 2) ? "png" : "jpg")")),n\($0)" }
  }

  private func run(_ options: String...) async throws -> Ended {
    try await room.run(
      ["prefetch", "list.csv", "-o", "set", "--webdataset", "--no-cache", "--quiet", "--jsonl", "-"] + options
    )
  }

  @Test("archives have --per-shard samples, and a second run requests only new and failed ones")
  func samples() async throws {
    try room.write(lines: list(1...8) + [origin.url("/nothing") + ",none"], as: "list.csv")
    let first = try await run("--per-shard", "3")
    #expect(first.exit == 2, "\(first)")
    #expect(try names.count == 9 && keys().map(\.count) == [3, 3, 2])
    #expect(try keys().joined().sorted() == (2...9).map { "0000000\($0)" })
    for result in try objects(lines: first.output) where result["outcome"] as? String == "fetched" {
      let parts = try #require(result["file"] as? String).split(separator: "/")
      let sample = try #require(files(ofTar: room.bytes(of: "set/\(parts[0])")))
      let json = try #require(sample.first { $0.name == "\(parts[1].split(separator: ".")[0]).json" })
      let stored = try object(json.content)
      #expect(stored["fields"] as? [String: String] == result["fields"] as? [String: String], "\(result)")
      #expect(
        stored["contentHash"] as? String == result["contentHash"] as? String && stored["width"] as? Int != nil
      )
    }
    let firstRequests = origin.counters.requests
    try room.write(
      lines: list(1...8) + [origin.url("/nothing") + ",none", origin.url("/77.png") + ",new"], as: "list.csv")
    for (outcomes, requests, shards) in [([8, 1, 1], 2, [3, 3, 2, 1]), ([9, 0, 1], 1, [3, 3, 2, 1])] {
      let before = origin.counters.requests
      let again = try await run("--reload")
      let results = try objects(lines: again.output)
      #expect(
        ["fresh", "fetched", "failed"].map { name in results.count { $0["outcome"] as? String == name } }
          == outcomes,
        "\(again)")
      #expect(origin.counters.requests == before + requests && firstRequests == 9)
      #expect(try keys().map(\.count) == shards)
    }
  }

  @Test("--names defines the keys, without dots")
  func templates() async throws {
    try room.write(lines: list(3...4), as: "list.csv")
    let ended = try await run("--names", "{host}/{name} {index}", "--size", "2x2", "--output-format", "png")
    #expect(ended.exit == 0, "\(ended)")
    let host = "127_0_0_1_" + (origin.base.split(separator: ":").last ?? "").prefix { $0.isNumber }
    #expect(try keys().joined().sorted() == ["\(host)/3_2", "\(host)/4_3"])
  }

  @Test("keys have any length and all letters")
  func longKeys() async throws {
    let names = ["北京 café", String(repeating: "n", count: 200), String(repeating: "ü", count: 90)]
    let pages = try TestOrigin { _ in OriginResponse(body: (try? testImage(8, 8).encoded(as: .png)) ?? []) }
    try room.write(lines: names.map { pages.url("/\($0).png") }, as: "list.csv")
    let ended = try await room.run(
      "prefetch", "list.csv", "--format", "lines", "-o", "set", "--webdataset", "--no-cache", "--quiet",
      "--names",
      "{name}-{host}/{name}")
    let host = "127_0_0_1_" + (pages.base.split(separator: ":").last ?? "").prefix { $0.isNumber }
    #expect(ended.exit == 0, "\(ended)")
    let stems = ["北京_café", String(repeating: "n", count: 120), String(repeating: "ü", count: 60)]
    #expect(try keys().joined().sorted() == stems.map { "\($0)-\(host)/\($0)" }.sorted())
  }

  @Test("concurrent processes use different numbers for archives")
  func several() async throws {
    try room.write(lines: list(1...60), as: "list.csv")
    let parts = try (0..<4).map { part in
      try room.start([
        "prefetch", "list.csv", "-o", "set", "--webdataset", "--per-shard", "4", "--no-cache", "--quiet",
        "-j", "2",
        "--shard", "\(part)/4",
      ])
    }
    for part in parts { #expect(try await part.end().exit == 0) }
    #expect(try keys().joined().sorted() == (2...61).map { "000000" + ($0 < 10 ? "0" : "") + "\($0)" })
    // The numbers have no gaps.
    let count = try keys().count
    #expect(try names.last == "0000" + (count > 10 ? "" : "0") + "\(count - 1).tar")
  }

  @Test("after kills at random times and a last run, every sample exists once, and nothing else")
  func killed() async throws {
    try room.write(lines: list(1...40), as: "list.csv")
    var random = SystemRandomNumberGenerator()
    for _ in 0..<8 {
      let lines = Int.random(in: 0...12, using: &random)
      let child = try room.start([
        "prefetch", "list.csv", "-o", "set", "--webdataset", "--per-shard", "5", "--no-cache", "--quiet",
        "--jsonl",
        "-", "-j", "2",
      ])
      await child.lines(lines)
      child.kill()
      _ = try await child.end()
      for name in (try? names) ?? [] where name.hasSuffix(".tar") {
        let archive = try room.bytes(of: "set/" + name)
        #expect(files(ofTar: archive)?.count == 10, "\(name) after \(lines) lines")
        #expect(try names.contains(name.dropLast(4) + ".jsonl"))
      }
    }
    #expect(try await run("--per-shard", "5").exit == 0)
    #expect(try keys().joined().sorted() == (2...41).map { "000000" + ($0 < 10 ? "0" : "") + "\($0)" })
  }

  @Test("Ctrl-C completes the current archive with the finished samples")
  func interrupted() async throws {
    try room.write(lines: list(1...3) + [origin.url("/hangs") + ",x"], as: "list.csv")
    let child = try room.start([
      "prefetch", "list.csv", "-o", "set", "--webdataset", "--no-cache", "--jsonl", "-", "--quiet", "-j", "1",
    ])
    await child.lines(3)
    child.interrupt()
    #expect(try await child.end().exit == 130)
    #expect(try keys() == [["00000002", "00000003", "00000004"]])
  }

  @Test("a full disk leaves archives with the samples before it")
  func full() async throws {
    try room.write(lines: ["url"] + (1...60).map { origin.url("/\($0).png") }, as: "list.csv")
    // The limit of a file is 52 736 bytes: samples of 2 or 2.5 KB leave space for the end of the archive.
    let ended = try await room.shell(
      "trap '' XFSZ; ulimit -f 103; cellophane prefetch list.csv -o set --webdataset --no-cache --quiet --jsonl - -j 1"
    )
    let results = try objects(lines: ended.output)
    let (fetched, failed) = (
      results.filter { $0["outcome"] as? String == "fetched" },
      results.filter { $0["outcome"] as? String == "failed" }
    )
    #expect(ended.exit == 2 && fetched.count >= 10 && failed.count >= 5 && results.count == 60, "\(ended)")
    #expect(failed.allSatisfy { ($0["error"] as? [String: Any])?["stage"] as? String == "output" })
    #expect(try keys().joined().count == fetched.count)
  }

  @Test("an invalid index is an error, and invalid combinations of options are refused")
  func refusals() async throws {
    try room.write(lines: list(1...2), as: "list.csv")
    #expect(try await run().exit == 0)
    try room.write(lines: ["{}"], as: "set/000000.jsonl")
    let broken = try await run()
    #expect(broken.exit == 1 && broken.errors.contains("cannot read set/000000.jsonl, line 1"), "\(broken)")
    for options in [
      ["--webdataset"], ["-o", "o", "--per-shard", "5"], ["-o", "o", "--webdataset", "--per-shard", "0"],
      ["-o", "o", "--webdataset", "--as", "bytes"], ["-o", "o", "--webdataset", "--names", "{hash}"],
    ] {
      let ended = try await room.run(["prefetch", "list.csv"] + options)
      #expect(ended.exit == 64 && ended.errorLines.count == 1, "\(options): \(ended)")
    }
  }
}
