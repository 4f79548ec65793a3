internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Foundation
internal import Testing

@Suite("cache", .timeLimit(.minutes(5)))
struct CacheTests {
  private func fillCache(_ room: Room, images: Int) async throws {
    let origin = try TestOrigin.gallery()
    try room.write(lines: (1...images).map { origin.url("/\($0 + 10).png") }, as: "list")
    let ended = try await room.run("prefetch", "list", "--quiet")
    #expect(ended.exit == 0, "\(ended)")
  }

  private func entries(_ room: Room) async throws -> Int? {
    try await room.run("cache", "stats", "--json").json()["entries"] as? Int
  }

  @Test func `stats, list and verify include everything that prefetch stored`() async throws {
    let room = try Room()
    try await fillCache(room, images: 6)
    let stats = try await room.run("cache", "stats")
    #expect(stats.exit == 0 && stats.text.contains("\nresponses  6  "), "\(stats)")
    #expect(stats.text.hasPrefix(room.path("cache/cellophane") + " (cache format "), "\(stats)")
    let list = try await room.run("cache", "list", "--json")
    let listed = try #require(try list.json()["entries"] as? [[String: Any]])
    #expect(listed.count == 6 && listed.allSatisfy { $0["status"] as? Int == 200 }, "\(list)")
    #expect(listed.allSatisfy { ($0["fresh_s"] as? Int ?? 0) > 3_000 }, "\(list)")
    let table = try await room.run("cache", "list")
    let lines = table.text.split(separator: "\n")
    #expect(lines.count == 7 && lines[0].split(separator: " ") == ["SIZE", "FRESH", "FOR", "USED", "URL"])
    let urls = lines.compactMap { $0.firstRange(of: "http://")?.lowerBound.utf16Offset(in: $0) }
    #expect(urls.count == 6 && Set(urls).count == 1, "\(table)")
    let verified = try await room.run("cache", "verify", "--json")
    #expect(try verified.exit == 0 && verified.json()["intact"] as? Int == 6, "\(verified)")
  }

  @Test("verify removes a damaged response and returns exit code 2")
  func damage() async throws {
    let room = try Room()
    try await fillCache(room, images: 3)
    let folder = room.path("cache/cellophane")
    let largest = try #require(
      try FileManager.default.subpathsOfDirectory(atPath: folder).map { folder + "/" + $0 }
        .filter { try Data(contentsOf: URL(filePath: $0)).count > 100 }.first)
    var bytes = Array(try Data(contentsOf: URL(filePath: largest)))
    bytes[bytes.count - 20] ^= 1
    try Data(bytes).write(to: URL(filePath: largest))
    let found = try await room.run("cache", "verify", "--json")
    #expect(try found.exit == 2 && found.json()["corrupt"] as? Int == 1, "\(found)")
    #expect(try await room.run("cache", "verify").exit == 0)
    #expect(try await entries(room) == 2)
  }

  @Test("the markers of variants are counted separately and cleared with the responses")
  func variants() async throws {
    let room = try Room()
    let origin = try TestOrigin { _ in
      OriginResponse(headers: ["cache-control": "max-age=60", "vary": "accept"], body: [1, 2, 3])
    }
    try room.write(lines: (1...3).map { origin.url("/\($0)") }, as: "list")
    #expect(try await room.run("prefetch", "list", "--as", "bytes", "--quiet").exit == 0)
    let stats = try await room.run("cache", "stats", "--json").json()
    #expect(stats["entries"] as? Int == 3 && stats["signposts"] as? Int == 3, "\(stats)")
    let list = try await room.run("cache", "list", "--json").json()["entries"] as? [[String: Any]]
    #expect(list?.count == 3 && list?.allSatisfy { $0["status"] as? Int == 200 } == true, "\(list ?? [])")
    #expect(list?.allSatisfy { Array(($0["fields"] as? [String: String] ?? [:]).keys) == ["accept"] } == true)
    let table = try await room.run("cache", "stats").text
    #expect(table.contains("\nresponses     3  ") && table.contains("\nVary markers  3  "), "\(table)")
    #expect(try await room.run("cache", "verify", "--json").json()["intact"] as? Int == 6)
    let cleared = try await room.run("cache", "clear", "--json").json()
    #expect(cleared["removed"] as? Int == 6 && cleared["bytes"] as? Int == 0, "\(cleared)")
  }

  @Test func `trim and clear remove responses`() async throws {
    let room = try Room()
    try await fillCache(room, images: 4)
    let all = try await room.run("cache", "stats", "--json").json()["bytes"] as? Int ?? 0
    let trimmed = try await room.run("cache", "trim", "--to", "\(all / 2)", "--json")
    #expect(try trimmed.json()["bytes"] as? Int ?? .max <= all / 2, "\(trimmed)")
    let remaining = try await entries(room) ?? 0
    #expect(
      try (1...3).contains(remaining) && trimmed.json()["removed"] as? Int == 4 - remaining, "\(trimmed)")
    #expect(
      try trimmed.json()["removedBytes"] as? Int == all - (trimmed.json()["bytes"] as? Int ?? 0), "\(trimmed)"
    )
    #expect(try await room.run("cache", "trim", "--to", "1GB", "--json").json()["removed"] as? Int == 0)
    let cleared = try await room.run("cache", "clear")
    #expect(cleared.exit == 0 && cleared.text.contains("\nresponses  0  "), "\(cleared)")
    #expect(try await entries(room) == 0)
  }

  @Test("a cache path that is a file, or empty, is an error")
  func unusableCaches() async throws {
    let room = try Room()
    let file = try room.write([1, 2, 3], as: "file")
    try await fillCache(room, images: 1)
    for command in [["stats"], ["list"], ["verify"], ["trim", "--to", "0"], ["clear"]] {
      let ended = try await room.run(["cache"] + command + ["--cache-dir", file, "--json"])
      #expect(try ended.exit == 1 && ended.errorKind() == "io", "\(command): \(ended)")
      let unnamed = try await room.run(["cache"] + command + ["--cache-dir="])
      #expect(unnamed.exit == 64 && unnamed.errorLines.count == 1, "\(command): \(unnamed)")
      // A name that looks like an option.
      let dashed = try await room.run(["cache"] + command + ["--cache-dir=-x", "--json"])
      #expect(dashed.exit == 0 && dashed.errors.isEmpty, "\(command): \(dashed)")
    }
  }

  @Test("an entry that cannot be removed stays and is an error, also for root")
  func irremovableEntries() async throws {
    let room = try Room()
    try await fillCache(room, images: 1)
    let irremovable = room.path("cache/cellophane/00000000000000000000000000000000.cellophane-3")
    try FileManager.default.createDirectory(atPath: irremovable + "/full", withIntermediateDirectories: true)
    let verified = try await room.run("cache", "verify", "--json")
    let report = try verified.json()
    #expect(verified.exit == 2 && verified.errors.hasPrefix("cellophane: io: "), "\(verified)")
    #expect(report["corrupt"] as? Int == 0 && report["unreadable"] as? Int == 1, "\(verified)")
    let cleared = try await room.run("cache", "clear", "--json")
    #expect(try cleared.exit == 1 && cleared.errorKind() == "io", "\(cleared)")
    #expect(FileManager.default.fileExists(atPath: irremovable))
  }

  @Test("a directory without permission to read or to write is an error", .enabled(if: geteuid() != 0))
  func forbiddenCaches() async throws {
    let room = try Room()
    try await fillCache(room, images: 1)
    let folder = room.path("cache/cellophane")
    func setMode(_ mode: Int) throws {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder)
    }
    defer { try? setMode(0o700) }
    for (mode, commands) in [
      (0, [["stats"], ["list"], ["verify"], ["trim", "--to", "0"], ["clear"]]),
      (0o500, [["trim", "--to", "0"], ["clear"]]),
    ] {
      try setMode(mode)
      for command in commands {
        let ended = try await room.run(["cache"] + command + ["--json"])
        #expect(try ended.exit == 1 && ended.errorKind() == "io", "\(command): \(ended)")
      }
      try setMode(0o700)
      #expect(try await entries(room) == 1)
    }
  }

  @Test("no command creates a missing cache")
  func emptyCaches() async throws {
    let room = try Room()
    for command in [["stats"], ["list"], ["verify"], ["trim", "--to", "0"], ["clear"]] {
      let ended = try await room.run(["cache"] + command + ["--cache-dir", "none", "--json"])
      let report = try ended.json()
      #expect(ended.exit == 0 && ended.errors.isEmpty && !report.isEmpty, "\(command): \(ended)")
    }
    #expect(!FileManager.default.fileExists(atPath: room.path("none")))
  }

  @Test(
    "temporary files, other formats and other files are counted separately; clear keeps only these")
  func otherFiles() async throws {
    let room = try Room()
    try await fillCache(room, images: 2)
    let folder = room.path("cache/cellophane")
    let digits = String(repeating: "0", count: 32)
    for (name, size) in [
      (digits + ".cellophane-1", 5_000), (digits + ".cellophane-99p", 1),
      ("cellophane-tmp-0123456789abcdef-1", 1), ("photo.jpg", 1), ("notes", 1),
    ] {
      try Data(repeating: 0, count: size).write(to: URL(filePath: folder + "/" + name))
    }
    let report = try await room.run("cache", "stats", "--json").json()
    let expected = [
      "entries": 2, "prefixes": 0, "unfinished": 1, "unfinishedBytes": 4_096, "otherVersions": 2,
      "otherVersionBytes": 12_288, "foreign": 2,
    ]
    for (key, value) in expected { #expect(report[key] as? Int == value, "\(key) of \(report)") }
    #expect(report["sinceOldestUse_s"] as? Double ?? -1 >= report["sinceNewestUse_s"] as? Double ?? 0)
    let table = try await room.run("cache", "stats").text.split(separator: "\n")
    #expect(
      table.map { $0.prefix(14).split(separator: " ").joined(separator: " ") }.dropFirst().dropLast() == [
        "responses", "temporary", "other formats", "other files", "total",
      ])
    let cleared = try await room.run("cache", "clear", "--json").json()
    #expect(cleared["removed"] as? Int == 5 && cleared["foreign"] as? Int == 2, "\(cleared)")
    #expect(FileManager.default.fileExists(atPath: folder + "/photo.jpg"))
  }

  @Test("a directory without a cache stays unchanged, and one that others may write to is refused")
  func foreignDirectories() async throws {
    let room = try Room()
    let commands = [["stats"], ["list"], ["verify"], ["trim", "--to", "0"], ["clear"]]
    for name in ["empty", "photos"] {
      try FileManager.default.createDirectory(atPath: room.path(name), withIntermediateDirectories: true)
      if name == "photos" { try room.write([1], as: "photos/1.jpg") }
      let before = try FileManager.default.contentsOfDirectory(atPath: room.path(name))
      for command in commands {
        let ended = try await room.run(["cache"] + command + ["--cache-dir", name, "--json"])
        #expect(ended.exit == 0 && ended.errors.isEmpty, "\(command): \(ended)")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: room.path(name)) == before)
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: room.path("empty"))
    for command in commands {
      let ended = try await room.run(["cache"] + command + ["--cache-dir", "empty", "--json"])
      #expect(try ended.exit == 1 && ended.errorKind() == "io", "\(command): \(ended)")
      #expect(ended.errors.contains("chmod go-w"), "\(command): \(ended)")
    }
  }

  @Test("--help names every key of the JSON")
  func keysAreDocumented() async throws {
    let room = try Room()
    try await fillCache(room, images: 1)
    for command in [["stats"], ["list"], ["verify"], ["trim", "--to", "1GB"], ["clear"]] {
      let report = try await room.run(["cache"] + command + ["--json"]).json()
      var keys = Set(report.keys)
      for entry in report["entries"] as? [[String: Any]] ?? [] { keys.formUnion(entry.keys) }
      var help = try await room.run("cache", command[0], "--help").text
      if help.contains("the output of stats") { help += try await room.run("cache", "stats", "--help").text }
      let words = Set(help.split { !$0.isLetter && $0 != "_" }.map(String.init))
      #expect(keys.count >= 1 && keys.isSubset(of: words), "\(command): \(keys.subtracting(words))")
    }
  }

  #if os(Linux)
    @Test("progress appears only on a terminal that can overwrite a line, and disappears at the end")
    func progress() async throws {
      let room = try Room()
      try await fillCache(room, images: 3)
      for command in ["stats", "list", "verify", "trim --to 1GB", "clear"] {
        for (shell, isShown) in [
          ("script -qec 'TERM=xterm cellophane cache \(command)' /dev/null", true),
          ("script -qec 'TERM=xterm cellophane cache \(command) --quiet' /dev/null", false),
          ("script -qec 'TERM=dumb cellophane cache \(command)' /dev/null", false),
          ("cellophane cache \(command) 2>&1", false),
        ] {
          let ended = try await room.shell(shell)
          #expect(ended.exit == 0, "\(shell): \(ended)")
          #expect(ended.text.contains("\u{1B}") == isShown, "\(shell): \(ended)")
          #expect(ended.text.contains("files found") == isShown, "\(shell): \(ended)")
          // An empty line ends the progress, before the results.
          if isShown {
            let rest = ended.text.split(separator: "\r\u{1B}[K", omittingEmptySubsequences: false).last ?? ""
            #expect(!rest.contains("found") && !rest.isEmpty, "\(shell): \(ended)")
          }
        }
      }
    }
  #endif
}
