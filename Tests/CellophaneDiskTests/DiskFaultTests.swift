internal import CellophaneDisk
internal import CellophaneTesting
internal import Foundation
internal import TestSupport
internal import Testing

/// One script of stores, lookups, overwrites, evictions and removals, run once with each fault.
@Suite(.thorough)
struct DiskFaultTests {
  /// Makes a lease four blocks. Several small responses share one lease; each large one needs its own.
  private static let limit = 256 * 4_096
  /// The sizes of the responses in bytes, by number: at most 31 blocks. A response may take 32.
  private static let sizes = [
    100, 3_000, 5_000, 700, 90_000, 120_000, 110_000, 126_000, 60_000, 115_000, 125_000,
  ]

  /// The responses of each number, in the first round and in the second.
  private static let versions = sizes.indices.map { number in
    (0..<2).map { response(number * 10 + $0, size: sizes[number] - $0) }
  }

  /// The prefixes of these responses, as a broken transfer leaves them.
  private static let prefixes = versions.map { rounds in
    rounds.map {
      StoredPrefix(
        status: 200, headers: $0.headers, bytes: $0.body.dropLast(9), total: $0.body.count, storedAt: 1_000)
    }
  }

  /// Returns whether a lookup may find `found` for `number`: nothing, or a response stored for it in `rounds` or
  /// before. A fault may undo a store.
  private static func isRight(_ found: StoredResponse?, _ number: Int, rounds: Int) -> Bool {
    found == nil || (0...rounds).contains { found?.isEqual(versions[number][$0]) == true }
  }

  /// Runs the script and checks the limit and the bytes found.
  private static func run(_ cache: DiskCache, on files: MemoryFileSystem, _ fault: String) async throws {
    for round in 0..<2 {
      for number in sizes.indices {
        await cache.store(versions[number][round], for: try key(number))
        #expect(files.occupied <= limit, "\(fault): the limit is exceeded after storing \(number)")
        if number % 4 == 3 {
          await cache.store(prefixes[number][round], for: try key(number))
          #expect(
            files.occupied <= limit, "\(fault): the limit is exceeded after storing a prefix of \(number)")
          let found = await cache.prefix(for: try key(number))
          let isRight = found == nil || (0...round).contains { found == prefixes[number][$0] }
          #expect(isRight, "\(fault): wrong prefix of \(number)")
        }
        guard number % 2 == 0 else { continue }
        let found = await cache.response(for: try key(number / 2))
        #expect(isRight(found, number / 2, rounds: round), "\(fault): wrong bytes for \(number / 2)")
      }
      await cache.finishBackgroundWork()
      #expect(files.occupied <= limit, "\(fault): the limit is exceeded after a round")
      await cache.remove(for: try key(7))
      // Long enough that the next uses get a new date.
      files.advance(by: .seconds(90))
      if round == 0 { await cache.trim(to: limit / 2) } else { await cache.settle() }
    }
  }

  /// Returns the number of file operations of the script.
  private static func operations() async throws -> Int {
    let files = MemoryFileSystem()
    try await run(DiskCache.make(files, limit: limit), on: files, "no fault")
    return files.operations
  }

  /// Opens the directory with a new cache after the fault. Expects correct bytes, the limit kept, no errors, and no
  /// unfinished files after an hour.
  private static func checkRecovery(on files: MemoryFileSystem, _ fault: String) async throws {
    let cache = DiskCache.make(files, limit: limit, now: 10_000)
    for number in sizes.indices {
      let found = await cache.response(for: try key(number))
      #expect(isRight(found, number, rounds: 1), "\(fault): wrong bytes for \(number) afterwards")
    }
    #expect(files.occupied <= limit, "\(fault): the limit is exceeded afterwards")
    files.advance(by: .seconds(3_600))
    for number in 20..<30 {
      await cache.store(response(number, size: 125_000), for: try key(number))
      // If a missing file made the ledger wrong, the next sweep corrects it.
      await cache.finishBackgroundWork()
      #expect(files.occupied <= limit, "\(fault): the limit is exceeded after recovery")
    }
    #expect(await cache.response(for: try key(29)) != nil, "\(fault): does not recover")
    #expect(await cache.counters.errors == 0, "\(fault): errors remain")
    #expect(!files.files.keys.contains { $0.contains("tmp-") }, "\(fault): unfinished files remain")
  }

  @Test func `the script without a fault evicts and makes no error`() async throws {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files, limit: Self.limit)
    try await Self.run(cache, on: files, "no fault")
    let counters = await cache.counters
    #expect(counters.evictions > 8 && counters.errors == 0 && counters.hits > 8, "\(counters)")
    #expect(await cache.stats().bytes == files.occupied)
  }

  /// The operations after it fail as well, so that the cache may not be able to remove an unfinished file.
  @Test(arguments: [.full, .system(5), .notFound, .notAFile] as [FileSystemError.Kind], [1, 2, 3])
  func `the cache recovers after the failure of any operation`(kind: FileSystemError.Kind, inARow: Int)
    async throws
  {
    for number in 1...(try await Self.operations()) {
      let files = MemoryFileSystem()
      let cache = DiskCache.make(files, limit: Self.limit)
      files.inject(.failures(number...number + inARow - 1, kind))
      try await Self.run(cache, on: files, "\(inARow) operations from \(number) on fail with \(kind)")
      // The cache recovers from some of the other errors without counting them.
      if kind == .system(5) {
        #expect(await cache.counters.errors > 0, "operation \(number) failed unnoticed")
      }
      files.restart()
      try await Self.checkRecovery(on: files, "\(inARow) operations from \(number) on failed with \(kind)")
    }
  }

  @Test(arguments: MemoryFileSystem.Tear.allCases)
  func `the cache recovers after the process dies between any two operations`(tear: MemoryFileSystem.Tear)
    async throws
  {
    for number in 1...(try await Self.operations()) {
      let files = MemoryFileSystem()
      files.inject(.crash(after: number))
      try await Self.run(DiskCache.make(files, limit: Self.limit), on: files, "death after \(number)")
      files.restart(tearing: tear)
      try await Self.checkRecovery(on: files, "death after operation \(number), then \(tear)")
    }
  }

  @Test func `the cache recovers after the process dies during any operation`() async throws {
    for number in 1...(try await Self.operations()) {
      let files = MemoryFileSystem()
      files.inject(.torn(at: number))
      try await Self.run(DiskCache.make(files, limit: Self.limit), on: files, "death in \(number)")
      files.restart()
      try await Self.checkRecovery(on: files, "death in operation \(number)")
    }
  }

  @Test(arguments: [.full, .readOnly, .denied, .untrusted, .system(24)] as [FileSystemError.Kind])
  func `errors during an outage are counted, and the cache works again after it`(kind: FileSystemError.Kind)
    async throws
  {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files)
    files.inject(.outage(kind))
    await cache.store(response(1, size: 100), for: try key(1))
    #expect(await cache.response(for: try key(1)) == nil)
    #expect(await cache.stats().entries == 0)
    #expect(await cache.list().isEmpty)
    await cache.removeAll()
    let counters = await cache.counters
    #expect(counters.errors == 5 && counters.stores == 0)
    #expect(counters.lastError?.contains("cannot open '/cache'") == true)
    files.inject(nil)
    await cache.store(response(1, size: 100), for: try key(1))
    #expect(await cache.response(for: try key(1)) == response(1, size: 100))
  }

  @Test func `a deleted directory is created again`() async throws {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files)
    await cache.store(response(1, size: 100), for: try key(1))
    files.vanish("/cache")
    #expect(await cache.response(for: try key(1)) == nil)
    await cache.store(response(2, size: 100), for: try key(2))
    #expect(await cache.response(for: try key(2)) == response(2, size: 100))
    #expect(await cache.counters.errors == 0)
  }
}

extension StoredResponse {
  /// Compares like `==`, which is slow for long bodies in a debug build.
  fileprivate func isEqual(_ other: StoredResponse) -> Bool {
    status == other.status && headers == other.headers && storedAt == other.storedAt
      && Data(body) == Data(other.body)
  }
}
