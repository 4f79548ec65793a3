internal import Cellophane
internal import CellophaneTestOrigin
internal import Foundation
internal import Testing

@Suite("Lines with one URL", .timeLimit(.minutes(5)))
struct PrefetchDuplicateTests {
  private let room: Room
  private let origin: TestOrigin

  init() throws {
    room = try Room()
    origin = try TestOrigin.gallery()
  }

  private func run(_ lines: [String], _ options: [String]) async throws -> [[String: Any]] {
    try room.write(lines: ["url,text"] + lines, as: "list.csv")
    let ended = try await room.run(
      ["prefetch", "list.csv", "--no-cache", "--quiet", "--ordered", "--jsonl", "-"] + options)
    return try objects(lines: ended.output)
  }

  private func contents(_ archive: String) throws -> [(name: String, offset: Int, content: [UInt8])] {
    try #require(files(ofTar: room.bytes(of: archive)))
  }

  @Test("all lines name the file that they share", arguments: ["1", "16"])
  func sharedFiles(jobs: String) async throws {
    for (number, names) in ["{index}", "{key}", "{hash}", "{name}", "{text}"].enumerated() {
      let lines = ["/8.png,a", "/8.png#x,b", "/9.jpg,c", "/8.png,d"].map(origin.url)
      let options = ["-o", "out\(number)", "--names", names, "-j", jobs]
      let before = origin.counters.requests
      let results = try await run(lines, options)
      let files = results.compactMap { $0["file"] as? String }
      #expect(
        files.count == 4 && files[1] == files[0] && files[3] == files[0] && files[2] != files[0], "\(results)"
      )
      #expect(results.map { $0["outcome"] as? String } == ["fetched", "duplicate", "fetched", "duplicate"])
      #expect(origin.counters.requests == before + 2)
      for file in files {
        let header = try ImageDecoder().header(of: room.bytes(of: "out\(number)/" + file))
        #expect(header.size.width == (file == files[2] ? 9 : 8))
      }
      let again = try await run(lines, options)
      #expect(again.compactMap { $0["file"] as? String } == files, "\(again)")
    }
  }

  @Test("each line has its own sample with its caption, and one request is sent", arguments: ["1", "16"])
  func samples(jobs: String) async throws {
    let lines = (0..<12).map { "\(origin.url($0.isMultiple(of: 3) ? "/9.jpg" : "/8.png")),caption \($0)" }
    let options = ["-o", "set", "--webdataset", "--caption-column", "text", "-j", jobs, "--size", "4x4"]
    let results = try await run(lines, options)
    #expect(results.map { $0["outcome"] as? String }.count { $0 == "duplicate" } == 10, "\(results)")
    #expect(origin.counters.requests == 2)
    let contents = try #require(files(ofTar: room.bytes(of: "set/000000.tar")))
    #expect(contents.count == 36)
    for (number, result) in results.enumerated() {
      let file = try #require(result["file"] as? String).split(separator: "/")[1]
      let position = try #require(contents.firstIndex { $0.name == file })
      #expect(contents[position + 1].content == Array("caption \(number)".utf8))
      let stored = try object(contents[position + 2].content)
      #expect(stored["index"] as? Int == number + 2 && stored["width"] as? Int == 4, "\(stored)")
      #expect(stored["fields"] as? [String: String] == ["text": "caption \(number)"], "\(stored)")
      #expect(
        stored["contentHash"] != nil
          && (result["file"] as? String)?.hasSuffix(number.isMultiple(of: 3) ? "jpg" : "png") == true)
    }
    // A run that was killed lacks some samples, of the first line with a URL or of others.
    for line in lines.indices {
      let again = try await run(
        lines.enumerated().map { $0.offset == line ? $0.element + "!" : $0.element }, options)
      #expect(again.count { $0["outcome"] as? String == "fresh" } == 11, "\(again)")
    }
  }

  @Test("a line with the URL of a failed line has failed with the same error", arguments: ["1", "16"])
  func failures(jobs: String) async throws {
    for options in [[], ["-o", "out"], ["-o", "set", "--webdataset"]] {
      let before = origin.counters.requests
      let lines = ["/nothing,1", "/8.png,2", "/nothing,3", "/text,4", "/nothing#x,5", "/text,6"].map(
        origin.url)
      let results = try await run(lines, options + ["-j", jobs])
      #expect(results.map { $0["outcome"] as? String == "failed" } == [true, false, true, true, true, true])
      let errors = results.map { ($0["error"] as? [String: Any])?["message"] as? String }
      #expect(errors[2] == errors[0] && errors[4] == errors[0] && errors[5] == errors[3], "\(errors)")
      #expect(results.map { $0["status"] as? Int } == [404, 200, 404, 200, 404, 200], "\(results)")
      #expect(origin.counters.requests == before + 3)
    }
  }

  @Test("a name that an earlier line with another URL has is a failure")
  func names() async throws {
    let other = try TestOrigin.gallery()
    let lines = [
      "\(origin.url("/8.png")),a", "\(other.url("/8.png")),b", "\(origin.url("/9.jpg")),c",
      "\(origin.url("/8.png")),d", "\(other.url("/9.jpg")),c",
    ]
    for options in [["-o", "a", "--names", "{name}"], ["-o", "b", "--names", "{name}", "--webdataset"]] {
      for _ in 0..<2 {
        let results = try await run(lines, options)
        #expect(
          results.map { $0["outcome"] as? String == "failed" } == [false, true, false, false, true],
          "\(results)")
        let error = results[1]["error"] as? [String: Any]
        #expect(error?["message"] as? String == "an earlier record has the name '8'; add {index} to --names")
        #expect(error?["stage"] as? String == "output" && error?["retryable"] as? Bool == false)
      }
    }
  }

  @Test(
    "a line with the key of an earlier one and another caption is a failure, in each run",
    arguments: ["{key}", "{key:16}", "{name}", "{host}/{name}", "{name}-{text:2}"])
  func captions(names: String) async throws {
    let lines = ["/8.png,one", "/8.png,on", "/8.png,one", "/9.jpg,on", "/8.png#x,one", "/8.png,"].map(
      origin.url)
    let options = ["-o", "set", "--webdataset", "--caption-column", "text", "--names", names, "-j", "1"]
    // The template with the caption gives the last line a name that no other has.
    let isOwn = names.contains("text")
    for run in 0..<2 {
      let results = try await self.run(lines, options)
      let failed = results.map { $0["outcome"] as? String == "failed" }
      #expect(failed == [false, true, false, false, false, !isOwn], "run \(run): \(results)")
      let error = results[1]["error"] as? [String: Any]
      let message = error?["message"] as? String ?? ""
      #expect(message.contains("another URL, caption, box or hash; add {index} to --names"), "\(message)")
      #expect(error?["stage"] as? String == "output" && error?["retryable"] as? Bool == false)
    }
    #expect(try contents("set/000000.tar").filter { $0.name.hasSuffix(".txt") }.count == (isOwn ? 3 : 2))
    #expect(!FileManager.default.fileExists(atPath: room.path("set/000001.tar")))
  }

  @Test(
    "each line has its caption if its key has the number or the caption",
    arguments: ["{key}-{index}", "{index}", "{key:4}/{index:8}", "{key}-{text}"])
  func distinctCaptions(names: String) async throws {
    let lines = (1...4).map { "\(origin.url("/8.png")),\($0)" }
    let results = try await run(
      lines, ["-o", "set", "--webdataset", "--caption-column", "text", "--names", names])
    #expect(!results.contains { $0["outcome"] as? String == "failed" }, "\(results)")
    let captions = try contents("set/000000.tar").filter { $0.name.hasSuffix(".txt") }.map(\.content)
    #expect(captions.sorted { $0[0] < $1[0] } == (1...4).map { Array("\($0)".utf8) })
  }

  @Test("columns name files and captions, and need a list that has them")
  func columns() async throws {
    let results = try await run(
      ["\(origin.url("/8.png")),Ünï 北", "\(origin.url("/9.jpg")),../x"], ["-o", "out", "--names", "{text}"])
    #expect(results.compactMap { $0["file"] as? String } == ["Ünï_北.png", "_.._x.jpg"], "\(results)")
    try room.write(lines: [origin.url("/8.png")], as: "plain")
    for (list, options, exit) in [
      ("plain", ["--names", "{text}"], 64), ("plain", ["--webdataset", "--caption-column", "text"], 64),
      ("list.csv", ["--caption-column", "text"], 64), ("list.csv", ["--names", "{caption}"], 64),
      ("list.csv", ["--webdataset", "--caption-column", "caption"], 64),
    ] as [(String, [String], Int32)] {
      let ended = try await room.run(["prefetch", list, "-o", "refused", "--quiet"] + options)
      #expect(ended.exit == exit && ended.errorLines.count == 1, "\(options): \(ended)")
    }
  }
}
