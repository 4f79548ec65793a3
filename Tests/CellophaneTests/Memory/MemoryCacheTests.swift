@testable internal import Cellophane
internal import TestSupport
internal import Testing

@Suite("Memory cache")
struct MemoryCacheTests {
  func key(_ number: Int) -> ResourceKey<Int> { NumberRequest(number).key }

  @Test("the least recently used value is evicted first, and a lookup is a use")
  func recency() {
    let cache = MemoryCache<Int, String>(limit: 80)
    for number in 0..<8 { #expect(cache.insert("\(number)", for: key(number), cost: 10)) }
    #expect(cache.value(for: key(0)) == "0")
    cache.insert("8", for: key(8), cost: 10)
    #expect(cache.value(for: key(1)) == nil)
    #expect(cache.value(for: key(0)) == "0")
    #expect(cache.cost == 80)
    #expect(cache.counters.evictedForRoom == 1 && cache.counters.evictedCost == 10)
    #expect(cache.counters.hits == 2 && cache.counters.misses == 1)
  }

  @Test("an overwritten value does not count toward the cost")
  func overwrite() {
    let cache = MemoryCache<Int, String>(limit: 800)
    cache.insert("old", for: key(1), cost: 100)
    cache.insert("new", for: key(1), cost: 60)
    #expect(cache.cost == 60 && cache.count == 1)
    #expect(cache.value(for: key(1)) == "new")
    #expect(cache.counters.evictedForRoom == 0)
  }

  @Test("a value above an eighth of the limit is refused and removes the earlier one")
  func refusal() {
    let cache = MemoryCache<Int, String>(limit: 80)
    cache.insert("old", for: key(1), cost: 10)
    #expect(!cache.insert("large", for: key(1), cost: 11))
    #expect(cache.value(for: key(1)) == nil)
    #expect(cache.counters.refused == 1 && cache.cost == 0)
  }

  @Test("trimming, removal and a lower limit free space")
  func shrinking() {
    let cache = MemoryCache<Int, String>(limit: 800)
    for number in 0..<8 { cache.insert("\(number)", for: key(number), cost: 100) }
    cache.trim(to: 350)
    #expect(cache.counters.evictedByTrimming == 5 && cache.counters.evictedForRoom == 0)
    #expect(cache.cost == 300 && cache.value(for: key(7)) == "7" && cache.value(for: key(4)) == nil)
    #expect(cache.remove(key(7)) && !cache.remove(key(7)))
    cache.limit = 100
    #expect(cache.cost == 100)
    cache.limit = 0
    #expect(cache.count == 0 && !cache.insert("x", for: key(1), cost: 1))
  }

  @Test("random operations agree with a plain model", arguments: 0..<10)
  func model(seed: Int) {
    var random = SplitMix64(seed: seed)
    let limit = 1_000
    let cache = MemoryCache<Int, Int>(limit: limit)
    // From least to most recently used.
    var model: [(number: Int, value: Int, cost: Int)] = []
    for step in 0..<4_000 {
      let number = Int.random(in: 0..<60, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        let cost = Int.random(in: 0...140, using: &random)
        model.removeAll { $0.number == number }
        if cost <= limit / 8 {
          while model.map(\.cost).reduce(0, +) > limit - cost { model.removeFirst() }
          model.append((number, step, cost))
        }
        cache.insert(step, for: key(number), cost: cost)
      case 5..<9:
        let index = model.firstIndex { $0.number == number }
        #expect(cache.value(for: key(number)) == index.map { model[$0].value }, "seed \(seed), step \(step)")
        if let index { model.append(model.remove(at: index)) }
      default:
        #expect(cache.remove(key(number)) == model.contains { $0.number == number }, "seed \(seed)")
        model.removeAll { $0.number == number }
      }
      #expect(
        cache.cost == model.map(\.cost).reduce(0, +) && cache.cost <= limit, "seed \(seed), step \(step)")
      #expect(cache.count == model.count, "seed \(seed), step \(step)")
    }
    for (number, value, _) in model { #expect(cache.value(for: key(number)) == value, "seed \(seed)") }
  }

  @Test("two concurrent tasks lose no value and no count")
  func contended() async {
    let cache = MemoryCache<Int, Int>(limit: 8_000)
    await withTaskGroup(of: Void.self) { group in
      for part in 0..<2 {
        group.addTask {
          for round in 0..<20_000 {
            let number = (round &* 7 &+ part) % 300
            if let value = cache.value(for: key(number)) {
              #expect(value == number)
            } else {
              cache.insert(number, for: key(number), cost: 40)
            }
          }
        }
      }
    }
    let counters = cache.counters
    #expect(counters.hits + counters.misses == 40_000)
    #expect(cache.cost == cache.count * 40 && cache.cost <= 8_000)
  }
}
