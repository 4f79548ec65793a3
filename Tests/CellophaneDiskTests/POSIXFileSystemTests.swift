internal import CellophaneDisk
internal import CellophaneTesting
internal import Foundation
internal import Testing

@Suite struct POSIXFileSystemTests {
  /// Runs `body` with the path of a directory that does not exist yet. Removes the directory afterwards.
  private func withDirectory(_ body: (String) async throws -> Void) async throws {
    let parent = FileManager.default.temporaryDirectory.path + "/cellophane-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: parent) }
    try await body(parent + "/a/cache")
  }

  private func mode(of path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? NSNumber).intValue
  }

  private func list(_ path: String) throws -> [FileEntry] {
    let listing = try POSIXFileSystem().directory(at: path, creating: false).list()
    var files: [FileEntry] = []
    while case let next = try listing.next(100), !next.isEmpty { files += next }
    return files.filter { !isLedgerOrLease($0.name) }
  }

  private func size(of directory: String) throws -> Int {
    try list(directory).reduce(0) { $0 + blocks($1.size) }
  }

  @Test func `responses are stored in files that only the owner may read`() async throws {
    try await withDirectory { directory in
      let cache = DiskCache(directory: directory)
      #expect(await cache.response(for: try key(1)) == nil)
      for number in 1...20 {
        await cache.store(response(number, size: number * 10_000), for: try key(number))
      }
      for number in 1...20 {
        #expect(await cache.response(for: try key(number)) == response(number, size: number * 10_000))
      }
      let counters = await cache.counters
      #expect(counters.hits == 20 && counters.errors == 0)
      #expect(try mode(of: directory) == 0o700)
      let names = try FileManager.default.contentsOfDirectory(atPath: directory)
      #expect(names.count == 22 && !names.contains { $0.hasPrefix("cellophane-tmp-") })
      for name in names { #expect(try mode(of: directory + "/" + name) == 0o600) }
      #expect(await cache.list().count == 20)
      #expect(await cache.verify().intact == 20)
      let used = try size(of: directory)
      #expect(await cache.stats().bytes == used)
    }
  }

  @Test func `eviction follows the order of use`() async throws {
    try await withDirectory { directory in
      let cache = DiskCache(directory: directory, limit: 16 * 4_096)
      for number in 1...14 { await cache.store(response(number, size: 100), for: try key(number)) }
      // A use within a minute of the last one does not change the date.
      let opened = try POSIXFileSystem().directory(at: directory, creating: false)
      for file in try list(directory) { try opened.setUsed(file.name, at: file.used - .seconds(90)) }
      #expect(await cache.response(for: try key(1)) != nil)
      await cache.trim(to: 3 * 4_096)
      let kept = try [1, 13, 14].map { try key($0).url }
      #expect(await cache.list().map(\.url) == kept)
    }
  }

  @Test func `two caches in one directory keep one limit`() async throws {
    try await withDirectory { directory in
      let limit = 64 * 4_096
      let caches = (0..<2).map { _ in
        DiskCache(
          directory: directory, limit: limit, fileSystem: POSIXFileSystem.waitingForLock(in: directory))
      }
      for round in 0..<30 {
        await withTaskGroup(of: Void.self) { group in
          for (process, cache) in caches.enumerated() {
            group.addTask {
              for step in (round * 5)..<(round * 5 + 5) {
                let number = (step * 7 + process * 3) % 60
                guard let key = try? key(number) else { return }
                await cache.store(response(number, size: 1_000 + number * 400), for: key)
                let found = await cache.response(for: key)
                #expect(found == nil || found == response(number, size: 1_000 + number * 400))
              }
              await cache.finishBackgroundWork()
            }
          }
        }
        // No cache works now: a listing would show files that appear and disappear during it.
        let files = try list(directory)
        #expect(files.reduce(0) { $0 + blocks($1.size) } <= limit, "round \(round)")
        #expect(!files.contains { $0.name.hasPrefix("cellophane-tmp-") }, "round \(round)")
      }
      for cache in caches {
        let counters = await cache.counters
        #expect(counters.errors == 0 && counters.stores == 150, "\(counters)")
      }
    }
  }

  /// Opening a pipe would block, and a link would lead to another file.
  @Test(arguments: ["directory", "link", "pipe"])
  func `a directory, link or pipe under an entry's name is a miss and is replaced`(kind: String) async throws
  {
    try await withDirectory { directory in
      let cache = DiskCache(directory: directory)
      await cache.store(response(1, size: 100), for: try key(1))
      let name = try #require(list(directory).first).name
      let path = directory + "/" + name
      if kind == "link" {
        try FileManager.default.moveItem(atPath: path, toPath: directory + "/elsewhere")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "elsewhere")
      } else {
        try FileManager.default.removeItem(atPath: path)
        if kind == "pipe" {
          #expect(unsafe mkfifo(path, 0o600) == 0)
        } else {
          try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
      }
      #expect(await cache.response(for: try key(1)) == nil)
      #expect(await cache.counters.corrupt == 1)
      await cache.store(response(1, size: 100), for: try key(1))
      #expect(await cache.response(for: try key(1)) == response(1, size: 100))
      #expect(await cache.counters.errors == 0)
    }
  }

  @Test func `a directory that cannot be created counts as an error`() async throws {
    let cache = DiskCache(directory: "/dev/null/cellophane")
    await cache.store(response(1, size: 100), for: try key(1))
    #expect(await cache.response(for: try key(1)) == nil)
    #expect(await cache.counters.errors == 1)
    #expect(await cache.counters.lastError?.contains("/dev/null") == true)
  }

  @Test func `a deleted directory is created again`() async throws {
    try await withDirectory { directory in
      let cache = DiskCache(directory: directory)
      await cache.store(response(1, size: 100), for: try key(1))
      try FileManager.default.removeItem(atPath: directory)
      #expect(await cache.response(for: try key(1)) == nil)
      await cache.store(response(2, size: 100), for: try key(2))
      #expect(await cache.response(for: try key(2)) != nil)
      #expect(await cache.counters.errors == 0)
    }
  }
}
