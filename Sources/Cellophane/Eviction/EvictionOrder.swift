/// The order in which values leave a memory cache by an ``EvictionPolicy``: gives keys the numbers that the policy knows
/// them by.
///
/// A number is the count of different keys seen before, so that nothing depends on how a process hashes. It outlives
/// the value for a while, because some policies remember what left lately.
@usableFromInline
struct EvictionOrder<Options: Hashable & Sendable>: Sendable {
  @usableFromInline typealias Key = ResourceKey<Options>

  /// How many numbers are remembered for each key that is kept. 10: as many requests as the sketch of W-TinyLFU
  /// looks back, the longest memory of all.
  private static var remembered: Int { 10 }
  /// And at least so many: some 50 KB.
  private static var leastRemembered: Int { 1_000 }

  private var policy: any EvictionPolicy
  private var kept: [Int: Key] = [:]
  /// By the hash that a key carries, with the time at which the key left last, counted in keys that did.
  private(set) var numbers: [Int: (number: Int, left: Int)] = [:]
  private var numbersGiven = 0
  private var departures = 0
  /// The hashes of keys that left, the first one first from `forgotten` on.
  private var left: [Int] = []
  private var forgotten = 0

  /// The order of an empty cache.
  init(_ rule: EvictionRule, capacity: Int) { policy = rule.policy(capacity: capacity) }

  /// Notes that `key`, which is kept, was used for `row` when the screen was at `position`.
  @usableFromInline
  mutating func use(_ key: Key, row: Int?, position: Int) {
    guard let number = numbers[key.precomputedHash]?.number else { return }
    _ = policy.use(CacheRequest(key: number, cost: 1, row: row ?? position, position: position))
  }

  /// Takes in `key`, which is not kept. Returns the keys that leave, itself among them when it is not admitted.
  mutating func insert(_ key: Key, cost: Int, row: Int?, position: Int) -> [Key] {
    let number = number(of: key)
    // Two keys of one hash cannot both have it.
    let other = kept[number].map { removed($0) } ?? []
    kept[number] = key
    return other
      + keys(
        of: policy.insert(CacheRequest(key: number, cost: cost, row: row ?? position, position: position)))
  }

  /// Notes that `key` is gone.
  mutating func remove(_ key: Key) { _ = removed(key) }

  /// Gives up keys until those kept cost at most `cost`.
  mutating func evict(to cost: Int) -> [Key] { keys(of: policy.evict(to: cost)) }

  /// Changes the capacity; returns the keys that leave.
  mutating func resize(to capacity: Int) -> [Key] { keys(of: policy.resize(to: capacity)) }

  private mutating func removed(_ key: Key) -> [Key] {
    guard let number = numbers[key.precomputedHash]?.number, kept[number] == key else { return [] }
    policy.remove(number)
    return keys(of: [number])
  }

  private mutating func number(of key: Key) -> Int {
    if let number = numbers[key.precomputedHash]?.number { return number }
    numbersGiven += 1
    numbers[key.precomputedHash] = (numbersGiven, 0)
    return numbersGiven
  }

  /// The keys of `numbers`, which leave.
  private mutating func keys(of leaving: [Int]) -> [Key] {
    let keys = leaving.compactMap { kept.removeValue(forKey: $0) }
    for key in keys {
      departures += 1
      numbers[key.precomputedHash]?.left = departures
      left.append(key.precomputedHash)
    }
    while left.count - forgotten > max(Self.leastRemembered, Self.remembered * kept.count) {
      let hash = left[forgotten]
      let departure = departures - (left.count - forgotten) + 1
      forgotten += 1
      // One that came back is known as long as it is kept, and one that left again for as long once more.
      if let entry = numbers[hash], entry.left == departure, kept[entry.number] == nil { numbers[hash] = nil }
    }
    if forgotten > left.count / 2 {
      left.removeFirst(forgotten)
      forgotten = 0
    }
    return keys
  }
}
