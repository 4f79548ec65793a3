/// The eviction order of a memory cache by an ``EvictionPolicy``. It assigns numbers to keys, because
/// policies use numbers.
///
/// A number is the count of distinct keys seen before, so that it does not depend on a process's hash seed.
/// It outlives the value for a while, because some policies remember recently evicted keys.
@usableFromInline
struct EvictionOrder<Options: Hashable & Sendable>: Sendable {
  @usableFromInline typealias Key = ResourceKey<Options>

  /// The maximum number of evicted keys per cached key whose numbers are remembered. 10: the sample of W-TinyLFU's
  /// sketch, which has the longest memory of all policies.
  private static var numbersPerKey: Int { 10 }
  /// The number of evicted keys whose numbers are remembered in a cache with few keys: about 50 KB.
  private static var minNumbers: Int { 1_000 }

  private var policy: any EvictionPolicy
  private var cached: [Int: Key] = [:]
  /// The numbers by the precomputed hash of their key. `evictedAt` is the value of `evictionCount` at the
  /// key's last eviction.
  private(set) var numbers: [Int: (number: Int, evictedAt: Int)] = [:]
  private var lastNumber = 0
  private var evictionCount = 0
  /// The hashes of evicted keys in order. Those before `discardedCount` were processed.
  private var evictedHashes: [Int] = []
  private var discardedCount = 0

  /// Creates the order of an empty cache.
  init(_ rule: EvictionRule, capacity: Int) { policy = rule.policy(capacity: capacity) }

  /// Records that the cached `key` was used for `row` while the screen was at `position`.
  @usableFromInline
  mutating func use(_ key: Key, row: Int?, position: Int) {
    guard let number = numbers[key.precomputedHash]?.number else { return }
    _ = policy.use(CacheRequest(key: number, cost: 1, row: row ?? position, position: position))
  }

  /// Inserts `key`, which is not cached. Returns the evicted keys, including `key` if it is not admitted.
  mutating func insert(_ key: Key, cost: Int, row: Int?, position: Int) -> [Key] {
    let number = number(of: key)
    // Two keys with equal hashes share a number, so the older one is removed.
    let replaced = cached[number].map { removed($0) } ?? []
    cached[number] = key
    return replaced
      + keys(
        of: policy.insert(CacheRequest(key: number, cost: cost, row: row ?? position, position: position)))
  }

  /// Records that `key` was removed.
  mutating func remove(_ key: Key) { _ = removed(key) }

  /// Evicts keys until the cached ones cost at most `cost`.
  mutating func evict(to cost: Int) -> [Key] { keys(of: policy.evict(to: cost)) }

  /// Changes the capacity and returns the evicted keys.
  mutating func resize(to capacity: Int) -> [Key] { keys(of: policy.resize(to: capacity)) }

  private mutating func removed(_ key: Key) -> [Key] {
    guard let number = numbers[key.precomputedHash]?.number, cached[number] == key else { return [] }
    policy.remove(number)
    return keys(of: [number])
  }

  private mutating func number(of key: Key) -> Int {
    if let number = numbers[key.precomputedHash]?.number { return number }
    lastNumber += 1
    numbers[key.precomputedHash] = (lastNumber, 0)
    return lastNumber
  }

  /// Removes and returns the keys with these numbers.
  private mutating func keys(of evictedNumbers: [Int]) -> [Key] {
    let keys = evictedNumbers.compactMap { cached.removeValue(forKey: $0) }
    for key in keys {
      evictionCount += 1
      numbers[key.precomputedHash]?.evictedAt = evictionCount
      evictedHashes.append(key.precomputedHash)
    }
    while evictedHashes.count - discardedCount > max(Self.minNumbers, Self.numbersPerKey * cached.count) {
      let hash = evictedHashes[discardedCount]
      let evictedAt = evictionCount - (evictedHashes.count - discardedCount) + 1
      discardedCount += 1
      // A key that returned keeps its number while it is cached, and after its next eviction for the same
      // time again.
      if let entry = numbers[hash], entry.evictedAt == evictedAt, cached[entry.number] == nil {
        numbers[hash] = nil
      }
    }
    if discardedCount > evictedHashes.count / 2 {
      evictedHashes.removeFirst(discardedCount)
      discardedCount = 0
    }
    return keys
  }
}
