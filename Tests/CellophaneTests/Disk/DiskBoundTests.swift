internal import Cellophane
internal import CellophaneTesting
internal import Testing

@Suite struct DiskBoundTests {
  /// The cache's rule in a few lines: the total only grows between sweeps; a sweep evicts the oldest.
  private struct Model {
    let limit: Int
    /// Cost by number, least recently used first.
    var entries: [(number: Int, cost: Int)] = []
    var total: Int?

    mutating func use(_ number: Int) {
      guard let index = entries.firstIndex(where: { $0.number == number }) else { return }
      entries.append(entries.remove(at: index))
    }

    mutating func store(_ number: Int, cost: Int) {
      if cost > limit / 8 {
        entries.removeAll { $0.number == number }
        return
      }
      let sum = (total ?? 0) + cost
      if total == nil || sum > limit {
        if sum > limit {
          while entries.reduce(cost, { $0 + $1.cost }) > limit / 10 * 9 { entries.removeFirst() }
        }
        total = entries.reduce(cost) { $0 + $1.cost }
      } else {
        total = sum
      }
      entries.removeAll { $0.number == number }
      entries.append((number, cost))
    }
  }

  @Test(arguments: 0..<12 as Range<UInt64>) func theLimitHoldsAndTheOldestGoFirst(seed: UInt64) async throws {
    var random = SplitMix(seed)
    let files = MemoryFileSystem()
    let limit = Int.random(in: 16...60, using: &random) * 4_096
    let cache = DiskCache.make(files, limit: limit)
    var model = Model(limit: limit)
    for step in 0..<400 {
      let number = Int.random(in: 0..<40, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<6:
        let stored = response(number, size: Int.random(in: 0...12_000, using: &random))
        await cache.store(stored, for: try key(number))
        // Larger than the metadata of these responses by enough that blocks are counted alike.
        model.store(number, cost: blocks(stored.body.count + Self.metadata(of: number)))
      case 6..<9:
        let found = await cache.response(for: try key(number)) != nil
        #expect(found == model.entries.contains { $0.number == number }, "seed \(seed), step \(step)")
        model.use(number)
      default:
        await cache.remove(for: try key(number))
        model.entries.removeAll { $0.number == number }
      }
      #expect(files.occupied <= limit, "seed \(seed), step \(step): \(files.occupied) of \(limit)")
      let kept = await cache.list().map(\.url)
      let expected = try model.entries.map { try key($0.number).url }.sorted()
      #expect(kept == expected, "seed \(seed), step \(step)")
    }
    let counters = await cache.counters
    #expect(counters.evictions > 0 && counters.errors == 0, "seed \(seed)")
  }

  /// 28 bytes of fixed fields, the key and the headers with their counts, and the trailer.
  private static func metadata(of number: Int) -> Int {
    let digits = "\(number)".utf8.count
    let key = 4 + "http://example.com/".utf8.count + digits + 4 + 1
    let headers =
      4 + (8 + "content-type".utf8.count + "image/png".utf8.count) + (8 + "x-number".utf8.count + digits)
    return 28 + (4 + key) + headers + 32
  }

  @Test func anEntryMayTakeAnEighth() async throws {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files, limit: 80 * 4_096)
    await cache.store(response(1, size: 9 * 4_096), for: try key(1))
    #expect(await cache.counters.stores == 1)
    await cache.store(response(1, size: 10 * 4_096), for: try key(1))
    #expect(await cache.counters.refused == 1)
    #expect(await cache.response(for: try key(1)) == nil, "what it would have replaced is out of date")
    #expect(files.entries.isEmpty)
  }

  @Test(arguments: [0, -1, 1, Int.min]) func aLimitWithoutRoomStoresNothing(limit: Int) async throws {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files, limit: limit)
    await cache.store(response(1, size: 1), for: try key(1))
    #expect(files.files.isEmpty)
    #expect(await cache.response(for: try key(1)) == nil)
  }

  @Test func sweepsWhatOthersLeft() async throws {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files)
    await cache.store(response(1, size: 100), for: try key(1))
    let young = "/cache/tmp-aa"
    let old = "/cache/tmp-bb"
    let version = "/cache/0123456789abcdef0123456789abcdef-1"
    let foreign = ["/cache/notes.txt", "/cache/tmp-notes", "/cache/0123456789abcdef0123456789abcdef"]
    for path in foreign + [old, version] { files.plant([1], at: path) }
    files.advance(by: .seconds(601))
    files.plant([1], at: young)
    let later = DiskCache.make(files, now: 1_000 + 3_600)
    await later.store(response(2, size: 100), for: try key(2))
    #expect(Set(files.files.keys) == Set(files.entries + foreign + [young, "/cache/cellophane-total"]))
    #expect(files.entries.count == 2)
  }

  @Test func leftoversCount() async throws {
    let files = MemoryFileSystem()
    let limit = 16 * 4_096
    let cache = DiskCache.make(files, limit: limit)
    files.plant([1], at: "/cache/cellophane-total")
    for number in 0..<10 { files.plant([UInt8](repeating: 0, count: 4_096), at: "/cache/tmp-\(number)") }
    try files.makeDirectory(at: "/cache")
    for number in 0..<10 {
      await cache.store(response(number, size: 100), for: try key(number))
      #expect(files.occupied <= limit)
    }
    #expect(await cache.response(for: try key(9)) != nil)
  }

  @Test func trimsToABound() async throws {
    let files = MemoryFileSystem()
    let cache = DiskCache.make(files)
    for number in 1...6 { await cache.store(response(number, size: 5_000), for: try key(number)) }
    _ = await cache.response(for: try key(1))
    await cache.trim(to: 3 * 8_192)
    #expect(await cache.list().map(\.url) == [try key(1).url, try key(5).url, try key(6).url])
    let counters = await cache.counters
    #expect(counters.evictions == 3 && counters.evictedBytes == 3 * 8_192)
  }
}

/// SplitMix64 (Steele, Lea, Flood 2014).
private struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
