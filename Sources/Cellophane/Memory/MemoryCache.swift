public import Synchronization

/// Decoded values in memory, bounded by their cost in bytes; the least recently used leave first.
///
/// Synchronous, so that a cell which finds its picture here shows it in the same turn. After every insert
/// the total cost is within the limit.
public final class MemoryCache<Options: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline
  struct State {
    @usableFromInline var table = LRUTable<Options, Value>()
    @usableFromInline var counters = MemoryCounters()
    @usableFromInline var cost = 0
    @usableFromInline var limit: Int
    @usableFromInline var perishables: [ResourceKey<Options>: Perishable] = [:]

    @inlinable
    mutating func use(_ key: ResourceKey<Options>) -> Value? {
      guard let value = table.use(key) else {
        counters.misses += 1
        return nil
      }
      counters.hits += 1
      return value
    }
  }

  @usableFromInline let state: Mutex<State>
  /// True once there has been one.
  let hasPerishables = Atomic(false)

  /// A cache for at most `limit` bytes.
  public init(limit: Int = MemoryCacheLimit.standard) {
    state = Mutex(State(limit: max(0, limit)))
  }

  /// The value of `key`, which becomes the most recently used; nil when it is not here. O(1), never waits
  /// for more than another such call.
  @inlinable
  public func value(for key: ResourceKey<Options>) -> Value? {
    // Nearly always free. When not, its holder is done within some tens of nanoseconds, while going to
    // sleep in the kernel and being woken takes microseconds.
    for _ in 0..<MemoryCacheLimit.spins {
      if let found = state.withLockIfAvailable({ $0.use(key) }) { return found }
    }
    return state.withLock { $0.use(key) }
  }

  /// The value of `key`, without counting or using it.
  func peek(_ key: ResourceKey<Options>) -> Value? {
    state.withLock { state in
      let index = state.table.find(key)
      return index < 0 ? nil : state.table.entries[Int(index)].value
    }
  }

  /// Keeps `value` as the most recently used, in place of an earlier one of the same key, and evicts
  /// others until the total is within the limit. False when it is refused as too large a share.
  @discardableResult
  public func insert(_ value: Value, for key: ResourceKey<Options>, cost: Int) -> Bool {
    insert(value, for: key, cost: cost, perishable: nil)
  }

  /// The same, with what is known of the value.
  @discardableResult
  func insert(
    _ value: Value, for key: ResourceKey<Options>, cost: Int, perishable: Perishable?
  ) -> Bool {
    if perishable != nil { hasPerishables.store(true, ordering: .relaxed) }
    let cost = max(0, cost)
    let (isKept, leaving) = state.withLock { state -> (Bool, [Value]) in
      var leaving = state.remove(key)
      guard cost <= state.limit / MemoryCacheLimit.entryShare else {
        state.counters.refused += 1
        return (false, leaving)
      }
      leaving += state.evict(to: state.limit - cost, counting: \.evictedForRoom)
      state.table.insert(key, value, cost: cost)
      if let perishable { state.perishables[key] = perishable }
      state.cost += cost
      state.counters.insertions += 1
      state.counters.peakCost = max(state.counters.peakCost, state.cost)
      return (true, leaving)
    }
    // Freed here, after the lock: freeing a large picture takes longer than any hit should wait.
    _ = consume leaving
    return isKept
  }

  /// Forgets `key`; true when it was here.
  @discardableResult
  public func remove(_ key: ResourceKey<Options>) -> Bool {
    !state.withLock { $0.remove(key) }.isEmpty
  }

  /// Evicts the least recently used until at most `cost` bytes remain.
  public func trim(to cost: Int) {
    _ = state.withLock { $0.evict(to: max(0, cost), counting: \.evictedByTrimming) }
  }

  /// The limit in bytes. A lower one evicts at once.
  public var limit: Int {
    get { state.withLock { $0.limit } }
    set {
      _ = state.withLock { state in
        state.limit = max(0, newValue)
        return state.evict(to: state.limit, counting: \.evictedByTrimming)
      }
    }
  }

  /// How many values there are.
  public var count: Int { state.withLock { $0.table.count } }

  /// What they cost, in bytes.
  public var cost: Int { state.withLock { $0.cost } }

  /// What happened so far.
  public var counters: MemoryCounters { state.withLock { $0.counters } }
}

extension MemoryCache.State {
  fileprivate mutating func remove(_ key: ResourceKey<Options>) -> [Value] {
    let index = table.find(key)
    guard index >= 0 else { return [] }
    let value = table.entries[Int(index)].value
    forgetPerishable(at: index)
    cost -= table.remove(at: index)
    return [value]
  }

  fileprivate mutating func evict(
    to target: Int, counting reason: WritableKeyPath<MemoryCounters, Int>
  ) -> [Value] {
    var leaving: [Value] = []
    while cost > target, table.oldest >= 0 {
      leaving.append(table.entries[Int(table.oldest)].value)
      forgetPerishable(at: table.oldest)
      let freed = table.remove(at: table.oldest)
      cost -= freed
      counters[keyPath: reason] += 1
      counters.evictedCost += freed
    }
    return leaving
  }

  private mutating func forgetPerishable(at index: Int32) {
    if !perishables.isEmpty { perishables[table.entries[Int(index)].key] = nil }
  }
}

/// How often things happened in a memory cache.
public struct MemoryCounters: Equatable, Sendable {
  /// Requests that found their value.
  public var hits = 0
  /// Requests that did not.
  public var misses = 0
  /// Values kept.
  public var insertions = 0
  /// Values refused because one alone would take too large a share.
  public var refused = 0
  /// Values that left to make room for another.
  public var evictedForRoom = 0
  /// Values that left because the cache was trimmed or its limit lowered.
  public var evictedByTrimming = 0
  /// The bytes that both gave back.
  public var evictedCost = 0
  /// The highest total cost.
  public var peakCost = 0

  @usableFromInline init() {}
}
