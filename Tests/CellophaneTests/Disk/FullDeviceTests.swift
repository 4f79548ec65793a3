internal import Cellophane
internal import CellophaneTesting
internal import Testing

/// A device that has no more room before the cache has reached its limit.
@Suite struct FullDeviceTests {
  private static let block = 4_096

  /// A directory with so many entries of two blocks each, none used after the other in less than a minute, on a device
  /// that is full.
  private func full(entries: Int) async throws -> MemoryFileSystem {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files, limit: 1 << 30)
    for number in 0..<entries {
      files.advance(by: .seconds(61))
      await cache.store(response(number, size: 5_000), for: try key(number))
    }
    await cache.settle()
    files.device = .init(capacity: (entries * 2 + 1) * Self.block)
    return files
  }

  private func numbers(in cache: DiskCache) async -> [Int] {
    await cache.list().compactMap { Int($0.url.dropFirst("http://example.com/".count)) }.sorted()
  }

  /// What the device holds is what the cache holds, whether it runs on or is opened anew for every store.
  @Test(arguments: [true, false]) func theLeastRecentlyUsedGoes(isOpenedAnew: Bool) async throws {
    let files = try await full(entries: 60)
    var cache = DiskCache.make(files, limit: 1 << 30)
    var listed = 0
    for number in 60..<110 {
      files.advance(by: .seconds(61))
      if isOpenedAnew { cache = DiskCache.make(files, limit: 1 << 30) }
      listed -= files.listed
      await cache.store(response(number, size: 5_000), for: try key(number))
      listed += files.listed
      #expect(await cache.response(for: try key(number)) != nil, "\(number)")
      #expect(await cache.counters.errors == 0)
      if isOpenedAnew { await cache.settle() }
      guard number % 20 == 19 else { continue }
      let kept = await numbers(in: cache)
      // The ledger, and the leases of those that did not sign off, each a block; what is made for them and the next.
      #expect(kept == Array((number + 1 - kept.count)...number) && kept.count > 45, "\(number): \(kept)")
    }
    #expect(listed < (isOpenedAnew ? 50 * 70 : 70), "a cache that runs on lists once")
  }

  /// Each store evicts as much as it needs and a little; a store that never fits evicts nothing.
  @Test func whatDoesNotFitSweepsNothingOut() async throws {
    let files = try await full(entries: 40)
    let cache = DiskCache.make(files, limit: 1 << 30)
    for _ in 0..<5 {
      await cache.store(response(900, size: 30 * Self.block), for: try key(900))
      #expect(await cache.response(for: try key(900)) == nil)
    }
    #expect(await numbers(in: cache) == Array(0..<40))
    #expect(await cache.counters.errors == 5 && files.listed < 100, "it is listed once")
    await cache.store(response(1, size: 9 * Self.block), for: try key(1))
    #expect(await cache.response(for: try key(1)) != nil)
    #expect(await cache.counters.evictions < 9)
  }

  /// A newer response finds the room of the one that it replaces, when that is large enough.
  @Test func aNewerResponseTakesTheRoomOfTheOld() async throws {
    let files = try await full(entries: 3)
    let cache = DiskCache.make(files, limit: 1 << 30)
    files.device?.capacity += Self.block
    for _ in 0..<3 {
      await cache.store(response(1, size: 5_001), for: try key(1))
      #expect(await cache.response(for: try key(1)) == response(1, size: 5_001))
    }
    #expect(await numbers(in: cache) == [0, 1, 2])
    #expect(await cache.counters.errors == 0)
  }

  /// Somebody else fills the device as fast as room is made: the cache gives a little away, then less and less often.
  @Test func whoTakesTheRoomIsNotFed() async throws {
    let files = try await full(entries: 200)
    files.device?.othersTakeAll = true
    let time = VirtualTime()
    let timeline = time.timeline()
    let cache = DiskCache(
      directory: "/cache", limit: 1 << 30, fileSystem: files, executor: time.lane(), timeline: timeline)
    func store(times: Int, every pause: Duration) -> Int {
      let evictions = time.run {
        for number in 0..<times {
          if let key = try? key(5_000 + number) { await cache.store(response(number, size: 5_000), for: key) }
          try? await timeline.sleep(for: pause)
        }
        return await cache.counters.evictions
      }
      return evictions ?? -1
    }
    let first = store(times: 100, every: .milliseconds(1))
    // A 64th and what the response needs.
    #expect(first > 0 && first <= 11)
    let day = store(times: 1_440, every: .seconds(60))
    // Twelve times until it is once an hour, two entries each for the response and for the accounts.
    #expect(day > first && day - first <= 36 * 2, "\(day)")
    #expect(files.listed < 200 * 30, "once an hour, as always")
    // He goes: everything is as before, at once or within the hour.
    files.device = nil
    #expect(store(times: 1, every: .seconds(1)) == day)
    let stored = time.run { await cache.counters.stores }
    #expect(stored == 1)
  }

  /// Accounts find no room either.
  @Test func nothingIsThereYet() async throws {
    let files = MemoryFileSystem()
    files.device = .init(capacity: 0)
    let cache = DiskCache.make(files)
    for _ in 0..<3 {
      await cache.store(response(1, size: 10), for: try key(1))
      #expect(await cache.response(for: try key(1)) == nil)
    }
    #expect(await cache.counters.errors == 3)
    files.device?.capacity = 3 * Self.block
    await cache.store(response(1, size: 10), for: try key(1))
    #expect(await cache.response(for: try key(1)) != nil)
  }

  /// A directory that cannot be listed at once: this store is left out, the room is there for the next.
  @Test func aLargeDirectoryIsListedInTheBackground() async throws {
    let files = try await full(entries: 3_000)
    // On one thread: on several, what goes on in the background may get far before this one looks.
    let time = VirtualTime()
    let cache = DiskCache(
      directory: "/cache", limit: 1 << 30, fileSystem: files, executor: time.lane(),
      timeline: Timeline(clock: time, executor: time) { 1_000 })
    let keys = try (5_000..<5_010).map { try key($0) }
    let listed = files.listed
    let errors = time.run { () -> Int in
      await cache.store(response(5_000, size: 5_000), for: keys[0])
      #expect(files.listed - listed <= 9 * 256)
      await cache.finishBackgroundWork()
      for number in 1..<10 {
        await cache.store(response(5_000 + number, size: 5_000), for: keys[number])
        #expect(await cache.response(for: keys[number]) != nil)
      }
      return await cache.counters.errors
    }
    #expect(errors == 1)
    #expect(files.listed - listed < 3_010)
  }
}
