@testable internal import Cellophane
internal import TestSupport
internal import Testing

@Suite("Memory that caches share")
struct SharedMemoryTests {
  private func key(_ number: Int) -> ResourceKey<Int> { NumberRequest(number).key }

  private func cache(_ shared: SharedMemory) -> MemoryCache<Int, Int> {
    MemoryCache(limit: shared.limit, sharing: shared)
  }

  @Test("caches are within the common limit, and the one that holds most evicts")
  func largest() {
    let shared = SharedMemory(limit: 1_000)
    let (a, b) = (cache(shared), cache(shared))
    for number in 0..<10 { a.insert(number, for: key(number), cost: 100) }
    #expect(a.cost == 1_000)
    for number in 0..<3 { b.insert(number, for: key(number), cost: 100) }
    #expect(a.cost == 700 && b.cost == 300 && a.peek(key(2)) == nil && a.peek(key(3)) == 3)
    for number in 3..<9 { b.insert(number, for: key(number), cost: 100) }
    #expect(a.cost + b.cost == 1_000 && abs(a.cost - b.cost) <= 100)
  }

  @Test("a cache that is gone takes no memory")
  func released() {
    let shared = SharedMemory(limit: 1_000)
    do {
      let gone = cache(shared)
      for number in 0..<9 { gone.insert(number, for: key(number), cost: 100) }
    }
    let a = cache(shared)
    for number in 0..<10 { a.insert(number, for: key(number), cost: 100) }
    #expect(a.cost == 1_000)
  }

  @Test("any number of caches with random costs stays within the limit", arguments: 0..<20)
  func random(seed: Int) {
    var random = SplitMix64(seed: seed)
    let shared = SharedMemory(limit: 10_000)
    let caches = (0..<Int.random(in: 1...7, using: &random)).map { _ in cache(shared) }
    for _ in 0..<2_000 {
      let cache = caches.randomElement(using: &random)!
      let number = Int.random(in: 0..<60, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0: cache.remove(key(number))
      case 1: cache.trim(to: Int.random(in: 0..<5_000, using: &random))
      default: cache.insert(number, for: key(number), cost: Int.random(in: 0..<1_250, using: &random))
      }
      #expect(caches.map(\.cost).reduce(0, +) <= 10_000)
    }
  }

  @Test("caches of several threads stay within the limit")
  func threads() async {
    let shared = SharedMemory(limit: 50_000)
    let caches = (0..<4).map { _ in cache(shared) }
    await withTaskGroup(of: Void.self) { group in
      for (index, cache) in caches.enumerated() {
        group.addTask {
          for number in 0..<5_000 { cache.insert(number, for: NumberRequest(number).key, cost: 100 + index) }
        }
      }
    }
    #expect(caches.map(\.cost).reduce(0, +) <= 50_000 && caches.allSatisfy { $0.cost > 0 })
  }

  @Test("a cache with a limit of its own shares nothing")
  func own() {
    let cache = MemoryCache<Int, Int>(limit: 800)
    cache.insert(1, for: key(1), cost: 100)
    #expect(cache.limit == 800 && cache.cost == 100)
    #expect(MemoryCache<Int, Int>().limit == MemoryCacheLimit.standard)
  }

  @Test("the limit is that of the container, not of the machine")
  func container() {
    let machine: UInt64 = 64 << 30
    #expect(MemoryCacheLimit.standard(of: nil, machine) == 512 << 20)
    #expect(MemoryCacheLimit.standard(of: 256 << 20, machine) == (256 << 20) / 100 * 15)
    #expect(MemoryCacheLimit.standard(of: 128 << 30, 1 << 30) == (1 << 30) / 100 * 15)
  }
}
