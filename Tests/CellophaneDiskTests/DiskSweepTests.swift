internal import CellophaneDisk
internal import CellophaneTesting
internal import Synchronization
internal import TestSupport
internal import Testing

/// Sweeps that run at the same time as other sweeps, stores and lookups.
@Suite struct DiskSweepTests {
  /// The number of entries at the start; a sweep of them takes several steps.
  private static let before = 600

  /// The numbers that the tasks store, each once.
  private final class Log: Sendable {
    private let state = Mutex((next: DiskSweepTests.before, stored: Set(0..<DiskSweepTests.before)))

    var next: Int {
      state.withLock { state in
        state.next += 1
        return state.next
      }
    }

    /// The numbers stored so far, without regard to removals.
    var stored: Set<Int> { state.withLock { $0.stored } }

    func note(_ number: Int) { state.withLock { _ = $0.stored.insert(number) } }
  }

  /// The smallest and largest size of a cache.
  private final class Fill: Sendable {
    private let limit: Int
    private let state = Mutex((most: 0, least: Int.max))

    init(limit: Int) { self.limit = limit }

    /// The largest size, and the smallest one after the cache was full, in bytes.
    var range: (most: Int, least: Int) { state.withLock { $0 } }

    func note(_ bytes: Int) {
      state.withLock { state in
        state.most = max(state.most, bytes)
        if state.most > limit * 14 / 16 { state.least = min(state.least, bytes) }
      }
    }
  }

  /// Creates a cache with ``before`` entries of one block each, and space for `room` more.
  private func filled(_ files: MemoryFileSystem, room: Int) async throws -> DiskCache {
    let cache = DiskCache.make(files, limit: (Self.before + room) * 4_096)
    for number in 0..<Self.before { await cache.store(response(number, size: 10), for: try key(number)) }
    return cache
  }

  /// Returns the numbers of the entries.
  private func numbers(in cache: DiskCache) async -> Set<Int> {
    Set(await cache.list().compactMap { Int($0.url.dropFirst("http://example.com/".count)) })
  }

  /// Six tasks store, look up, clear and trim.
  ///
  /// After a clearing, no entry from before its start is found. After a trimming, the entries from before its start
  /// take at most the requested size. The lease file disappears at times, and with some seeds the cache is full and
  /// also starts sweeps itself.
  @Test(.thorough, arguments: 0..<30 as Range<UInt64>)
  func `concurrent clearing and trimming reach their goals`(
    seed: UInt64
  ) async throws {
    let files = MemoryFileSystem(answersAtOnce: seed % 2 == 0)
    let cache = try await filled(files, room: seed % 3 == 0 ? 20 : 2_000)
    let log = Log()
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<6 as Range<UInt64> {
        group.addTask {
          var random = SplitMix64(seed: seed << 8 | task)
          for step in 0..<8 {
            let number = log.next
            guard let name = try? key(number), let old = try? key(number % Self.before) else { return }
            await cache.store(response(number, size: 10), for: name)
            log.note(number)
            _ = await cache.response(for: old)
            let earlier = log.stored
            let context = "seed \(seed), task \(task), step \(step)"
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
              await cache.removeAll()
              #expect(await cache.response(for: name) == nil, "\(context): found")
              let left = await numbers(in: cache).intersection(earlier)
              #expect(left.isEmpty, "\(context): \(left.count) left")
            case 1...4:
              let most = Int.random(in: 0..<Self.before, using: &random)
              // Later uses must not keep more entries than the goal permits.
              files.advance(by: .seconds(61))
              await cache.trim(to: most * 4_096)
              let left = await numbers(in: cache).intersection(earlier)
              #expect(left.count <= most, "\(context): \(left.count) left of \(most)")
            case 5 where seed % 2 == 0:
              guard let lease = files.files.keys.first(where: { $0.contains("-lease-") }) else { break }
              files.plant(nil, at: lease)
            default: break
            }
          }
        }
      }
    }
    #expect(files.occupied <= cache.limit, "seed \(seed)")
    await cache.removeAll()
    #expect(files.occupied == 0 && files.entries.isEmpty, "seed \(seed): no task stores any more")
    await cache.store(response(1, size: 10), for: try key(1))
    #expect(await cache.response(for: try key(1)) != nil, "seed \(seed)")
    await cache.settle()
    #expect(files.files.keys.sorted() == files.entries + ["/cache/cellophane-total"], "seed \(seed)")
  }

  /// Many tasks store during sweeps, so that one step of a sweep lasts as long as many stores. The limit holds, and a
  /// sweep evicts no more than its goal requires.
  @Test(.thorough, arguments: [1, 2, 5, 16, 40], [16, 30, 150])
  func `stores during a sweep count once and are not evicted in excess`(tasks: Int, responses: Int)
    async throws
  {
    for seed in 0..<3 as Range<UInt64> {
      let files = MemoryFileSystem()
      let time = VirtualTime()
      let timeline = time.timeline()
      let limit = responses * 3 * 4_096 + 3_392
      let cache = DiskCache(
        directory: "/cache", limit: limit, fileSystem: files, executor: time.lane(), timeline: timeline)
      let fill = Fill(limit: limit)
      for task in 0..<tasks {
        timeline.spawn {
          var random = SplitMix64(seed: seed << 8 | UInt64(task))
          for step in 0..<(4 * responses / tasks) {
            for _ in 0..<Int.random(in: 0..<3, using: &random) { await Task.yield() }
            // Every seventh store uses an earlier number.
            let number = step % 7 == 6 ? Int.random(in: 0..<responses, using: &random) : tasks * step + task
            guard let key = try? key(number) else { return }
            await cache.store(response(number, size: 10_000), for: key)
            fill.note(files.occupied)
          }
        }
      }
      time.run()
      let (most, least) = fill.range
      #expect(most <= limit, "seed \(seed)")
      // The target of a sweep, without one response and the unfinished files.
      #expect(least > limit * 11 / 16, "seed \(seed): \(least) of \(limit)")
    }
  }

  /// The second goal needs no eviction.
  @Test(arguments: [true, false]) func `a trim during another sweep does not replace the goal of that sweep`(
    clears: Bool
  ) async throws {
    let files = MemoryFileSystem()
    _ = try await filled(files, room: 100)
    let time = VirtualTime()
    let timeline = time.timeline()
    let cache = DiskCache(directory: "/cache", fileSystem: files, executor: time.lane(), timeline: timeline)
    timeline.spawn { if clears { await cache.removeAll() } else { await cache.trim(to: 0) } }
    timeline.spawn { await cache.trim(to: .max) }
    time.run()
    #expect(files.entries.isEmpty)
  }

  /// The cache has the replaced directory open.
  @Test(arguments: ["the directory", "the file of the lease"])
  func `clearing empties the present directory after it or the lease was replaced`(moved: String)
    async throws
  {
    let files = MemoryFileSystem()
    let cache = try await filled(files, room: 100)
    if moved == "the directory" {
      files.vanish("/cache")
      await DiskCache.make(files).store(response(1, size: 10), for: try key(1))
    } else {
      files.plant(nil, at: try #require(files.files.keys.first { $0.contains("-lease-") }))
    }
    await cache.removeAll()
    #expect(files.entries.isEmpty && !files.files.isEmpty)
    #expect(await cache.counters.errors == 0)
  }
}
