internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Foundation
internal import Testing

@Suite("Files that prefetch writes", .timeLimit(.minutes(5)))
struct PrefetchOutputTests {
  /// Returns the sorted files below a folder, with temporary files but without the index of contents.
  private func files(_ room: Room, below folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: room.path(folder))
      .filter { $0 != ".cellophane/contents" }.filter { (try? room.bytes(of: folder + "/" + $0)) != nil }
      .sorted()
  }

  /// Returns the file of each record by its number.
  private func filesByIndex(_ ended: Ended) throws -> [Int: String] {
    try objects(lines: ended.output).reduce(into: [:]) {
      $0[$1["index"] as? Int ?? 0] = $1["file"] as? String
    }
  }

  private func outcomes(_ ended: Ended) throws -> Set<String> {
    Set(try objects(lines: ended.output).compactMap { $0["outcome"] as? String })
  }

  @Test("--names defines the names of files and folders, and results contain them")
  func names() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    try room.write(lines: [origin.url("/8.png"), origin.url("/9.jpg")], as: "list")
    let host = "127.0.0.1_" + (origin.base.split(separator: ":").last ?? "").prefix { $0.isNumber }
    for (number, (template, expected)) in [
      ("{index:3}", ["001.png", "002.jpg"]),
      ("{host}/{name}-{index}", ["\(host)/8-1.png", "\(host)/9-2.jpg"]),
    ].enumerated() {
      let ended = try await room.run(
        "prefetch", "list", "-o", "o\(number)", "--names", template, "--jsonl", "-", "--quiet")
      #expect(ended.exit == 0, "\(ended)")
      #expect(try files(room, below: "o\(number)") == expected)
      #expect(try filesByIndex(ended) == [1: expected[0], 2: expected[1]])
    }
    for template in ["{hash:2}/{hash}", "{key:1}/{key:2}/{key}"] {
      let ended = try await room.run(
        "prefetch", "list", "-o", "digits", "--names", template, "--jsonl", "-", "--quiet")
      let results = try objects(lines: ended.output)
      #expect(results.count == 2, "\(ended)")
      for result in results {
        let name = template.contains("hash") ? "contentHash" : "cacheKey"
        let digits = try #require(result[name] as? String).split(separator: ":").last.map(String.init) ?? ""
        let file = try #require(result["file"] as? String)
        #expect(
          file.split(separator: ".")[0].hasSuffix(digits) && file.hasPrefix(digits.prefix(1)), "\(file)")
        #expect(try room.bytes(of: "digits/" + file).count == result["bytes"] as? Int)
      }
    }
  }

  @Test("images are written in the requested format, unchanged if they already have it")
  func formats() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    try room.write(lines: [origin.url("/8.png"), origin.url("/9.jpg")], as: "list")
    for (number, (options, names)) in [
      (["--output-format", "original"], ["1.png", "2.jpg"]),
      (["--output-format", "png"], ["1.png", "2.png"]),
      (["--output-format", "jpeg", "--quality", "50"], ["1.jpg", "2.jpg"]),
      (["--size", "4x4", "--output-format", "jpeg"], ["1.jpg", "2.jpg"]),
    ].enumerated() {
      let ended = try await room.run(
        ["prefetch", "list", "-o", "o\(number)", "--names", "{index}", "--quiet"] + options)
      #expect(ended.exit == 0, "\(ended)")
      #expect(try files(room, below: "o\(number)") == names)
      for name in names {
        let bytes = try room.bytes(of: "o\(number)/" + name)
        let header = try ImageDecoder().header(of: bytes)
        #expect(header.format == (name.hasSuffix("png") ? .png : .jpeg))
        if number < 3, name == "1.png" { #expect(bytes == (try testImage(8, 8).encoded(as: .png))) }
        if number < 3, name == "2.jpg" {
          #expect(bytes == (try testImage(9, 8).encoded(as: .jpeg(quality: 90))))
        }
      }
    }
    #expect(
      try room.bytes(of: "o2/1.jpg")
        == ImageDecoder().decode(testImage(8, 8).encoded(as: .png), options: .init())
        .encoded(as: .jpeg(quality: 50)))
  }

  @Test("a second run requests no existing file, except with --reload")
  func secondRun() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    try room.write(lines: [origin.url("/8.png"), origin.url("/9.jpg"), origin.url("/text")], as: "list")
    let run = ["prefetch", "list", "--no-cache", "--jsonl", "-", "--quiet", "-o"]
    for (number, names) in [
      "{index:8}", "{key}", "{host}/{name}_{index}", "{hash:2}/{hash}",
    ].enumerated() {
      let before = origin.counters.requests
      let options = ["folder\(number)", "--names", names]
      let first = try await room.run(run + options)
      #expect(try first.exit == 2 && outcomes(first) == ["fetched", "failed"], "\(first)")
      let second = try await room.run(run + options)
      #expect(
        try outcomes(second) == ["fresh", "failed"] && filesByIndex(second) == filesByIndex(first),
        "\(second)")
      // The failed record was requested again.
      #expect(origin.counters.requests == before + 4)
      let third = try await room.run(run + options + ["--reload"])
      #expect(
        try outcomes(third) == ["fetched", "failed"] && filesByIndex(third) == filesByIndex(first), "\(third)"
      )
      #expect(origin.counters.requests == before + 7)
    }
  }

  @Test("with {hash} in names, an index finds existing files and survives damage")
  func contents() async throws {
    let room = try Room()
    let origin = try TestOrigin { request in
      OriginResponse(body: Array((request.path.hasPrefix("/same") ? "the same" : request.path).utf8))
    }
    let list = (1...20).map { origin.url("/\($0)") } + (1...5).map { origin.url("/same/\($0)") }
    try room.write(lines: list, as: "list")
    let run = [
      "prefetch", "list", "--as", "bytes", "--no-cache", "-o", "o", "--names", "{hash:2}/{hash}", "--jsonl",
      "-", "--quiet",
    ]
    // The next run finds the files of one shard.
    _ = try await room.run(run + ["--shard", "0/2"])
    let shardRequests = origin.counters.requests
    let whole = try await room.run(run)
    #expect(
      whole.exit == 0 && origin.counters.requests == list.count && shardRequests < list.count, "\(whole)")
    let again = try await room.run(run)
    #expect(try outcomes(again) == ["fresh"] && filesByIndex(again) == filesByIndex(whole), "\(again)")
    // A missing file is loaded again, for each of its records.
    let existing = try filesByIndex(whole)
    for index in [3, 21] {
      try FileManager.default.removeItem(atPath: room.path("o/" + (existing[index] ?? "none")))
    }
    #expect(try await room.run(run + ["-j", "1"]).exit == 0)
    #expect((2...6).contains(origin.counters.requests - list.count))
    // Invalid lines of the index are ignored, also paths outside of the folder.
    let index = try String(decoding: room.bytes(of: "o/.cellophane/contents"), as: UTF8.self)
    let lines = index.split(separator: "\n")
    let bad = lines.map { $0.prefix(33) + "../../../../../../../../etc/passwd" }
    try room.write(lines: (bad + [lines[0].prefix(40)]).map(String.init), as: "o/.cellophane/contents")
    let before = origin.counters.requests
    #expect(try outcomes(try await room.run(run)) == ["fetched"])
    #expect(origin.counters.requests == before + list.count)
    #expect(try outcomes(try await room.run(run)).contains("fresh"))
  }

  @Test("with {hash} in names, equal contents share a file, and each result names it")
  func equalContents() async throws {
    let room = try Room()
    let origin = try TestOrigin { _ in OriginResponse(body: Array("the same".utf8)) }
    let urls = (1...20).map { origin.url("/\($0)") }
    let ended = try await room.run(
      ["prefetch", "--as", "bytes", "-o", "o", "--names", "{hash}", "--jsonl", "-", "--quiet"] + urls)
    #expect(try ended.exit == 0 && files(room, below: "o").count == 1, "\(ended)")
    #expect(try Set(filesByIndex(ended).values).count == 1 && filesByIndex(ended).count == 20, "\(ended)")
  }

  @Test("a file that cannot be written is a failure of its record and leaves no temporary file")
  func failures() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    try room.write(lines: (8...10).map { origin.url("/\($0).png") }, as: "list")
    try FileManager.default.createDirectory(
      atPath: room.path("a/2.png"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: room.path("b"), withIntermediateDirectories: true)
    try room.write([], as: "b/9")
    let long = String(repeating: "n", count: 250)
    for (folder, names, failed, reason) in [
      ("a", "{index}", [2], "directory"), ("b", "{name}/{index}", [2], "cannot make the directory"),
      ("c", long + "{index:8}", [1, 2, 3], "too long"),
    ] {
      let ended = try await room.run(
        "prefetch", "list", "-o", folder, "--names", names, "--jsonl", "-", "--quiet")
      let failures = try objects(lines: ended.output).filter { $0["outcome"] as? String == "failed" }
      #expect(ended.exit == 2 && failures.compactMap { $0["index"] as? Int }.sorted() == failed, "\(ended)")
      for error in failures.compactMap({ $0["error"] as? [String: Any] }) {
        #expect(error["stage"] as? String == "output" && error["kind"] as? String == "io", "\(error)")
        #expect((error["message"] as? String)?.contains(reason) == true, "\(error)")
      }
      #expect(try files(room, below: folder).filter { $0.contains("cellophane") } == [])
    }
  }

  /// Returns a JPEG of 8x6 pixels with an orientation and `text` in its EXIF data.
  private func imageWithMetadata(_ text: String) throws -> [UInt8] {
    let exif: [UInt8] =
      Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
      + Array(text.utf8)
    let jpeg = try testImage(8, 6).encoded(as: .jpeg())
    return [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif + jpeg.dropFirst(2)
  }

  @Test("metadata is kept or removed as requested")
  func metadata() async throws {
    let room = try Room()
    let body = try imageWithMetadata("51.5072N")
    let origin = try TestOrigin { _ in OriginResponse(body: body) }
    let cases: [([String], Bool, Orientation)] = [
      ([], true, .right), (["--strip"], false, .right), (["--size", "4x4"], false, .up),
      (["--size", "4x4", "--keep-metadata"], true, .up), (["--output-format", "png"], false, .up),
      (["--output-format", "png", "--keep-metadata"], true, .up),
      (["--output-format", "jpeg", "--strip"], false, .right),
    ]
    for (number, (options, hasMetadata, orientation)) in cases.enumerated() {
      let ended = try await room.run(
        ["prefetch", origin.url("/"), "-o", "o\(number)", "--no-cache", "--quiet"] + options)
      #expect(ended.exit == 0, "\(ended)")
      let written = try room.bytes(of: "o\(number)/" + (files(room, below: "o\(number)").first ?? ""))
      #expect((Data(written).range(of: Data("51.5072N".utf8)) != nil) == hasMetadata, "\(options)")
      let header = try ImageDecoder().header(of: written)
      #expect(header.orientation == orientation, "\(options)")
      #expect(header.displaySize.width < header.displaySize.height, "\(options)")
      #expect(options.isEmpty == (written == body), "\(options)")
    }
  }

  @Test("with --no-cache and without --output, only results are written")
  func checking() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    let urls = ["/text", "/nothing"].map(origin.url)
    let ended = try await room.run(
      ["prefetch", "--as", "bytes", "--no-cache", "--jsonl", "-", "--quiet"] + urls)
    #expect(try ended.exit == 2 && outcomes(ended) == ["fetched", "failed"], "\(ended)")
    #expect(!FileManager.default.fileExists(atPath: room.path("cache")))
  }

  @Test(
    "a process that is killed at any time leaves complete files, and the next one removes temporary files")
  func killed() async throws {
    let room = try Room()
    let bodies = (0...9).map { number in
      (0..<60_000).map { UInt8(truncatingIfNeeded: $0 / 7 &* (number + 3)) }
    }
    let origin = try TestOrigin { request in
      OriginResponse(body: bodies[(Int(request.path.dropFirst()) ?? 0) % 10])
    }
    try room.write(lines: (1...40).map { origin.url("/\($0)") }, as: "list")
    let run = [
      "prefetch", "list", "--as", "bytes", "--no-cache", "-o", "o", "--jsonl", "-", "--quiet", "-j", "4",
    ]
    for number in 0..<10 {
      let child = try room.start(run + ["--names", "{index:1}"])
      await child.lines(number * 3)
      child.kill()
      _ = try await child.end()
      for file in (try? files(room, below: "o")) ?? [] where !file.hasPrefix(".") {
        #expect(try room.bytes(of: "o/" + file) == bodies[(Int(file) ?? 0) % 10], "\(file), \(number)")
      }
    }
    #expect(try await room.run(run + ["--names", "{index:1}"]).exit == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: room.path("o"))
    #expect(Set(names) == Set((1...40).map(String.init) + [".cellophane"]), "\(names)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: room.path("o/.cellophane")) == ["contents"])
  }

  @Test("invalid combinations of options are refused")
  func refusals() async throws {
    let room = try Room()
    for options in [
      ["--names", "{index}"], ["--output-format", "png"], ["--quality", "50"],
      ["-o", "o", "--names", "{host}"], ["-o", "o", "--names", "../{index}"],
      ["-o", "o", "--names", "{name}-{hash:8}"], ["-o", "o", "--names", "{id}"],
      ["-o", "o", "--caption-column", "id"], ["--caption-column", "id"],
      ["-o", "o", "--output-format", "gif"],
      ["-o", "o", "--quality", "50"], ["-o", "o", "--quality", "0", "--size", "4x4"],
      ["-o", "o", "--quality", "101", "--size", "4x4"],
      ["-o", "o", "--quality", "50", "--size", "4x4", "--output-format", "png"],
      ["--strip"], ["--keep-metadata"], ["-o", "o", "--strip", "--size", "4x4"],
      ["-o", "o", "--keep-metadata"],
      ["-o", "o", "--as", "bytes", "--strip"], ["-o", "o", "--strip", "--keep-metadata"],
      ["-o", "o", "--as", "bytes", "--output-format", "png"],
      ["-o", "o", "--as", "bytes", "--quality", "50"],
    ] {
      let ended = try await room.run(["prefetch", "list"] + options)
      #expect(ended.exit == 64 && ended.errorLines.count == 1, "\(options): \(ended)")
    }
    #expect(!FileManager.default.fileExists(atPath: room.path("o")))
  }
}
