public import Synchronization

/// Decoded values in memory, bounded by their cost in bytes. An ``EvictionRule`` selects the values to evict; the default
/// evicts the least recently used value.
///
/// Synchronous, so that a cell shows an image that is in memory at once. After every insertion the total cost is within the
/// limit.
public final class MemoryCache<Options: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline
  struct State {
    @usableFromInline var table = LRUTable<Options, Value>()
    /// The order of eviction; nil for the order of use, which the table keeps.
    @usableFromInline var order: EvictionOrder<Options>?
    @usableFromInline var position = 0
    @usableFromInline var counters = MemoryCounters()
    @usableFromInline var cost = 0
    @usableFromInline var limit: Int
    /// The number of values that were removed, evicted or refused.
    var removals = 0

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
  /// The memory that the cache shares with others; nil for a cache with a separate limit.
  private let shared: SharedMemory?

  /// Creates a cache for at most `limit` bytes.
  ///
  /// - Parameters:
  ///   - limit: Nil for a part of the memory that all such caches of the process share: 15 % of the memory that it may
  ///     use, 512 MiB at most. When it is full, the cache that holds most evicts values.
  ///   - eviction: The values to evict first. The default has no cost; another rule makes each hit about 0.2 µs
  ///   slower.
  public convenience init(limit: Int? = nil, eviction: EvictionRule = .lru) {
    if let limit {
      self.init(limit: limit, eviction: eviction, sharing: nil)
    } else {
      self.init(limit: SharedMemory.ofProcess.limit, eviction: eviction, sharing: .ofProcess)
    }
  }

  init(limit: Int, eviction: EvictionRule = .lru, sharing shared: SharedMemory?) {
    state = Mutex(State(limit: limit, eviction: eviction))
    self.shared = shared
    shared?.add(self)
  }

  /// Returns the value of `key` and marks it as used; nil when it is absent. O(1) with the default eviction. Waits for at
  /// most another such call.
  ///
  /// - Parameter row: The row of the list that shows it, if any; for ``EvictionRule/farthestRow``.
  @inlinable
  public func value(for key: ResourceKey<Options>, row: Int? = nil) -> Value? {
    // The lock is nearly always free. Otherwise its holder releases it within tens of nanoseconds, while sleeping in the
    // kernel and waking up takes microseconds.
    for _ in 0..<MemoryCacheLimit.spins {
      if let found = state.withLockIfAvailable({ $0.use(key, row: row) }) { return found }
    }
    return state.withLock { $0.use(key, row: row) }
  }

  /// Returns the value of `key` without counting it or marking it as used.
  func peek(_ key: ResourceKey<Options>) -> Value? {
    state.withLock { state in
      let index = state.table.find(key)
      return index < 0 ? nil : state.table.entries[Int(index)].value
    }
  }

  /// Returns whether the cache holds a value of `key`, without counting it or marking it as used.
  func contains(_ key: ResourceKey<Options>) -> Bool { state.withLock { $0.table.find(key) >= 0 } }

  /// The number of values that were removed, evicted or refused. While it stays the same, the cache holds each value that it
  /// has taken.
  var removals: Int { state.withLock { $0.removals } }

  /// Stores `value` for `key`, as the most recently used, and evicts others until the total cost is within the limit.
  /// Returns false when the value is refused: it is larger than an eighth of the limit, or the eviction policy prefers the
  /// present values. Amortized O(1) with the default eviction, and O(1) more for each evicted value.
  ///
  /// - Parameter row: The row of the list that shows it, if any; for ``EvictionRule/farthestRow``.
  @discardableResult
  public func insert(
    _ value: Value, for key: ResourceKey<Options>, cost: Int, row: Int? = nil
  ) -> Bool {
    insert(value, for: key, cost: cost, row: row, expiry: nil, response: nil)
  }

  /// Stores `value` with its expiry and its response.
  @discardableResult
  func insert(
    _ value: Value, for key: ResourceKey<Options>, cost: Int, row: Int?, expiry: Expiry?,
    response: LoadedResponse?
  ) -> Bool {
    let cost = max(0, cost)
    let (isKept, leaving) = state.withLock { state -> (Bool, [Value]) in
      var leaving = state.remove(key)
      guard cost <= state.limit / MemoryCacheLimit.entryShare else {
        state.refuse()
        return (false, leaving)
      }
      guard state.makeRoom(for: key, cost: cost, row: row, &leaving) else {
        state.refuse()
        return (false, leaving)
      }
      state.table.insert(key, value, cost: cost, expiry: expiry, response: response)
      state.cost += cost
      state.counters.insertions += 1
      state.counters.peakCost = max(state.counters.peakCost, state.cost)
      return (true, leaving)
    }
    // Freed after the lock: freeing a large image takes longer than a hit may wait.
    _ = consume leaving
    if isKept { shared?.relieve() }
    return isKept
  }

  /// Removes `key`. Returns true when it was present.
  @discardableResult
  public func remove(_ key: ResourceKey<Options>) -> Bool {
    !state.withLock { $0.remove(key) }.isEmpty
  }

  /// Evicts values, in the order of the policy, until at most `cost` bytes remain.
  public func trim(to cost: Int) {
    _ = state.withLock { $0.evict(to: max(0, cost), counting: \.evictedByTrimming) }
  }

  /// The limit in bytes. A lower limit evicts values at once.
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

  /// The row in the middle of the screen, for ``EvictionRule/farthestRow``. A ``Prefetcher`` that follows a list updates
  /// it. Values that are stored or used without a row belong to this one.
  package var position: Int {
    get { state.withLock { $0.position } }
    set { state.withLock { $0.position = newValue } }
  }

  /// The number of values.
  public var count: Int { state.withLock { $0.table.count } }

  /// Their total cost in bytes.
  public var cost: Int { state.withLock { $0.cost } }

  /// The counters since the cache was created.
  public var counters: MemoryCounters { state.withLock { $0.counters } }
}

extension MemoryCache.State {
  fileprivate mutating func refuse() {
    counters.refused += 1
    removals += 1
  }

  mutating func remove(_ key: ResourceKey<Options>) -> [Value] {
    let index = table.find(key)
    guard index >= 0 else { return [] }
    order?.remove(key)
    return [take(at: index).value]
  }

  /// Evicts values until there is room for `key`, which is absent. Returns false when the policy refuses it.
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

  /// Evicts the present ones of `keys`.
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
    let freed = table.remove(at: index)
    cost -= freed
    removals += 1
    return (entry.value, freed)
  }
}

/// The counters of a memory cache.
public struct MemoryCounters: Equatable, Sendable {
  /// Lookups that found a value.
  public var hits = 0
  /// Lookups that found no value.
  public var misses = 0
  /// Values stored.
  public var insertions = 0
  /// Values refused because of their size, or because the policy preferred the present values.
  package var refused = 0
  /// Values evicted to make room for another.
  public var evictedForRoom = 0
  /// Values evicted because the cache was trimmed or its limit lowered.
  package var evictedByTrimming = 0
  /// The total cost of both in bytes.
  package var evictedCost = 0
  /// The peak total cost.
  package var peakCost = 0

  @usableFromInline init() {}
}
