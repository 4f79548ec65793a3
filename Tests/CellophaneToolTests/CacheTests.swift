internal import CellophaneTesting
internal import Foundation
internal import Testing

@Suite("cache", .timeLimit(.minutes(1)))
struct CacheTests {
  private func filled(_ room: Room, pictures: Int) async throws {
    let origin = try TestOrigin.gallery()
    try room.write(lines: (1...pictures).map { origin.url("/\($0 + 10).png") }, as: "list")
    let ended = try await room.run("prefetch", "list", "--quiet")
    #expect(ended.exit == 0, "\(ended)")
  }

  private func entries(_ room: Room) async throws -> Int? {
    try await room.run("cache", "stats", "--json").json()["entries"] as? Int
  }

  @Test func whatPrefetchKeptIsCountedListedAndIntact() async throws {
    let room = try Room()
    try await filled(room, pictures: 6)
    let stats = try await room.run("cache", "stats")
    #expect(stats.exit == 0 && stats.text.contains("  6 entries  "), "\(stats)")
    #expect(stats.text.hasPrefix(room.path("cache/cellophane")), "\(stats)")
    let list = try await room.run("cache", "list", "--json")
    let listed = try #require(try list.json()["entries"] as? [[String: Any]])
    #expect(listed.count == 6 && listed.allSatisfy { $0["status"] as? Int == 200 }, "\(list)")
    #expect(listed.allSatisfy { ($0["fresh_s"] as? Int ?? 0) > 3_000 }, "\(list)")
    #expect(try await room.run("cache", "list").text.split(separator: "\n").count == 6)
    let verified = try await room.run("cache", "verify", "--json")
    #expect(try verified.exit == 0 && verified.json()["intact"] as? Int == 6, "\(verified)")
  }

  @Test("verify removes what is damaged and says so with exit code 2")
  func damage() async throws {
    let room = try Room()
    try await filled(room, pictures: 3)
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

  @Test func trimAndClearMakeRoom() async throws {
    let room = try Room()
    try await filled(room, pictures: 4)
    let all = try await room.run("cache", "stats", "--json").json()["bytes"] as? Int ?? 0
    let trimmed = try await room.run("cache", "trim", "--to", "\(all / 2)", "--json")
    #expect(try trimmed.json()["bytes"] as? Int ?? .max <= all / 2, "\(trimmed)")
    #expect((1...3).contains(try await entries(room) ?? 0))
    let cleared = try await room.run("cache", "clear")
    #expect(cleared.exit == 0 && cleared.text.contains("  0 entries  "), "\(cleared)")
    #expect(try await entries(room) == 0)
  }

  @Test("What is no directory, or cannot be opened or emptied, is an error")
  func unusableCaches() async throws {
    let room = try Room()
    let file = try room.write([1, 2, 3], as: "file")
    try await filled(room, pictures: 1)
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

  @Test("What cannot be removed stays, and is an error, for root too")
  func stubbornEntries() async throws {
    let room = try Room()
    try await filled(room, pictures: 1)
    let stubborn = room.path("cache/cellophane/00000000000000000000000000000000-2")
    try FileManager.default.createDirectory(atPath: stubborn + "/full", withIntermediateDirectories: true)
    let verified = try await room.run("cache", "verify", "--json")
    let report = try verified.json()
    #expect(verified.exit == 2 && verified.errors.hasPrefix("cellophane: io: "), "\(verified)")
    #expect(report["corrupt"] as? Int == 0 && report["unreadable"] as? Int == 1, "\(verified)")
    let cleared = try await room.run("cache", "clear", "--json")
    #expect(try cleared.exit == 1 && cleared.errorKind() == "io", "\(cleared)")
    #expect(FileManager.default.fileExists(atPath: stubborn))
  }

  @Test("What cannot be read or removed is an error", .enabled(if: geteuid() != 0))
  func forbiddenCaches() async throws {
    let room = try Room()
    try await filled(room, pictures: 1)
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

  @Test("Looking into a cache that does not exist makes none")
  func emptyCaches() async throws {
    let room = try Room()
    for command in [["stats"], ["list"], ["verify"], ["trim", "--to", "0"], ["clear"]] {
      let ended = try await room.run(["cache"] + command + ["--cache-dir", "none", "--json"])
      let report = try ended.json()
      #expect(ended.exit == 0 && ended.errors.isEmpty && !report.isEmpty, "\(command): \(ended)")
    }
    #expect(!FileManager.default.fileExists(atPath: room.path("none")))
  }
}
