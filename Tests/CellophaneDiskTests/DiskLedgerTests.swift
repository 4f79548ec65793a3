internal import CellophaneDisk
internal import CellophaneTesting
internal import Dispatch
internal import Foundation
internal import TestSupport
internal import Testing

/// The bytes that the cache counts, compared with the bytes that the system counts; and the lock of the ledger.
@Suite struct DiskLedgerTests {
  /// Returns the blocks of all files in bytes, as `du` does, without the ledger and the leases.
  private func used(_ directory: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: directory).reduce(0) { sum, name in
      var status = stat()
      guard !isLedgerOrLease(name), unsafe lstat(directory + "/" + name, &status) == 0 else {
        return sum
      }
      return sum + Int(status.st_blocks) * 512
    }
  }

  /// Returns the upper bound that the ledger records.
  private func bound(_ directory: String) throws -> Int {
    let contents = try Data(contentsOf: URL(filePath: directory + "/cellophane-total"))
    try #require(contents.count == 56)
    return contents[16..<24].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  @Test(arguments: [1] as [UInt64]) func `counted bytes equal the blocks on disk after 10 000 operations`(
    seed: UInt64
  )
    async throws
  {
    let directory = FileManager.default.temporaryDirectory.path + "/cellophane-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var random = SplitMix64(seed: seed)
    let limit = 4 << 20
    let caches = (0..<2).map { _ in
      DiskCache(directory: directory, limit: limit, fileSystem: POSIXFileSystem.waitingForLock(in: directory))
    }
    for step in 0..<10_000 {
      let cache = caches[Int.random(in: 0..<2, using: &random)]
      let number = Int.random(in: 0..<300, using: &random)
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<10:
        let size = Int.random(in: 0..<20_000, using: &random)
        await cache.store(response(number, size: size), for: try key(number))
      case 10..<12:
        let size = Int.random(in: 1..<40_000, using: &random)
        await cache.store(prefix(number, size: size, total: nil), for: try key(number))
      case 12..<17: _ = await cache.response(for: try key(number))
      case 17: await cache.remove(for: try key(number))
      case 18: await cache.removePrefix(for: try key(number))
      default: if step % 10 == 0 { await cache.trim(to: Int.random(in: limit / 2..<limit, using: &random)) }
      }
      if step % 500 == 499 {
        let used = try used(directory)
        #expect(used <= limit, "seed \(seed), step \(step)")
        #expect(try used <= bound(directory), "seed \(seed), step \(step)")
      }
    }
    for cache in caches { await cache.settle() }
    let used = try used(directory)
    #expect(used > limit / 2 && used <= limit)
    #expect(await caches[0].stats().bytes == used, "seed \(seed)")
    #expect(try bound(directory) >= used, "seed \(seed)")
    await caches[0].trim(to: limit)
    await caches[0].settle()
    #expect(try bound(directory) == used, "seed \(seed): the sweep counted again and no lease remains")
    for cache in caches { #expect(await cache.counters.errors == 0, "seed \(seed)") }
  }

  /// A directory with many entries costs the same file operations as an empty one.
  @Test func `the first lookup and the first store do not list the directory`() async throws {
    for entries in [1, 400] {
      let files = MemoryFileSystem()
      let first = DiskCache.make(files, limit: 1 << 24)
      for number in 0..<entries { await first.store(response(number, size: 100), for: try key(number)) }
      await first.settle()
      files.restart()
      let cache = DiskCache.make(files, limit: 1 << 24)
      #expect(await cache.response(for: try key(0)) != nil)
      #expect(files.operations == 2, "open, read")
      await cache.store(response(0, size: 100), for: try key(0))
      #expect(files.operations == 2 + 6, "claim, lock, two amounts, create, rename")
      await cache.store(response(1, size: 100), for: try key(1))
      #expect(files.operations == 8 + 2, "create, rename: the lease exists")
    }
  }

  /// Another descriptor holds the ledger's lock during the test.
  ///
  /// The first store pauses 50 times and fails; the next one tries once. Operations that need no lock run in between,
  /// also on the cache that has a waiting store.
  @Test func `a held lock delays no lookup, and no store that has a lease`() async throws {
    let directory = FileManager.default.temporaryDirectory.path + "/cellophane-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let first = DiskCache(directory: directory)
    await first.store(response(1, size: 100), for: try key(1))
    let held = unsafe open(directory + "/cellophane-total", O_RDWR | O_CLOEXEC)
    try #require(flock(held, LOCK_EX) == 0)
    let pauses = Shared(0)
    let isWaiting = OneShot<Void>()
    let mayContinue = DispatchSemaphore(value: 0)
    let cache = DiskCache(
      directory: directory,
      fileSystem: POSIXFileSystem {
        pauses.update { $0 += 1 }
        // The store continues after the lookups. If a lookup waited for the store, the test would hang.
        if isWaiting.settle(()) { mayContinue.wait() }
      })
    async let failure = cache.store(response(2, size: 100), for: key(2))
    await isWaiting.value
    #expect(await cache.response(for: try key(1)) == response(1, size: 100))
    #expect(await cache.response(for: try key(9)) == nil, "an absent entry is looked up on another thread")
    await first.store(response(3, size: 100), for: try key(3))
    #expect(await first.response(for: try key(3)) != nil, "a cache with a lease needs no lock")
    #expect(pauses.value == 1)
    mayContinue.signal()
    #expect(try await failure != nil)
    #expect(pauses.value == 50)
    #expect(await cache.counters.lastError?.contains("another process holds its lock") == true)
    await cache.store(response(2, size: 100), for: try key(2))
    #expect(
      await cache.counters.errors == 2 && pauses.value == 50, "the cache does not wait for the lock again")
    // Unlock explicitly: a process that another test started may hold a copy of the descriptor.
    flock(held, LOCK_UN)
    close(held)
    await cache.store(response(2, size: 100), for: try key(2))
    #expect(await cache.response(for: try key(2)) != nil)
    #expect(await cache.counters.errors == 2 && pauses.value == 50)
  }

  @Test func `a store waits for a lock that is released in time`() async throws {
    let directory = FileManager.default.temporaryDirectory.path + "/cellophane-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: directory) }
    await DiskCache(directory: directory).store(response(1, size: 100), for: try key(1))
    let held = unsafe open(directory + "/cellophane-total", O_RDWR | O_CLOEXEC)
    defer { close(held) }
    let pauses = Shared(0)
    let cache = DiskCache(
      directory: directory,
      fileSystem: POSIXFileSystem {
        pauses.update { $0 += 1 }
        if pauses.value % 7 == 0 { flock(held, LOCK_UN) }
      })
    for number in 2...3 {
      try #require(flock(held, LOCK_EX) == 0)
      pauses.value = 0
      await cache.store(response(number, size: 100), for: try key(number))
      #expect(await cache.response(for: try key(number)) != nil)
      #expect(pauses.value == 7)
      // Returns the lease, so that the next store needs the lock.
      await cache.settle()
    }
    #expect(await cache.counters.errors == 0)
  }
}

@Suite struct DiskClockTests {
  private static let years: Int64 = 30 * 366 * 86_400

  /// The clock moves forward and back by decades, before and after stores. No operation fails, and the limit holds.
  @Test(arguments: [
    [years, -years], [-years, years], [years, years, -3 * years], [-years, -years, 2 * years],
  ])
  func `a clock that jumps by decades breaks no store and makes no old entry fresh`(jumps: [Int64])
    async throws
  {
    let files = MemoryFileSystem()
    let limit = 64 * 4_096
    var now: Int64 = 2_000_000_000
    for (era, jump) in ([0] + jumps).enumerated() {
      now += jump
      files.advance(by: .seconds(jump))
      let cache = DiskCache.make(files, limit: limit, now: now)
      for number in 0..<20 {
        var stored = response(number + 100 * era, size: 9_000)
        stored.headers["cache-control"] = "max-age=60"
        stored.storedAt = now
        await cache.store(stored, for: try key(number + 100 * era))
        #expect(await cache.response(for: try key(number + 100 * era)) == stored)
        await cache.finishBackgroundWork()
        #expect(files.occupied <= limit, "era \(era)")
      }
      for old in 0..<era {
        for number in 0..<20 {
          let found = await cache.response(for: try key(number + 100 * old))
          #expect(
            found?.isFresh(at: now) != true || found?.storedAt == now, "era \(era): \(number) of \(old)")
        }
      }
      await cache.settle()
      #expect(await cache.counters.errors == 0)
    }
  }

  /// Their dates are from a time when the clock was wrong; a later use would have corrected them.
  @Test func `entries dated in the future are evicted first`() async throws {
    let files = MemoryFileSystem()
    files.advance(by: .seconds(Self.years))
    let cache = DiskCache.make(files)
    for number in 1...4 { await cache.store(response(number, size: 5_000), for: try key(number)) }
    files.advance(by: .seconds(-Self.years / 2))
    for number in 5...6 { await cache.store(response(number, size: 5_000), for: try key(number)) }
    #expect(await cache.response(for: try key(2)) != nil)
    await cache.trim(to: 3 * 8_192)
    #expect(await cache.list().map(\.url) == [try key(2).url, try key(5).url, try key(6).url])
  }
}
