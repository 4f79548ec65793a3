internal import Cellophane
internal import CellophaneTesting
internal import Foundation
internal import TestSupport
internal import Testing

/// The same script of stores, lookups, overwrites, evictions and removals, with every possible fault.
@Suite(.thorough)
struct DiskFaultTests {
  /// A lease is four blocks: the small responses are written several on one, the large ones need one each.
  private static let limit = 256 * 4_096
  /// What the script stores, by number: the sizes in bytes, up to 31 blocks; a response may take 32.
  private static let sizes = [
    100, 3_000, 5_000, 700, 90_000, 120_000, 110_000, 126_000, 60_000, 115_000, 125_000,
  ]

  /// What each number is in the first round and in the second.
  private static let versions = sizes.indices.map { number in
    (0..<2).map { response(number * 10 + $0, size: sizes[number] - $0) }
  }

  /// What has come of each when the connection breaks.
  private static let prefixes = versions.map { rounds in
    rounds.map {
      StoredPrefix(
        status: 200, headers: $0.headers, bytes: $0.body.dropLast(9), total: $0.body.count, storedAt: 1_000)
    }
  }

  /// Which responses a lookup may give: any that was stored for the number so far, since a fault may undo a
  /// store; never anything else.
  private static func isRight(_ found: StoredResponse?, _ number: Int, rounds: Int) -> Bool {
    found == nil || (0...rounds).contains { found?.isEqual(versions[number][$0]) == true }
  }

  private static func run(_ cache: DiskCache, on files: MemoryFileSystem, _ fault: String) async throws {
    for round in 0..<2 {
      for number in sizes.indices {
        await cache.store(versions[number][round], for: try key(number))
        #expect(files.occupied <= limit, "\(fault): too much after storing \(number)")
        if number % 4 == 3 {
          await cache.store(prefixes[number][round], for: try key(number))
          #expect(files.occupied <= limit, "\(fault): too much after storing a prefix of \(number)")
          let found = await cache.prefix(for: try key(number))
          let isRight = found == nil || (0...round).contains { found == prefixes[number][$0] }
          #expect(isRight, "\(fault): wrong prefix of \(number)")
        }
        guard number % 2 == 0 else { continue }
        let found = await cache.response(for: try key(number / 2))
        #expect(isRight(found, number / 2, rounds: round), "\(fault): wrong bytes for \(number / 2)")
      }
      await cache.finishBackgroundWork()
      #expect(files.occupied <= limit, "\(fault): too much after a round")
      await cache.remove(for: try key(7))
      // Long enough for the next uses to be dated.
      files.advance(by: .seconds(90))
      if round == 0 { await cache.trim(to: limit / 2) } else { await cache.settle() }
    }
  }

  private static func operations() async throws -> Int {
    let files = MemoryFileSystem()
    try await run(DiskCache.make(files, limit: limit), on: files, "no fault")
    return files.operations
  }

  /// What a cache that opens the directory afterwards must find: no wrong bytes, the limit kept, leftovers
  /// gone once they are old, and everything working.
  private static func checkRecovery(on files: MemoryFileSystem, _ fault: String) async throws {
    let cache = DiskCache.make(files, limit: limit, now: 10_000)
    for number in sizes.indices {
      let found = await cache.response(for: try key(number))
      #expect(isRight(found, number, rounds: 1), "\(fault): wrong bytes for \(number) afterwards")
    }
    #expect(files.occupied <= limit, "\(fault): too much afterwards")
    files.advance(by: .seconds(3_600))
    for number in 20..<30 {
      await cache.store(response(number, size: 125_000), for: try key(number))
      // An error that said that a file was gone is put right by the sweep that is due.
      await cache.finishBackgroundWork()
      #expect(files.occupied <= limit, "\(fault): too much after recovery")
    }
    #expect(await cache.response(for: try key(29)) != nil, "\(fault): does not recover")
    #expect(await cache.counters.errors == 0, "\(fault): errors remain")
    #expect(!files.files.keys.contains { $0.contains("tmp-") }, "\(fault): leftovers stay")
  }

  @Test func theScriptEvicts() async throws {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files, limit: Self.limit)
    try await Self.run(cache, on: files, "no fault")
    let counters = await cache.counters
    #expect(counters.evictions > 8 && counters.errors == 0 && counters.hits > 8, "\(counters)")
    #expect(await cache.stats().bytes == files.occupied)
  }

  /// With what is done next because of that as well: what was begun may not be cleared away then.
  @Test(arguments: [.full, .system(5), .notFound, .notAFile] as [FileSystemError.Kind], [1, 2, 3])
  func everyOperationMayFail(kind: FileSystemError.Kind, inARow: Int) async throws {
    for number in 1...(try await Self.operations()) {
      let files = MemoryFileSystem()
      let cache = DiskCache.make(files, limit: Self.limit)
      files.inject(.failures(number...number + inARow - 1, kind))
      try await Self.run(cache, on: files, "\(inARow) operations from \(number) on fail with \(kind)")
      // A full device gives room, where it can, and all the others are mended where they can be.
      if kind == .system(5) {
        #expect(await cache.counters.errors > 0, "operation \(number) failed unnoticed")
      }
      files.restart()
      try await Self.checkRecovery(on: files, "\(inARow) operations from \(number) on failed with \(kind)")
    }
  }

  @Test(arguments: MemoryFileSystem.Tear.allCases)
  func theProcessMayDieAfterEveryOperation(tear: MemoryFileSystem.Tear) async throws {
    for number in 1...(try await Self.operations()) {
      let files = MemoryFileSystem()
      files.inject(.crash(after: number))
      try await Self.run(DiskCache.make(files, limit: Self.limit), on: files, "death after \(number)")
      files.restart(tearing: tear)
      try await Self.checkRecovery(on: files, "death after operation \(number), then \(tear)")
    }
  }

  @Test func theProcessMayDieWithinEveryOperation() async throws {
    for number in 1...(try await Self.operations()) {
      let files = MemoryFileSystem()
      files.inject(.torn(at: number))
      try await Self.run(DiskCache.make(files, limit: Self.limit), on: files, "death in \(number)")
      files.restart()
      try await Self.checkRecovery(on: files, "death in operation \(number)")
    }
  }

  @Test(arguments: [.full, .readOnly, .denied, .untrusted, .system(24)] as [FileSystemError.Kind])
  func anOutageIsCountedAndPasses(kind: FileSystemError.Kind) async throws {
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

  @Test func aDirectoryThatVanishesIsMadeAgain() async throws {
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
  /// Like `==`, which compares long bodies slowly without optimisation.
  fileprivate func isEqual(_ other: StoredResponse) -> Bool {
    status == other.status && headers == other.headers && storedAt == other.storedAt
      && Data(body) == Data(other.body)
  }
}
