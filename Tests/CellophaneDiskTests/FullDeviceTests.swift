internal import CellophaneDisk
internal import CellophaneTesting
internal import Testing

/// A device that is full before the cache reaches its limit.
@Suite struct FullDeviceTests {
  private static let block = 4_096

  /// Creates a directory on a full device. It has `entries` entries of two blocks each, used more than a minute apart.
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

  /// The cache either runs throughout or is opened again for every store.
  @Test(arguments: [true, false]) func `a store on a full device evicts the least recently used entries`(
    isReopened: Bool
  ) async throws {
    let files = try await full(entries: 60)
    var cache = DiskCache.make(files, limit: 1 << 30)
    var listed = 0
    for number in 60..<110 {
      files.advance(by: .seconds(61))
      if isReopened { cache = DiskCache.make(files, limit: 1 << 30) }
      listed -= files.listed
      await cache.store(response(number, size: 5_000), for: try key(number))
      listed += files.listed
      #expect(await cache.response(for: try key(number)) != nil, "\(number)")
      #expect(await cache.counters.errors == 0)
      if isReopened { await cache.settle() }
      guard number % 20 == 19 else { continue }
      let kept = await numbers(in: cache)
      // Not all 60 fit: the ledger and the remaining leases take a block each, and an eviction frees a margin.
      #expect(kept == Array((number + 1 - kept.count)...number) && kept.count > 45, "\(number): \(kept)")
    }
    #expect(listed < (isReopened ? 50 * 70 : 70), "a cache that runs throughout lists once")
  }

  /// A response that fits evicts only as much as it needs and a small margin.
  @Test func `a response that needs too much space evicts nothing`() async throws {
    let files = try await full(entries: 40)
    let cache = DiskCache.make(files, limit: 1 << 30)
    for _ in 0..<5 {
      await cache.store(response(900, size: 30 * Self.block), for: try key(900))
      #expect(await cache.response(for: try key(900)) == nil)
    }
    #expect(await numbers(in: cache) == Array(0..<40))
    #expect(await cache.counters.errors == 5 && files.listed < 100, "the directory is listed once")
    await cache.store(response(1, size: 9 * Self.block), for: try key(1))
    #expect(await cache.response(for: try key(1)) != nil)
    #expect(await cache.counters.evictions < 9)
  }

  @Test func `a newer response uses the space of the one that it replaces`() async throws {
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

  /// The other program takes all space that the cache frees.
  @Test func `eviction pauses longer and longer while another program fills the device`() async throws {
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
    // A 64th of the entries and the space for the response.
    #expect(first > 0 && first <= 11)
    let day = store(times: 1_440, every: .seconds(60))
    // 12 evictions until the pause is an hour, then 24. Each one takes two entries: one for the response and one for
    // the ledger and the lease.
    #expect(day > first && day - first <= 36 * 2, "\(day)")
    #expect(files.listed < 200 * 30, "the directory is listed at most once an hour")
    // The other program ends: the next store succeeds.
    files.device = nil
    #expect(store(times: 1, every: .seconds(1)) == day)
    let stored = time.run { await cache.counters.stores }
    #expect(stored == 1)
  }

  /// The ledger and the lease find no space either.
  @Test func `stores into an empty cache fail until the device has space`() async throws {
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

  /// The first store fails without a wait. The listing then frees space for the next ones.
  @Test func `a large directory is listed in the background, and later stores find space`() async throws {
    let files = try await full(entries: 3_000)
    // One thread: on several threads the background work may advance before the test reads the counters.
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
