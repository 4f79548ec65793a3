internal import CellophaneDisk
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite(.thorough)
struct DiskBoundTests {
  /// Compares the cache with a list in order of use. After every step the stored responses are the most recently used
  /// ones, regardless of their size. Every other response was removed or was used earlier than all stored ones.
  @Test(arguments: 0..<12 as Range<UInt64>)
  func `random operations keep the limit and evict the least recently used first`(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let files = MemoryFileSystem(answersAtOnce: seed % 2 == 0)
    let limit = Int.random(in: 16...60, using: &random) * 4_096
    let cache = DiskCache.make(files, limit: limit)
    /// The numbers and sizes of the responses stored and not removed, least recently used first.
    var order: [(number: Int, size: Int)] = []
    for step in 0..<400 {
      // Every use gets a new date only after a minute.
      files.advance(by: .seconds(61))
      let number = Int.random(in: 0..<40, using: &random)
      let index = order.firstIndex { $0.number == number }
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<6:
        let size = Int.random(in: 0...12_000, using: &random)
        await cache.store(response(number, size: size), for: try key(number))
        await cache.finishBackgroundWork()
        if let index { order.remove(at: index) }
        let isRefused = blocks(size + Self.metadata(of: number)) > limit / 8
        if !isRefused { order.append((number, size)) }
        #expect(await cache.response(for: try key(number)) != nil || isRefused, "seed \(seed), step \(step)")
      case 6..<9:
        let found = await cache.response(for: try key(number))
        await cache.finishBackgroundWork()
        if let index, let found {
          #expect(found == response(number, size: order[index].size), "seed \(seed), step \(step)")
          order.append(order.remove(at: index))
        } else {
          #expect(found == nil, "seed \(seed), step \(step)")
        }
      default:
        await cache.remove(for: try key(number))
        if let index { order.remove(at: index) }
      }
      #expect(files.occupied <= limit, "seed \(seed), step \(step): \(files.occupied) of \(limit)")
      let kept = Set(await cache.list().map(\.url))
      order.removeFirst(order.count - kept.count)
      #expect(kept == Set(try order.map { try key($0.number).url }), "seed \(seed), step \(step)")
    }
    let counters = await cache.counters
    #expect(counters.evictions > 0 && counters.errors == 0, "seed \(seed)")
  }

  /// The caches together store enough to fill the directory many times. No store is refused.
  @Test(arguments: [2, 3, 5]) func `several caches that store at once keep one limit at every instant`(
    count: Int
  ) async throws {
    for seed in 0..<20 as Range<UInt64> {
      let files = MemoryFileSystem()
      let limit = 64 * 4_096
      await withTaskGroup(of: Void.self) { group in
        for process in 0..<count {
          group.addTask {
            var random = SplitMix64(seed: seed << 8 | UInt64(process))
            let cache = DiskCache.make(files, limit: limit)
            for step in 0..<60 {
              let number = Int.random(in: 0..<60, using: &random)
              guard let key = try? key(number) else { return }
              await cache.store(response(number, size: 1_000 + number * 400), for: key)
              #expect(files.occupied <= limit, "seed \(seed), process \(process), step \(step)")
            }
            let counters = await cache.counters
            #expect(counters.stores == 60 && counters.errors == 0, "seed \(seed): \(counters)")
          }
        }
      }
    }
  }

  /// Unspent leases and bytes that count twice stay empty. They must not take half of the cache.
  @Test(arguments: [1, 2, 4, 8], [(64, 7), (256, 31)])
  func `several caches fill a shared directory to two thirds or more`(
    count: Int, size: (blocks: Int, largest: Int)
  ) async throws {
    var random = SplitMix64(seed: UInt64(count))
    let files = MemoryFileSystem(answersAtOnce: true)
    let limit = size.blocks * 4_096
    let caches = (0..<count).map { _ in DiskCache.make(files, limit: limit) }
    var samples: [Int] = []
    for number in 0..<(6 * size.blocks) {
      let cache = caches[Int.random(in: 0..<count, using: &random)]
      let bytes = Int.random(in: 0..<(size.largest * 4_096 - 300), using: &random)
      await cache.store(response(number, size: bytes), for: try key(number))
      await cache.finishBackgroundWork()
      #expect(files.occupied <= limit, "\(number)")
      if number > 2 * size.blocks { samples.append(files.occupied) }
    }
    samples.sort()
    let median = samples[samples.count / 2]
    #expect(median > limit * 2 / 3, "\(Double(median) / Double(limit)) of the limit")
    for cache in caches { #expect(await cache.counters.errors == 0) }
  }

  /// The cost of a store in a full cache does not grow with the number of entries.
  @Test(arguments: [500, 2_000]) func `a full cache evicts without another listing`(entries: Int) async throws
  {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files, limit: entries * 8_192)
    func storeAll(_ numbers: Range<Int>) async throws {
      for number in numbers { await cache.store(response(number, size: 5_000), for: try key(number)) }
      await cache.finishBackgroundWork()
    }
    try await storeAll(0..<entries)
    #expect(await cache.counters.evictions > 0)
    let (listed, operations) = (files.listed, files.operations)
    try await storeAll(entries..<(2 * entries))
    #expect(files.listed == listed)
    // Create and rename; for an eviction two look-ups, a rename and a removal; sometimes the ledger.
    #expect(files.operations - operations < 7 * entries)
    let counters = await cache.counters
    #expect(counters.stores == 2 * entries && counters.errors == 0)
    #expect(files.occupied <= cache.limit && files.occupied > cache.limit * 14 / 16)
  }

  /// The directory either lost its ledger, or is full and not yet listed by this cache. The time that a store waits
  /// does not grow with the number of entries.
  @Test(arguments: [true, false]) func `a large directory is listed in the background`(isCounted: Bool)
    async throws
  {
    let files = MemoryFileSystem()
    let entries = 6_000
    let first = DiskCache.make(files, limit: 2 * entries * 4_096)
    for number in 0..<entries { await first.store(response(number, size: 10), for: try key(number)) }
    await first.settle()
    if !isCounted { files.plant(nil, at: "/cache/cellophane-total") }
    // One thread: on several threads the background work may advance before the test reads the counters.
    let time = VirtualTime()
    let cache = DiskCache(
      directory: "/cache", limit: isCounted ? entries * 4_096 : 2 * entries * 4_096, fileSystem: files,
      executor: time.lane(), timeline: Timeline(clock: time, executor: time) { 1_000 })
    let (new, name) = (response(1, size: 20), try key(1))
    let (listed, operations) = (files.listed, files.operations)
    let isDone = time.run { () -> Bool in
      await cache.store(new, for: name)
      #expect(files.listed - listed <= 9 * 256 && files.operations - operations < 40)
      #expect(await cache.counters.refused == 1)
      #expect(await cache.response(for: name) == nil, "the old response is out of date")
      await cache.finishBackgroundWork()
      await cache.store(new, for: name)
      #expect(await cache.response(for: name) == new)
      #expect(files.occupied <= cache.limit)
      return await cache.counters.errors == 0
    }
    #expect(isDone == true)
  }

  /// Returns the size of an entry without its body: 28 bytes of fixed fields, the key and the headers with their
  /// counts, and the trailer.
  private static func metadata(of number: Int) -> Int {
    let digits = "\(number)".utf8.count
    let key = 4 + "http://example.com/".utf8.count + digits + 4 + 1
    let headers =
      4 + (8 + "content-type".utf8.count + "image/png".utf8.count) + (8 + "x-number".utf8.count + digits)
    return 28 + (4 + key) + headers + 32
  }

  @Test func `a response above an eighth of the limit is refused`() async throws {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files, limit: 80 * 4_096)
    await cache.store(response(1, size: 9 * 4_096), for: try key(1))
    #expect(await cache.counters.stores == 1)
    await cache.store(response(1, size: 10 * 4_096), for: try key(1))
    #expect(await cache.counters.refused == 1)
    #expect(
      await cache.response(for: try key(1)) == nil, "the response it would have replaced is out of date")
    #expect(files.entries.isEmpty)
  }

  @Test(arguments: [0, -1, 1, Int.min]) func `a limit below one block stores nothing`(limit: Int) async throws
  {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files, limit: limit)
    await cache.store(response(1, size: 1), for: try key(1))
    #expect(files.files.isEmpty)
    #expect(await cache.response(for: try key(1)) == nil)
  }

  @Test func `a sweep removes the files of dead processes and of other versions`() async throws {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files)
    await cache.store(response(1, size: 100), for: try key(1))
    await cache.settle()
    let directory = try files.directory(at: "/cache", creating: false)
    // Holder a is alive. Holders b and c are dead; only b left its lease file.
    let livingClaim = try #require(try directory.claim("cellophane-lease-aaaaaaaaaaaaaaaa", creating: true))
    try directory.create("cellophane-lease-bbbbbbbbbbbbbbbb", [[1]])
    let otherVersion = "/cache/0123456789abcdef0123456789abcdef.cellophane-1"
    let removed = [
      "/cache/cellophane-tmp-bbbbbbbbbbbbbbbb-1", "/cache/cellophane-tmp-cccccccccccccccc-ff",
      "/cache/cellophane-lease-bbbbbbbbbbbbbbbb", otherVersion,
    ]
    let kept = [
      "/cache/notes.txt", "/cache/cellophane-tmp-notes", "/cache/cellophane-tmp-",
      "/cache/cellophane-tmp-aaaaaaaaaaaaaaaa-3", "/cache/cellophane-lease-aaaaaaaaaaaaaaaa",
    ]
    for path in removed.dropLast(2) + [otherVersion] + kept.dropLast() { files.plant([1], at: path) }
    let later = DiskCache.make(files, now: 1_000 + 3_600)
    await later.store(response(2, size: 100), for: try key(2))
    await later.settle()
    #expect(Set(files.files.keys) == Set(files.entries + kept + ["/cache/cellophane-total"]))
    #expect(files.entries.count == 2)
    try livingClaim.replace(with: [])
  }

  @Test func `unfinished files of a living process count toward the limit`() async throws {
    let files = MemoryFileSystem()
    let limit = 16 * 4_096
    let cache = DiskCache.make(files, limit: limit)
    let directory = try files.directory(at: "/cache", creating: true)
    files.plant([1], at: "/cache/cellophane-total")
    let livingClaim = try directory.claim("cellophane-lease-aaaaaaaaaaaaaaaa", creating: true)
    for number in 0..<10 {
      files.plant([UInt8](repeating: 0, count: 4_096), at: "/cache/cellophane-tmp-aaaaaaaaaaaaaaaa-\(number)")
    }
    for number in 0..<10 {
      await cache.store(response(number, size: 100), for: try key(number))
      #expect(files.occupied <= limit)
    }
    #expect(await cache.response(for: try key(9)) != nil)
    #expect(livingClaim != nil && files.files.keys.count { $0.contains("tmp-") } == 10)
  }

  /// Each process dies and leaves its lease. No process lists the directory to find it.
  @Test func `unspent leases of dead processes are reclaimed without an eviction`() async throws {
    let files = MemoryFileSystem()
    let limit = 64 * 16 * 4_096
    for number in 0..<200 {
      let cache = DiskCache.make(files, limit: limit)
      await cache.store(response(number, size: 100), for: try key(number))
      await cache.finishBackgroundWork()
      #expect(await cache.counters.evictions == 0, "process \(number)")
      files.restart()
    }
    #expect(files.entries.count == 200)
    #expect(files.files.count < 220, "lease files of at most 16 dead holders remain")
  }

  @Test func `trimming keeps the most recently used entries`() async throws {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files)
    for number in 1...6 { await cache.store(response(number, size: 5_000), for: try key(number)) }
    files.advance(by: .seconds(61))
    _ = await cache.response(for: try key(1))
    await cache.trim(to: 3 * 8_192)
    #expect(await cache.list().map(\.url) == [try key(1).url, try key(5).url, try key(6).url])
    let counters = await cache.counters
    #expect(counters.evictions == 3 && counters.evictedBytes == 3 * 8_192)
  }
}
