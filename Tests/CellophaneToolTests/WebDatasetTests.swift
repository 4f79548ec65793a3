internal import Cellophane
internal import CellophaneTestOrigin
internal import Foundation
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

  /// The keys of all samples, archive by archive. Expects that each sample is a picture and the result of its line, that
  /// the index of each archive names them and where they are, and that there is nothing else.
  private func keys(sourceLocation: SourceLocation = #_sourceLocation) throws -> [[String]] {
    let archives = try names.filter { $0.hasSuffix(".tar") }
    #expect(
      try names == (archives + archives.map { $0.dropLast(4) + ".jsonl" }).sorted(),
      sourceLocation: sourceLocation)
    return try archives.map { archive in
      let contents = try #require(
        files(ofTar: room.bytes(of: "set/" + archive)), "\(archive)", sourceLocation: sourceLocation)
      let index = try objects(lines: room.bytes(of: "set/\(archive.dropLast(4)).jsonl"))
      #expect(contents.count == 2 * index.count, "\(archive)", sourceLocation: sourceLocation)
      return try zip(index, stride(from: 0, to: contents.count, by: 2)).map { entry, place in
        let (picture, result) = (contents[place], try object(contents[place + 1].content))
        let key = try #require(entry["key"] as? String)
        let header = try ImageDecoder().header(of: picture.content)
        #expect(
          picture.name == key + (header.format == .png ? ".png" : ".jpg"), sourceLocation: sourceLocation)
        #expect(contents[place + 1].name == key + ".json", sourceLocation: sourceLocation)
        #expect(entry["offset"] as? Int == picture.offset, sourceLocation: sourceLocation)
        #expect(entry["bytes"] as? Int == picture.content.count, sourceLocation: sourceLocation)
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

  @Test("Samples are whole and in archives of so many; run again, only others are asked for")
  func samples() async throws {
    try room.write(lines: list(1...8) + [origin.url("/nothing") + ",none"], as: "list.csv")
    let first = try await run("--per-shard", "3")
    #expect(first.exit == 2, "\(first)")
    #expect(try names.count == 6 && keys().map(\.count) == [3, 3, 2])
    #expect(try keys().joined().sorted() == (2...9).map { "0000000\($0)" })
    for result in try objects(lines: first.output) where result["outcome"] as? String == "fetched" {
      let parts = try #require(result["file"] as? String).split(separator: "/")
      let sample = try #require(files(ofTar: room.bytes(of: "set/\(parts[0])")))
      let json = try #require(sample.first { $0.name == "\(parts[1].split(separator: ".")[0]).json" })
      let told = try object(json.content)
      #expect(told["fields"] as? [String: String] == result["fields"] as? [String: String], "\(result)")
      #expect(
        told["contentHash"] as? String == result["contentHash"] as? String && told["width"] as? Int != nil)
    }
    let asked = origin.counters.requests
    try room.write(
      lines: list(1...8) + [origin.url("/nothing") + ",none", origin.url("/77.png") + ",new"], as: "list.csv")
    for (outcomes, requests, shards) in [([8, 1, 1], 2, [3, 3, 2, 1]), ([9, 0, 1], 1, [3, 3, 2, 1])] {
      let former = origin.counters.requests
      let again = try await run("--reload")
      let results = try objects(lines: again.output)
      #expect(
        ["fresh", "fetched", "failed"].map { name in results.count { $0["outcome"] as? String == name } }
          == outcomes,
        "\(again)")
      #expect(origin.counters.requests == former + requests && asked == 9)
      #expect(try keys().map(\.count) == shards)
    }
  }

  @Test("Keys are by template, and a dot does not end them")
  func templates() async throws {
    try room.write(lines: list(3...4), as: "list.csv")
    let ended = try await run("--names", "{host}/{name} {index}", "--size", "2x2", "--output-format", "png")
    #expect(ended.exit == 0, "\(ended)")
    let host = "127_0_0_1_" + (origin.base.split(separator: ":").last ?? "").prefix { $0.isNumber }
    #expect(try keys().joined().sorted() == ["\(host)/3_2", "\(host)/4_3"])
  }

  @Test("Processes at once take numbers of their own")
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
    // None is left out.
    let count = try keys().count
    #expect(try names.last == "0000" + (count > 10 ? "" : "0") + "\(count - 1).tar")
  }

  @Test("Killed at any moment and run again, every sample is there once, and nothing else")
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

  @Test("Ctrl-C ends the archive that is written, with what was finished")
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

  @Test("Where there is no room for a sample, the archive has those before it")
  func full() async throws {
    try room.write(lines: ["url"] + (1...60).map { origin.url("/\($0).png") }, as: "list.csv")
    // 52 736 bytes a file at most: samples of 2 or 2.5 KB leave room for the end of the archive.
    let ended = try await room.shell(
      "trap '' XFSZ; ulimit -f 103; cellophane prefetch list.csv -o set --webdataset --no-cache --quiet --jsonl - -j 1"
    )
    let results = try objects(lines: ended.output)
    let (kept, failed) = (
      results.filter { $0["outcome"] as? String == "fetched" },
      results.filter { $0["outcome"] as? String == "failed" }
    )
    #expect(ended.exit == 2 && kept.count >= 10 && failed.count >= 5 && results.count == 60, "\(ended)")
    #expect(failed.allSatisfy { ($0["error"] as? [String: Any])?["stage"] as? String == "output" })
    #expect(try keys().joined().count == kept.count)
  }

  @Test("An index that is none is told, and what makes no sense is refused")
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
