internal import Cellophane
internal import Foundation
internal import Testing

/// What may be somebody else's is refused and never written through; the loads go on without.
@Suite struct DiskTrustTests {
  private let parent = FileManager.default.temporaryDirectory.path + "/cellophane-" + UUID().uuidString
  private var path: String { parent + "/cache" }

  private func inRoom(_ body: () async throws -> Void) async throws {
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: parent) }
    try await body()
  }

  private func names(in path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  /// A cache in `path` stores and gives nothing, and says what to do.
  private func expectRefused(
    _ path: String, _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation
  )
    async throws
  {
    let cache = DiskCache(directory: path)
    await cache.store(response(1, size: 100), for: try key(1))
    #expect(await cache.response(for: try key(1)) == nil, what, sourceLocation: sourceLocation)
    await cache.removeAll()
    let counters = await cache.counters
    #expect(counters.stores == 0 && counters.errors > 0, what, sourceLocation: sourceLocation)
    let says = counters.lastError ?? ""
    #expect(
      says.contains(path) && says.contains("name a directory of your own"), what,
      sourceLocation: sourceLocation)
  }

  @Test func aDirectoryThatOthersMayWriteTo() async throws {
    try await inRoom {
      for mode in [0o777, 0o770, 0o720, 0o702, 0o1777] {
        try FileManager.default.createDirectory(
          atPath: path, withIntermediateDirectories: true)
        #expect(unsafe chmod(path, mode_t(mode)) == 0)
        try await expectRefused(path, "mode \(String(mode, radix: 8))")
        #expect(try names(in: path).isEmpty)
      }
      #expect(unsafe chmod(path, 0o755) == 0)
      let cache = DiskCache(directory: path)
      await cache.store(response(1, size: 100), for: try key(1))
      #expect(await cache.response(for: try key(1)) != nil, "others may look, and see no file of ours")
    }
  }

  /// Only root can give a directory away; without, the root directory is somebody else's.
  @Test func aDirectoryOfSomebodyElse() async throws {
    try await inRoom {
      guard geteuid() == 0 else { return try await expectRefused("/usr", "root's") }
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      #expect(unsafe chown(path, 12_345, 12_345) == 0)
      try await expectRefused(path, "another user's")
      #expect(try names(in: path).isEmpty)
    }
  }

  @Test func aLinkToADirectory() async throws {
    try await inRoom {
      try FileManager.default.createDirectory(atPath: parent + "/target", withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "target")
      try await expectRefused(path, "a link")
      #expect(try names(in: parent + "/target").isEmpty)
    }
  }

  /// Links in the places of the cache's own files lead to a file that must stay as it is.
  @Test(arguments: [true, false]) func linksInThePlacesOfFiles(areSymbolic: Bool) async throws {
    try await inRoom {
      let treasure = parent + "/treasure"
      let bytes = Data([1, 2, 3])
      try bytes.write(to: URL(filePath: treasure))
      let cache = DiskCache(directory: path)
      await cache.store(response(1, size: 100), for: try key(1))
      await cache.settle()
      for name in try names(in: path) {
        try FileManager.default.removeItem(atPath: path + "/" + name)
        if areSymbolic {
          try FileManager.default.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: treasure)
        } else {
          try FileManager.default.linkItem(atPath: treasure, toPath: path + "/" + name)
        }
        let other = DiskCache(directory: path)
        #expect(await other.response(for: try key(1)) == nil)
        await other.store(response(1, size: 100), for: try key(1))
        await other.store(prefix(2, size: 100, total: nil), for: try key(1))
        await other.trim(to: 1 << 20)
        await other.removeAll()
        await other.settle()
        #expect(try Data(contentsOf: URL(filePath: treasure)) == bytes, "through \(name)")
      }
      await cache.store(response(1, size: 100), for: try key(1))
      #expect(await cache.response(for: try key(1)) != nil, "what stood in the way is replaced")
    }
  }

  /// An intact entry, put there while others could write to the directory: of another user, or under two names.
  @Test(arguments: [true, false]) func plantedEntriesAreNotGiven(isOfAnother: Bool) async throws {
    // Only root can give a file away.
    guard geteuid() == 0 || !isOfAnother else { return }
    try await inRoom {
      let cache = DiskCache(directory: path)
      await cache.store(response(1, size: 100), for: try key(1))
      await cache.settle()
      for name in try names(in: path) {
        let file = path + "/" + name
        if isOfAnother {
          #expect(unsafe chown(file, 12_345, 12_345) == 0 && chmod(file, 0o666) == 0)
        } else {
          try FileManager.default.linkItem(atPath: file, toPath: parent + "/" + name)
        }
      }
      #expect(await cache.response(for: try key(1)) == nil)
      await cache.store(response(2, size: 100), for: try key(2))
      #expect(await cache.response(for: try key(2)) == response(2, size: 100), "with a lock file of its own")
      #expect(await cache.counters.errors == 0)
    }
  }

  /// What can be removed is replaced; what cannot is an error of each store, and nothing else is left behind.
  @Test func noFileInThePlaceOfTheLedger() async throws {
    try await inRoom {
      let ledger = path + "/cellophane-total"
      try FileManager.default.createDirectory(atPath: ledger + "/full", withIntermediateDirectories: true)
      for number in 1...3 {
        let cache = DiskCache(directory: path)
        await cache.store(response(number, size: 100), for: try key(number))
        #expect(try names(in: path) == ["cellophane-total"])
        await cache.settle()
        let counters = await cache.counters
        #expect(counters.stores == 0 && counters.errors == 1 && counters.lastError?.contains(ledger) == true)
      }
      try FileManager.default.removeItem(atPath: ledger)
      #expect(unsafe mknod(ledger, mode_t(S_IFSOCK) | 0o600, 0) == 0)
      let cache = DiskCache(directory: path)
      await cache.store(response(1, size: 100), for: try key(1))
      #expect(await cache.response(for: try key(1)) != nil)
      #expect(await cache.counters.errors == 0)
    }
  }

  /// While the cache is open its directory is taken away and a link to another one put in its place.
  @Test func aLinkThatComesLater() async throws {
    try await inRoom {
      let cache = DiskCache(directory: path, limit: 1 << 20)
      await cache.store(response(1, size: 100), for: try key(1))
      try FileManager.default.moveItem(atPath: path, toPath: parent + "/moved")
      try FileManager.default.createDirectory(atPath: parent + "/target", withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "target")
      for number in 2..<200 { await cache.store(response(number, size: 100), for: try key(number)) }
      await cache.removeAll()
      #expect(try names(in: parent + "/target").isEmpty)
      #expect(await cache.counters.lastError?.contains("it is a symbolic link") == true)
      try FileManager.default.removeItem(atPath: path)
      await cache.store(response(3, size: 100), for: try key(3))
      #expect(await cache.response(for: try key(3)) != nil)
      #expect(try !names(in: path).isEmpty)
    }
  }

  /// Names that others give too, in a directory that somebody names by mistake.
  @Test func filesOfOthersStay() async throws {
    try await inRoom {
      let digits = String(repeating: "0123456789abcdef", count: 2)
      let theirs = [
        "tmp-20240101", "tmp-1", "tmp-0123456789abcdef-1", digits, "\(digits)-2", "\(digits)-12p", "total",
        "cellophane", "cellophane-tmp-1", "cellophane-lease-1", "\(digits).cellophane-", "1.cellophane-3",
      ].sorted()
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      for name in theirs { try Data([1]).write(to: URL(filePath: path + "/" + name)) }
      let cache = DiskCache(directory: path)
      await cache.trim(to: 0)
      await cache.removeAll()
      #expect(try names(in: path) == theirs, "nor is anything made")
      await cache.store(response(1, size: 100), for: try key(1))
      await cache.removeAll()
      await cache.settle()
      #expect(try names(in: path) == (theirs + ["cellophane-total"]).sorted())
      #expect(await cache.counters.errors == 0)
    }
  }

  @Test func filesAreTheirOwnersAlone() async throws {
    try await inRoom {
      let cache = DiskCache(directory: parent + "/a/b/cache")
      await cache.store(response(1, size: 100), for: try key(1))
      await cache.store(prefix(1, size: 100, total: nil), for: try key(1))
      for directory in ["/a", "/a/b", "/a/b/cache"] { #expect(try mode(parent + directory) == 0o700) }
      let files = try names(in: parent + "/a/b/cache")
      #expect(files.count == 4)
      for name in files { #expect(try mode(parent + "/a/b/cache/" + name) == 0o600) }
    }
  }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? NSNumber).intValue
  }
}
