internal import Cellophane
internal import CellophaneTesting
internal import Dispatch
internal import Foundation
internal import TestSupport
internal import Testing

/// What the cache says that it takes, beside what the system says.
@Suite struct DiskAccountTests {
  /// What `du` adds up: the blocks of every file but those for the accounts.
  private func used(_ directory: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: directory).reduce(0) { sum, name in
      var status = stat()
      guard !isAccount(name), unsafe lstat(directory + "/" + name, &status) == 0 else {
        return sum
      }
      return sum + Int(status.st_blocks) * 512
    }
  }

  /// The bound in the lock file.
  private func bound(_ directory: String) throws -> Int {
    let contents = try Data(contentsOf: URL(filePath: directory + "/cellophane-total"))
    try #require(contents.count == 56)
    return contents[16..<24].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  @Test(arguments: [1] as [UInt64]) func equalWhatTheSystemSaysAfter10000Operations(seed: UInt64)
    async throws
  {
    let directory = FileManager.default.temporaryDirectory.path + "/cellophane-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var random = SplitMix64(seed: seed)
    let limit = 4 << 20
    let caches = (0..<2).map { _ in
      DiskCache(directory: directory, limit: limit, fileSystem: POSIXFileSystem.patient(in: directory))
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
    #expect(try bound(directory) == used, "seed \(seed): counted anew, with nothing leased")
    for cache in caches { #expect(await cache.counters.errors == 0, "seed \(seed)") }
  }

  /// A lookup and a store in a directory full of entries do as much as in an empty one.
  @Test func nothingIsListedBeforeTheFirstAnswer() async throws {
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
      #expect(files.operations == 8 + 2, "create, rename: the lease is there")
    }
  }

  /// The same in a directory whose lock file is held by somebody for good: the first store pauses 50 times and gives
  /// up, the next tries once, and what needs no lock is done in between, also by the cache whose store waits.
  @Test func aLockThatIsHeldHoldsUpNoLookup() async throws {
    let directory = FileManager.default.temporaryDirectory.path + "/cellophane-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let first = DiskCache(directory: directory)
    await first.store(response(1, size: 100), for: try key(1))
    let held = unsafe open(directory + "/cellophane-total", O_RDWR | O_CLOEXEC)
    try #require(flock(held, LOCK_EX) == 0)
    let pauses = Shared(0)
    let isWaiting = OneShot<Void>()
    let mayGoOn = DispatchSemaphore(value: 0)
    let cache = DiskCache(
      directory: directory,
      fileSystem: POSIXFileSystem {
        pauses.update { $0 += 1 }
        // The store goes on when the lookups are done: if they waited for it, for ever.
        if isWaiting.settle(()) { mayGoOn.wait() }
      })
    async let loss = cache.store(response(2, size: 100), for: key(2))
    await isWaiting.value
    #expect(await cache.response(for: try key(1)) == response(1, size: 100))
    #expect(await cache.response(for: try key(9)) == nil, "what is not there is looked up by another thread")
    await first.store(response(3, size: 100), for: try key(3))
    #expect(await first.response(for: try key(3)) != nil, "what has a lease needs no lock")
    #expect(pauses.value == 1)
    mayGoOn.signal()
    #expect(try await loss != nil)
    #expect(pauses.value == 50)
    #expect(await cache.counters.lastError?.contains("another process holds its lock") == true)
    await cache.store(response(2, size: 100), for: try key(2))
    #expect(await cache.counters.errors == 2 && pauses.value == 50, "nobody waits for it twice")
    // A process that another test starts may have a copy of the descriptor.
    flock(held, LOCK_UN)
    close(held)
    await cache.store(response(2, size: 100), for: try key(2))
    #expect(await cache.response(for: try key(2)) != nil)
    #expect(await cache.counters.errors == 2 && pauses.value == 50)
  }

  /// Who lets go in time is waited for, each time.
  @Test func aLockThatIsLetGoIsTaken() async throws {
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
      // The next one needs another lease.
      await cache.settle()
    }
    #expect(await cache.counters.errors == 0)
  }
}

@Suite struct DiskClockTests {
  private static let years: Int64 = 30 * 366 * 86_400

  /// Clocks forward and back by decades, before and after stores: nothing fails, nothing is lost or fresh that
  /// should not be, and the limit holds.
  @Test(arguments: [
    [years, -years], [-years, years], [years, years, -3 * years], [-years, -years, 2 * years],
  ])
  func mayJump(jumps: [Int64]) async throws {
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

  /// What was used while the clock was wrong, and not since, does not outlive what is used now.
  @Test func theFutureIsNoRecentUse() async throws {
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
