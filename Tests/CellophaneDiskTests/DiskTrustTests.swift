internal import CellophaneDisk
internal import Foundation
internal import Testing

/// Directories and files that other users may control. The cache refuses them and never writes through them.
@Suite struct DiskTrustTests {
  private let parent = FileManager.default.temporaryDirectory.path + "/cellophane-" + UUID().uuidString
  private var path: String { parent + "/cache" }

  /// Runs `body` with a temporary directory at `parent`.
  private func withParent(_ body: () async throws -> Void) async throws {
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: parent) }
    try await body()
  }

  private func names(in path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  /// Expects that a cache in `path` stores and finds nothing, and that its error names the remedy.
  private func expectRefused(
    _ path: String, _ reason: Comment, sourceLocation: SourceLocation = #_sourceLocation
  )
    async throws
  {
    let cache = DiskCache(directory: path)
    await cache.store(response(1, size: 100), for: try key(1))
    #expect(await cache.response(for: try key(1)) == nil, reason, sourceLocation: sourceLocation)
    await cache.removeAll()
    let counters = await cache.counters
    #expect(counters.stores == 0 && counters.errors > 0, reason, sourceLocation: sourceLocation)
    let message = counters.lastError ?? ""
    #expect(
      message.contains(path) && message.contains("name a directory of your own"), reason,
      sourceLocation: sourceLocation)
  }

  @Test func `a directory that other users may write to is refused`() async throws {
    try await withParent {
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
      #expect(
        await cache.response(for: try key(1)) != nil,
        "permission to read is harmless: the files themselves are not readable")
    }
  }

  /// Only root can change the owner of a directory. Without root, the test uses a directory that root owns.
  @Test func `a directory of another user is refused`() async throws {
    try await withParent {
      guard geteuid() == 0 else { return try await expectRefused("/usr", "root's") }
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      #expect(unsafe chown(path, 12_345, 12_345) == 0)
      try await expectRefused(path, "another user's")
      #expect(try names(in: path).isEmpty)
    }
  }

  @Test func `a symbolic link to a directory is refused`() async throws {
    try await withParent {
      try FileManager.default.createDirectory(atPath: parent + "/target", withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "target")
      try await expectRefused(path, "a link")
      #expect(try names(in: parent + "/target").isEmpty)
    }
  }

  /// The links lead to a file that must not change.
  @Test(arguments: [true, false]) func `links under the names of cache files are replaced, never followed`(
    areSymbolic: Bool
  ) async throws {
    try await withParent {
      let target = parent + "/target"
      let bytes = Data([1, 2, 3])
      try bytes.write(to: URL(filePath: target))
      let cache = DiskCache(directory: path)
      await cache.store(response(1, size: 100), for: try key(1))
      await cache.settle()
      for name in try names(in: path) {
        try FileManager.default.removeItem(atPath: path + "/" + name)
        if areSymbolic {
          try FileManager.default.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: target)
        } else {
          try FileManager.default.linkItem(atPath: target, toPath: path + "/" + name)
        }
        let other = DiskCache(directory: path)
        #expect(await other.response(for: try key(1)) == nil)
        await other.store(response(1, size: 100), for: try key(1))
        await other.store(prefix(2, size: 100, total: nil), for: try key(1))
        await other.trim(to: 1 << 20)
        await other.removeAll()
        await other.settle()
        #expect(try Data(contentsOf: URL(filePath: target)) == bytes, "written through \(name)")
      }
      await cache.store(response(1, size: 100), for: try key(1))
      #expect(await cache.response(for: try key(1)) != nil, "the links are replaced")
    }
  }

  /// The entries are intact. They were planted while other users could write to the directory.
  @Test(arguments: [true, false]) func `entries of another user, or with two names, are not read`(
    isOfAnotherUser: Bool
  ) async throws {
    // Only root can change the owner of a file.
    guard geteuid() == 0 || !isOfAnotherUser else { return }
    try await withParent {
      let cache = DiskCache(directory: path)
      await cache.store(response(1, size: 100), for: try key(1))
      await cache.settle()
      for name in try names(in: path) {
        let file = path + "/" + name
        if isOfAnotherUser {
          #expect(unsafe chown(file, 12_345, 12_345) == 0 && chmod(file, 0o666) == 0)
        } else {
          try FileManager.default.linkItem(atPath: file, toPath: parent + "/" + name)
        }
      }
      #expect(await cache.response(for: try key(1)) == nil)
      await cache.store(response(2, size: 100), for: try key(2))
      #expect(
        await cache.response(for: try key(2)) == response(2, size: 100), "the cache creates its own ledger")
      #expect(await cache.counters.errors == 0)
    }
  }

  /// The directory is not empty and cannot be removed. The failed stores leave no other file.
  @Test func `a directory under the ledger's name makes stores fail, a socket is replaced`() async throws {
    try await withParent {
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

  /// The directory moves while the cache is open, and a link to another directory appears at its path.
  @Test func `a link that replaces the open directory is not followed`() async throws {
    try await withParent {
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

  /// Their names resemble those of the cache. A user may name such a directory by mistake.
  @Test func `files that do not belong to the cache stay`() async throws {
    try await withParent {
      let digits = String(repeating: "0123456789abcdef", count: 2)
      let foreign = [
        "tmp-20240101", "tmp-1", "tmp-0123456789abcdef-1", digits, "\(digits)-2", "\(digits)-12p", "total",
        "cellophane", "cellophane-tmp-1", "cellophane-lease-1", "\(digits).cellophane-", "1.cellophane-3",
      ].sorted()
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      for name in foreign { try Data([1]).write(to: URL(filePath: path + "/" + name)) }
      let cache = DiskCache(directory: path)
      await cache.trim(to: 0)
      await cache.removeAll()
      #expect(try names(in: path) == foreign, "and no file is created")
      await cache.store(response(1, size: 100), for: try key(1))
      await cache.removeAll()
      await cache.settle()
      #expect(try names(in: path) == (foreign + ["cellophane-total"]).sorted())
      #expect(await cache.counters.errors == 0)
    }
  }

  @Test func `files and directories are accessible only to their owner`() async throws {
    try await withParent {
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
