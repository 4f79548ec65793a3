internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Foundation
internal import Testing

@Suite("prefetch", .timeLimit(.minutes(5)))
struct PrefetchTests {
  /// Returns the outcome of each record by its number.
  private func outcomes(_ results: [[String: Any]]) -> [Int: String] {
    results.reduce(into: [:]) { $0[$1["index"] as? Int ?? 0] = $1["outcome"] as? String }
  }

  @Test("each record has one result, the counts add up, and a second run finds everything fresh")
  func goodAndBadLines() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    let good = (1...20).map { origin.url("/\($0).\($0.isMultiple(of: 2) ? "png" : "jpg")") }
    let lines =
      good.map { $0 + "\r" } + ["", "  \r", good[0], "  \(good[1]) ", good[2] + "#fragment"]
      + [origin.url("/nothing"), origin.url("/text"), "no url", "ftp://x/y"]
    try room.write(lines: lines, as: "list")

    let first = try await room.run("prefetch", "list", "--jsonl", "results", "--json", "-j", "4")
    let results = try objects(lines: room.bytes(of: "results"))
    #expect(first.exit == 2 && first.errors.isEmpty, "\(first)")
    var expected = Dictionary(uniqueKeysWithValues: (1...20).map { ($0, "fetched") })
    for index in 23...25 { expected[index] = "duplicate" }
    for index in 26...29 { expected[index] = "failed" }
    #expect(results.count == 27 && outcomes(results) == expected)
    for result in results where result["outcome"] as? String == "fetched" {
      #expect(result["width"] as? Int == result["index"] as? Int, "\(result)")
    }
    let failures = results.reduce(into: [Int: String]()) { kinds, result in
      kinds[result["index"] as? Int ?? 0] = (result["error"] as? [String: Any])?["kind"] as? String
    }
    #expect(failures == [26: "status", 27: "unsupported", 28: "invalid-request", 29: "invalid-request"])
    let summary = try first.json()
    let counts = ["lines", "fetched", "fresh", "duplicate", "failed"].map { summary[$0] as? Int ?? -1 }
    #expect(counts == [27, 20, 0, 3, 4])
    #expect(summary["failures"] as? [String: Int] == ["status": 1, "unsupported": 1, "invalid-request": 2])
    #expect(origin.requestsByTarget.values.allSatisfy { $0 == 1 })

    try room.write(lines: good, as: "good")
    let second = try await room.run("prefetch", "good", "--json")
    #expect(try second.exit == 0 && second.json()["fresh"] as? Int == 20, "\(second)")
    #expect(origin.counters.requests == 22)
  }

  @Test("a response that cannot be stored is reported, with exit code 2 unless --output has it")
  func unusableCache() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    try room.write(lines: [origin.url("/8.png")], as: "list")
    let unstored = ["prefetch", "list", "--cache-dir", try room.write([], as: "file")]
    let json = try await room.run(unstored + ["--json"])
    let cache = try #require(try json.json()["cache"] as? [String: Any], "\(json)")
    #expect(json.exit == 2 && cache["stored"] as? Int == 0 && cache["errors"] as? Int ?? 0 > 0, "\(json)")
    #expect((cache["lastError"] as? String)?.contains("/file") == true, "\(json)")
    #expect((try json.json()["notKept"] as? [String: Any])?["responses"] as? Int == 1, "\(json)")
    let table = try await room.run(unstored)
    #expect(table.exit == 2 && table.text.contains("not stored in the cache: 1 (io): cannot "), "\(table)")
    let written = try await room.run(unstored + ["--output", "folder"])
    #expect(
      written.exit == 0 && written.text.contains("not stored in the cache: 1 (io): cannot "), "\(written)")
    for path in ["file", "file/below"] {
      let fetched = try await room.run("fetch", origin.url("/8.png"), "--cache-dir", path)
      #expect(fetched.exit == 0 && fetched.errors.hasPrefix("not stored in the cache: cannot "), "\(fetched)")
      #expect(fetched.errors.contains("a part of the path is a file"), "\(fetched)")
      #expect(fetched.errorLines.count == 1, "\(fetched)")
    }
  }

  @Test("an empty list is not a failure but has a message")
  func emptyList() async throws {
    let room = try Room()
    try room.write(lines: ["", "  ", "\r"], as: "list")
    for (arguments, name) in [
      (["list"], "the list 'list'"), (["list", "--json"], "the list 'list'"), (["-"], "standard input"),
      (["list", "--jsonl", "-"], "the list 'list'"),
    ] {
      let ended = try await room.run(["prefetch"] + arguments)
      #expect(ended.exit == 0, "\(ended)")
      #expect(ended.errorLines.last == "nothing to load: \(name) has no URL", "\(arguments): \(ended)")
    }
    let quiet = try await room.run("prefetch", "list", "--quiet")
    #expect(quiet.exit == 0 && quiet.errors.isEmpty && quiet.output.isEmpty, "\(quiet)")
  }

  @Test("the cache observes --cache-limit")
  func cacheLimit() async throws {
    let room = try Room()
    let origin = try TestOrigin { request in
      OriginResponse(headers: ["cache-control": "max-age=600"], body: [UInt8](repeating: 7, count: 10_000))
    }
    try room.write(lines: (1...40).map { origin.url("/\($0)") }, as: "list")
    let arguments = ["prefetch", "list", "--as", "bytes", "--json", "--cache-limit"]
    let ended = try await room.run(arguments + ["200k"])
    #expect(try ended.exit == 0 && ended.json()["fetched"] as? Int == 40, "\(ended)")
    let stats = try await room.run("cache", "stats", "--json", "--cache-limit", "200kB").json()
    let bytes = try #require(stats["bytes"] as? Int)
    #expect(bytes <= 200_000 && bytes > 100_000 && stats["limit"] as? Int == 200_000, "\(stats)")
    #expect(try await room.run("cache", "stats", "--json").json()["limit"] as? Int == 256 << 20)
    // A response above an eighth of the limit is not stored.
    let small = try await room.run(arguments + ["64kB", "--cache-dir", "small"])
    let reasons = (try small.json()["notKept"] as? [String: Any])?["reasons"] as? [String: [String: Any]]
    #expect(small.exit == 2 && reasons?["too-large"]?["responses"] as? Int == 40, "\(small)")
    let table = try await room.run(
      "prefetch", "list", "--as", "bytes", "--cache-limit", "64kB", "--cache-dir", "small")
    #expect(
      table.text.contains(": the response exceeds an eighth of the cache limit; raise --cache-limit\n"),
      "\(table)")
  }

  @Test("a response with no-store is not reported as lost, even if the cache fails")
  func noStore() async throws {
    let room = try Room()
    let origin = try TestOrigin { request in
      OriginResponse(
        headers: ["cache-control": request.target == "/2" ? "no-store" : "max-age=600"],
        body: [UInt8](repeating: 7, count: 100))
    }
    // Others may write to the directory, so every lookup in it is an error.
    try FileManager.default.createDirectory(
      atPath: room.path("open"), withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: room.path("open"))
    for (paths, notStored) in [(["/2"], 0), (["/1", "/2", "/3"], 2)] {
      try room.write(lines: paths.map { origin.url($0) }, as: "list")
      let ended = try await room.run("prefetch", "list", "--as", "bytes", "--json", "--cache-dir", "open")
      let report = try ended.json()
      #expect((report["cache"] as? [String: Any])?["errors"] as? Int ?? 0 > 0, "\(ended)")
      let notKept = report["notKept"] as? [String: Any]
      #expect(ended.exit == (notStored > 0 ? 2 : 0) && notKept?["responses"] as? Int == notStored, "\(ended)")
    }
    let fetched = try await room.run("fetch", origin.url("/2"), "--as", "bytes", "--cache-dir", "open")
    #expect(fetched.exit == 0 && fetched.errors.isEmpty, "\(fetched)")
  }

  @Test("the first failures are printed, the others counted, and --quiet prints none")
  func printedFailures() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    try room.write(lines: (1...23).map { origin.url("/nothing\($0)") } + ["no url"], as: "list")
    let ended = try await room.run("prefetch", "list", "-j", "1")
    #expect(ended.exit == 2 && ended.errorLines.count == 21, "\(ended)")
    for (index, line) in ended.errorLines.prefix(20).enumerated() {
      let url = origin.url("/nothing\(index + 1)")
      // Only the first of several equal failures has the advice.
      let advice = index == 0 ? "; check the URL" : ""
      #expect(line == "cellophane: status: line \(index + 1): \(url) answered 404\(advice)")
    }
    #expect(ended.errorLines.last == "... and 4 more failures; list all of them with --jsonl")
    let quiet = try await room.run("prefetch", "list", "--quiet")
    #expect(quiet.exit == 2 && quiet.errors.isEmpty, "\(quiet)")
  }

  @Test func `files have the number of their line`() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    try room.write(lines: ["", origin.url("/8.png"), origin.url("/9.jpg")], as: "list")
    let whole = try await room.run("prefetch", "list", "--output", "whole")
    #expect(whole.exit == 0 && whole.text.contains("fetched"), "\(whole)")
    #expect(try room.bytes(of: "whole/00000002.png") == testImage(8, 8).encoded(as: .png))
    #expect(try room.bytes(of: "whole/00000003.jpg") == testImage(9, 8).encoded(as: .jpeg(quality: 90)))
    let bytes = try await room.run("prefetch", "list", "--as", "bytes", "-o", "bytes", "--quiet")
    #expect(bytes.exit == 0 && bytes.output.isEmpty && bytes.errors.isEmpty, "\(bytes)")
    #expect(try room.bytes(of: "bytes/00000002") == testImage(8, 8).encoded(as: .png))
    let small = try await room.run("prefetch", "list", "--size", "4x4", "-o", "small")
    #expect(small.exit == 0, "\(small)")
    let decoded = try await room.run("decode", "small/00000002.png", "small/00000003.jpg")
    #expect(decoded.text.contains("png 4x4") && decoded.text.contains("jpeg 4x4"), "\(decoded)")
  }

  @Test func `a list is read from standard input`() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    for list in [["-"], []] {
      let ended = try await room.run(
        ["prefetch", "--jsonl", "-", "--no-cache"] + list, input: Array((origin.url("/8.png") + "\n").utf8))
      #expect(ended.exit == 0 && ended.errors.contains("fetched"), "\(ended)")
      #expect(try objects(lines: ended.output).first?["width"] as? Int == 8, "\(ended)")
    }
  }

  @Test(
    "an interrupted run reports its finished records and has an exit code of its own",
    arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 130)] as [(Int32, Int32)])
  func interrupted(signal: Int32, exit: Int32) async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    try room.write(lines: ["/8.png", "/hangs", "/9.png"].map(origin.url), as: "list")
    let child = try room.start(["prefetch", "list", "-j", "1", "--jsonl", "results"])
    _ = await origin.counters { $0.completed == 1 && $0.inFlight == 1 }
    child.send(signal)
    let ended = try await child.end()
    #expect(ended.exit == exit && ended.errorLines.count == 1, "\(ended)")
    #expect(ended.errorLines.first?.hasPrefix("cellophane: interrupted: ") == true, "\(ended)")
    #expect(ended.text.hasPrefix("records    1  in "), "\(ended)")
    #expect(try outcomes(objects(lines: room.bytes(of: "results"))) == [1: "fetched"])
    #expect(origin.requestsByTarget["/9.png"] == nil)
    let names = try FileManager.default.contentsOfDirectory(atPath: room.path("cache/cellophane"))
    #expect(!names.contains { $0.hasPrefix("cellophane-lease-") }, "\(names)")
  }

  @Test("an unreadable list has one line of error and exit code 1")
  func unreadableLists() async throws {
    let room = try Room()
    for list in ["missing", room.path, "none/list"] {
      let ended = try await room.run("prefetch", list, "--json")
      #expect(try ended.exit == 1 && ended.errorKind() == "io", "\(list): \(ended)")
      #expect(ended.errorLines.count == 1, "\(list): \(ended)")
    }
    let url = try await room.run("prefetch", "127.0.0.1:1/a.png")
    #expect(
      url.errors.hasSuffix("no such file or directory; for a URL, write http:// before it\n"), "\(url)")
    let list = try room.write([], as: "list")
    for (arguments, message) in [
      (
        ["--jsonl", "none/results"],
        "cannot write none/results: the directory none does not exist; create it\n"
      ),
      (["--output", list + "/folder"], "cannot "),
      (
        ["--output", list],
        "cannot make the directory \(list): a file has this name; name another directory\n"
      ),
    ] {
      let ended = try await room.run(["prefetch", list] + arguments)
      #expect(ended.exit == 1 && ended.errors.hasPrefix("cellophane: io: " + message), "\(ended)")
      #expect(ended.errorLines.count == 1 && !ended.errors.contains("error "), "\(ended)")
    }
  }

  @Test("results never replace the list, even under another path")
  func resultsOnTheList() async throws {
    let room = try Room()
    let list = try room.write(lines: ["no url"], as: "list")
    try FileManager.default.createSymbolicLink(atPath: room.path("link"), withDestinationPath: "list")
    for results in ["list", list, "./list", "link"] {
      let ended = try await room.run("prefetch", "list", "--jsonl", results)
      #expect(ended.exit == 64 && ended.errorLines.count == 1, "\(results): \(ended)")
      #expect(try room.bytes(of: "list") == Array("no url".utf8), "\(results)")
    }
    let redirected = try await room.shell("cellophane prefetch --jsonl list <list")
    #expect(try redirected.exit == 64 && room.bytes(of: "list") == Array("no url".utf8), "\(redirected)")
  }

  @Test("an endless first line has one failed result and ends the run with an error")
  func endlessLine() async throws {
    let room = try Room()
    let endless = "tr '\\0' a </dev/zero |"
    for command in ["\(endless) cellophane prefetch /dev/stdin", "\(endless) cellophane prefetch"] {
      let ended = try await room.shell("\(command) --quiet --jsonl results")
      #expect(
        ended.exit == 1 && ended.errors.contains("its first line has more than 16777216 bytes"),
        "\(command): \(ended)")
      #expect(try objects(lines: room.bytes(of: "results")).count == 1, "\(command)")
    }
  }

  /// Returns fixed pseudo-random bytes, which include line ends and NULs.
  private func garbage(_ count: Int) -> [UInt8] {
    var state: UInt64 = 42
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(state >> 56)
    }
  }

  @Test("a list of arbitrary bytes has one result per line")
  func hostileLists() async throws {
    let room = try Room()
    for (name, bytes, lines) in [
      ("garbage", garbage(100_000), nil),
      ("one huge line", [UInt8](repeating: 97, count: 5_000_000), 1),
      (
        "a huge line between others",
        Array("a\n".utf8) + [UInt8](repeating: 97, count: 1_000_000) + Array("\nb".utf8), 3
      ),
      ("20 000 lines", Array(String(repeating: "not a url %%\n", count: 20_000).utf8), 20_000),
      ("NULs after a text", Array("http://h".utf8) + [UInt8](repeating: 0, count: 1_000), 1),
      ("nothing", [], 0), ("line ends", Array("\r\n\n\r\n".utf8), 0),
    ] as [(String, [UInt8], Int?)] {
      let list = try room.write(bytes, as: "list")
      let ended = try await room.run("prefetch", list, "--json", "--jsonl", "results")
      let summary = try ended.json()
      #expect(
        ended.exit == (lines == 0 ? 0 : 2) && ended.errorLines.isEmpty == (lines != 0), "\(name): \(ended)")
      #expect(summary["lines"] as? Int == lines ?? summary["failed"] as? Int, "\(name): \(ended)")
      let results = try room.bytes(of: "results").split(separator: UInt8(ascii: "\n"))
      #expect(results.count == summary["lines"] as? Int, "\(name)")
      #expect(results.allSatisfy { $0.count < 400_000 }, "\(name)")
    }
  }

  @Test("a password in a URL is in no output and in no file")
  func passwords() async throws {
    let room = try Room()
    let urls = [
      "http://user:secret@127.0.0.1:1/a", "http://user:sec ret@h/", "http://user:x/secret@h/",
      "user:secret@h",
    ]
    try room.write(lines: urls, as: "list.txt")
    let ended = try await room.run(
      "prefetch", "list.txt", "--jsonl", "results.jsonl", "--json", "--cache-dir", "cache")
    #expect(ended.exit == 2, "\(ended)")
    let results = try room.bytes(of: "results.jsonl")
    #expect(try objects(lines: results).count == 4)
    let fetched = try await room.run("fetch", urls[0], "--json", "--cache-dir", "cache")
    #expect(fetched.exit == 64, "\(fetched)")
    // None of them starts like a URL, so each counts as the name of a list.
    for argument in ["ftp://user:secret@h/x", "//user:secret@h", "user:secret@h", "http:/user:secret@h"] {
      for arguments in [[argument], ["--retry-failed", argument]] {
        let refused = try await room.run(["prefetch"] + arguments)
        #expect(refused.exit != 0 && !refused.errors.contains("secret"), "\(refused)")
      }
    }
    let found = try await room.shell("grep -r secret cache results.jsonl; ls -R cache | grep secret")
    for text in [ended.text, ended.errors, fetched.text, fetched.errors, found.text] {
      #expect(!text.contains("secret") && !text.contains("sec ret"), "\(text)")
    }
  }
}
