public import Synchronization

/// Decoded values in memory, bounded by their cost in bytes; the least recently used leave first, or those that another
/// ``EvictionRule`` names.
///
/// Synchronous, so that a cell which finds its picture here shows it in the same turn. After every insert
/// the total cost is within the limit.
public final class MemoryCache<Options: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline
  struct State {
    @usableFromInline var table = LRUTable<Options, Value>()
    /// Nil when the table's own order, of use, is the one in which values leave.
    @usableFromInline var order: EvictionOrder<Options>?
    @usableFromInline var position = 0
    @usableFromInline var counters = MemoryCounters()
    @usableFromInline var cost = 0
    @usableFromInline var limit: Int
    @usableFromInline var perishables: [ResourceKey<Options>: Perishable] = [:]

    init(limit: Int, eviction: EvictionRule) {
      self.limit = max(0, limit)
      if eviction != .lru { order = EvictionOrder(eviction, capacity: self.limit) }
    }

    @inlinable
    mutating func use(_ key: ResourceKey<Options>, row: Int?) -> Value? {
      let index = table.find(key)
      if index < 0 {
        counters.misses += 1
        return nil
      }
      counters.hits += 1
      if order?.use(key, row: row, position: position) == nil { table.moveToNewest(index) }
      return table.entries[Int(index)].value
    }
  }

  @usableFromInline let state: Mutex<State>
  /// True once there has been one.
  let hasPerishables = Atomic(false)

  /// A cache for at most `limit` bytes.
  ///
  /// - Parameter eviction: Which values leave first. The least recently used cost nothing to know; another rule
  ///   makes each hit some 0.2 µs slower.
  public init(limit: Int = MemoryCacheLimit.standard, eviction: EvictionRule = .lru) {
    state = Mutex(State(limit: limit, eviction: eviction))
  }

  /// The value of `key`, which was used now; nil when it is not here. O(1) unless the eviction policy says otherwise,
  /// never waits for more than another such call.
  ///
  /// - Parameter row: The row of a list that it is for, if any; for ``EvictionRule/farthestRow``.
  @inlinable
  public func value(for key: ResourceKey<Options>, row: Int? = nil) -> Value? {
    // Nearly always free. When not, its holder is done within some tens of nanoseconds, while going to
    // sleep in the kernel and being woken takes microseconds.
    for _ in 0..<MemoryCacheLimit.spins {
      if let found = state.withLockIfAvailable({ $0.use(key, row: row) }) { return found }
    }
    return state.withLock { $0.use(key, row: row) }
  }

  /// The value of `key`, without counting or using it.
  func peek(_ key: ResourceKey<Options>) -> Value? {
    state.withLock { state in
      let index = state.table.find(key)
      return index < 0 ? nil : state.table.entries[Int(index)].value
    }
  }

  /// Keeps `value`, used now, in place of an earlier one of the same key, and evicts others until the total is within
  /// the limit. False when it is refused: as too large a share, or by a policy that prefers what is there.
  ///
  /// - Parameter row: The row of a list that it is for, if any; for ``EvictionRule/farthestRow``.
  @discardableResult
  public func insert(
    _ value: Value, for key: ResourceKey<Options>, cost: Int, row: Int? = nil
  ) -> Bool {
    insert(value, for: key, cost: cost, row: row, perishable: nil)
  }

  /// The same, with what is known of the value.
  @discardableResult
  func insert(
    _ value: Value, for key: ResourceKey<Options>, cost: Int, row: Int?, perishable: Perishable?
  ) -> Bool {
    if perishable != nil { hasPerishables.store(true, ordering: .relaxed) }
    let cost = max(0, cost)
    let (isKept, leaving) = state.withLock { state -> (Bool, [Value]) in
      var leaving = state.remove(key)
      guard cost <= state.limit / MemoryCacheLimit.entryShare else {
        state.counters.refused += 1
        return (false, leaving)
      }
      guard state.makeRoom(for: key, cost: cost, row: row, &leaving) else {
        state.counters.refused += 1
        return (false, leaving)
      }
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

  /// Evicts what the policy can do without best, until at most `cost` bytes remain.
  public func trim(to cost: Int) {
    _ = state.withLock { $0.evict(to: max(0, cost), counting: \.evictedByTrimming) }
  }

  /// The limit in bytes. A lower one evicts at once.
  public var limit: Int {
    get { state.withLock { $0.limit } }
    set {
      _ = state.withLock { state in
        state.limit = max(0, newValue)
        if let keys = state.order?.resize(to: state.limit) {
          return state.drop(keys, counting: \.evictedByTrimming)
        }
        return state.evict(to: state.limit, counting: \.evictedByTrimming)
      }
    }
  }

  /// The row in the middle of the screen, for ``EvictionRule/farthestRow``; a ``Prefetcher`` that follows a list
  /// keeps it up to date. Values that are kept or used without a row count as those of this one.
  public var position: Int {
    get { state.withLock { $0.position } }
    set { state.withLock { $0.position = newValue } }
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
    order?.remove(key)
    return [take(at: index).value]
  }

  /// Evicts until there is room for `key`, which is not here; false when the policy would rather not have it.
  fileprivate mutating func makeRoom(
    for key: ResourceKey<Options>, cost: Int, row: Int?, _ leaving: inout [Value]
  ) -> Bool {
    guard let keys = order?.insert(key, cost: cost, row: row, position: position) else {
      leaving += evict(to: limit - cost, counting: \.evictedForRoom)
      return true
    }
    leaving += drop(keys, counting: \.evictedForRoom)
    return !keys.contains(key)
  }

  fileprivate mutating func evict(
    to target: Int, counting reason: WritableKeyPath<MemoryCounters, Int>
  ) -> [Value] {
    if let keys = order?.evict(to: target) { return drop(keys, counting: reason) }
    var leaving: [Value] = []
    while cost > target, table.oldest >= 0 { leaving.append(evict(at: table.oldest, counting: reason)) }
    return leaving
  }

  /// Evicts those of `keys` that are here.
  fileprivate mutating func drop(
    _ keys: [ResourceKey<Options>], counting reason: WritableKeyPath<MemoryCounters, Int>
  ) -> [Value] {
    var leaving: [Value] = []
    for key in keys {
      let index = table.find(key)
      if index >= 0 { leaving.append(evict(at: index, counting: reason)) }
    }
    return leaving
  }

  private mutating func evict(
    at index: Int32, counting reason: WritableKeyPath<MemoryCounters, Int>
  ) -> Value {
    let (value, freed) = take(at: index)
    counters[keyPath: reason] += 1
    counters.evictedCost += freed
    return value
  }

  private mutating func take(at index: Int32) -> (value: Value, cost: Int) {
    let entry = table.entries[Int(index)]
    if !perishables.isEmpty { perishables[entry.key] = nil }
    let freed = table.remove(at: index)
    cost -= freed
    return (entry.value, freed)
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
  /// Values refused because one alone would take too large a share, or because the policy preferred what was there.
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
