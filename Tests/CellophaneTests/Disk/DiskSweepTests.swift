internal import Cellophane
internal import CellophaneTesting
internal import Synchronization
internal import Testing

/// Sweeps that run into each other, and into everything else.
@Suite struct DiskSweepTests {
  /// Several steps of a sweep.
  private static let before = 600

  /// What several tasks store meanwhile, each number once.
  private final class Log: Sendable {
    private let state = Mutex((next: DiskSweepTests.before, stored: Set(0..<DiskSweepTests.before)))

    var next: Int {
      state.withLock { state in
        state.next += 1
        return state.next
      }
    }

    /// What is there for sure, but for what was removed.
    var stored: Set<Int> { state.withLock { $0.stored } }

    func note(_ number: Int) { state.withLock { _ = $0.stored.insert(number) } }
  }

  /// How full a cache was.
  private final class Fill: Sendable {
    private let limit: Int
    private let state = Mutex((most: 0, least: Int.max))

    init(limit: Int) { self.limit = limit }

    /// The most, and the least once it was full; in bytes.
    var range: (most: Int, least: Int) { state.withLock { $0 } }

    func note(_ bytes: Int) {
      state.withLock { state in
        state.most = max(state.most, bytes)
        if state.most > limit * 14 / 16 { state.least = min(state.least, bytes) }
      }
    }
  }

  /// A cache with ``before`` entries of one block each.
  private func filled(_ files: MemoryFileSystem, room: Int) async throws -> DiskCache {
    let cache = DiskCache.make(files, limit: (Self.before + room) * 4_096)
    for number in 0..<Self.before { await cache.store(response(number, size: 10), for: try key(number)) }
    return cache
  }

  /// The numbers of what is there.
  private func numbers(in cache: DiskCache) async -> Set<Int> {
    Set(await cache.list().compactMap { Int($0.url.dropFirst("http://example.com/".count)) })
  }

  /// Six tasks store, look up, clear and trim. After a clearing nothing is found that was stored before it began,
  /// after a trimming all of that takes no more than was asked for; although somebody takes away the lease's file,
  /// and although the cache is full, so that it sweeps of its own accord.
  @Test(arguments: 0..<30 as Range<UInt64>) func noGoalIsLost(seed: UInt64) async throws {
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
            let what = "seed \(seed), task \(task), step \(step)"
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
              await cache.removeAll()
              #expect(await cache.response(for: name) == nil, "\(what): found")
              let left = await numbers(in: cache).intersection(earlier)
              #expect(left.isEmpty, "\(what): \(left.count) left")
            case 1...4:
              let most = Int.random(in: 0..<Self.before, using: &random)
              // A use since then spares nothing, where that would be too much.
              files.advance(by: .seconds(61))
              await cache.trim(to: most * 4_096)
              let left = await numbers(in: cache).intersection(earlier)
              #expect(left.count <= most, "\(what): \(left.count) left of \(most)")
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
    #expect(files.occupied == 0 && files.entries.isEmpty, "seed \(seed): nothing was stored meanwhile")
    await cache.store(response(1, size: 10), for: try key(1))
    #expect(await cache.response(for: try key(1)) != nil, "seed \(seed)")
    await cache.settle()
    #expect(files.files.keys.sorted() == files.entries + ["/cache/cellophane-total"], "seed \(seed)")
  }

  /// Many store at once while sweeps are under way, so that one step of a sweep lasts as long as many stores: the
  /// limit holds, and what a sweep evicts is never more than what it is for.
  @Test(arguments: [1, 2, 5, 16, 40], [16, 30, 150])
  func storesDuringASweepCountOnce(tasks: Int, responses: Int) async throws {
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
            // Some anew, most for the first time.
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
      // What a sweep leaves, but for one response and what is in the making.
      #expect(least > limit * 11 / 16, "seed \(seed): \(least) of \(limit)")
    }
  }

  /// A trimming that has nothing to do comes while another sweep is under way.
  @Test(arguments: [true, false]) func anotherGoalWaitsItsTurn(clears: Bool) async throws {
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

  /// Who clears sees to it that the directory at its path is empty, whatever became of the one it knew.
  @Test(arguments: ["the directory", "the file of the lease"]) func clearingInWhatIsThereNow(moved: String)
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
