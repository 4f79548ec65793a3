@testable internal import Cellophane
internal import TestSupport
internal import Testing

@Suite("Memory cache with an eviction policy")
struct EvictionTests {
  func key(_ number: Int) -> ResourceKey<Int> { NumberRequest(number).key }

  /// Applies each operation to the cache and to the policy alone. Both must keep the same keys.
  @Test("the cache holds the keys that the policy keeps", arguments: EvictionRule.allCases)
  func model(rule: EvictionRule) {
    for seed in 0..<3 {
      var random = SplitMix64(seed: seed)
      let cache = MemoryCache<Int, Int>(limit: 1_000, eviction: rule)
      var policy = rule.policy(capacity: 1_000)
      // Keys have numbers in the order of their first insertion.
      var numbers: [Int: Int] = [:]
      var kept: [Int: (value: Int, cost: Int)] = [:]
      var evicted = 0
      func drop(_ leaving: [Int]) {
        for number in leaving { kept[number] = nil }
        evicted += leaving.count
      }
      for step in 0..<2_000 {
        let name = Int.random(in: 0..<60, using: &random)
        let row = Bool.random(using: &random) ? name : nil
        if step.isMultiple(of: 7) { cache.position = Int.random(in: 0..<60, using: &random) }
        let position = cache.position
        switch Int.random(in: 0..<40, using: &random) {
        case 0..<18:
          let cost = Int.random(in: 1...140, using: &random)
          if let number = numbers[name], kept.removeValue(forKey: number) != nil { policy.remove(number) }
          var isKept = cost <= policy.capacity / 8
          if isKept {
            let number = numbers[name] ?? numbers.count + 1
            numbers[name] = number
            kept[number] = (step, cost)
            let leaving = policy.insert(
              CacheRequest(key: number, cost: cost, row: row ?? position, position: position))
            drop(leaving)
            isKept = !leaving.contains(number)
            if !isKept { evicted -= 1 }
          }
          if cache.insert(step, for: key(name), cost: cost, row: row) != isKept {
            Issue.record("seed \(seed), step \(step)")
          }
        case 18..<34:
          let value = numbers[name].flatMap { kept[$0]?.value }
          if cache.value(for: key(name), row: row) != value { Issue.record("seed \(seed), step \(step)") }
          if let number = numbers[name], value != nil {
            _ = policy.use(CacheRequest(key: number, cost: 1, row: row ?? position, position: position))
          }
        case 34..<37:
          let number = numbers[name].flatMap { kept[$0] == nil ? nil : $0 }
          #expect(cache.remove(key(name)) == (number != nil), "seed \(seed), step \(step)")
          if let number {
            policy.remove(number)
            kept[number] = nil
          }
        case 37..<39:
          let cost = Int.random(in: 300...1_000, using: &random)
          cache.trim(to: cost)
          drop(policy.evict(to: cost))
        default:
          let limit = Int.random(in: 500...1_200, using: &random)
          cache.limit = limit
          drop(policy.resize(to: limit))
        }
        let cost = kept.values.reduce(0) { $0 + $1.cost }
        guard cache.cost == cost, cost <= cache.limit, cache.count == kept.count else {
          Issue.record(
            "\(cache.count) at \(cache.cost), not \(kept.count) at \(cost): seed \(seed), step \(step)")
          return
        }
      }
      let counters = cache.counters
      #expect(
        counters.evictedForRoom + counters.evictedByTrimming == evicted && evicted > 50, "seed \(seed)")
      for (name, number) in numbers {
        #expect(cache.value(for: key(name)) == kept[number]?.value, "seed \(seed), key \(name)")
      }
    }
  }

  @Test("two concurrent tasks lose no value and no count", arguments: EvictionRule.allCases)
  func contended(rule: EvictionRule) async {
    let cache = MemoryCache<Int, Int>(limit: 8_000, eviction: rule)
    await withTaskGroup(of: Void.self) { group in
      for part in 0..<2 {
        group.addTask {
          for round in 0..<5_000 {
            let number = (round &* 7 &+ part) % 300
            if let value = cache.value(for: key(number), row: number) {
              #expect(value == number)
            } else {
              cache.insert(number, for: key(number), cost: 40, row: number)
            }
            if round.isMultiple(of: 500) { cache.trim(to: 4_000) }
            cache.position = number
          }
        }
      }
    }
    let counters = cache.counters
    #expect(counters.hits + counters.misses == 10_000)
    #expect(cache.cost == cache.count * 40 && cache.cost <= 8_000)
  }

  @Test("farthest-row evicts the row farthest from the screen; a value without a row counts as its middle")
  func farthestRow() {
    let cache = MemoryCache<Int, Int>(limit: 80, eviction: .farthestRow)
    cache.position = 4
    for row in 0..<7 { cache.insert(row, for: key(row), cost: 10, row: row) }
    cache.insert(100, for: key(100), cost: 10)
    cache.insert(8, for: key(8), cost: 10, row: 8)
    #expect(cache.value(for: key(0)) == nil && cache.value(for: key(100)) == 100)
    cache.position = 8
    cache.insert(9, for: key(9), cost: 10, row: 9)
    #expect(cache.value(for: key(1)) == nil && cache.value(for: key(8)) == 8)
  }

  @Test("the number of remembered evicted keys is bounded")
  func memory() {
    var order = EvictionOrder<Int>(.arc, capacity: 1_000)
    for number in 0..<5_000 { _ = order.insert(key(number), cost: 10, row: nil, position: 0) }
    #expect(order.numbers.count <= 100 + 1_000)
    #expect(order.evict(to: 0).count == 100)
  }
}
