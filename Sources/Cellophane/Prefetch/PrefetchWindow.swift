/// The requests of a window, waiting, running or ended. Pure: transitions return the effects to run.
struct PrefetchWindow<Key: Hashable> {
  private enum Stage {
    case waiting
    case running
    /// In memory, with its cost in bytes.
    case loaded(cost: Int)
    /// Without a value; a slot that shows it will try again.
    case failed
  }

  private let concurrency: Int
  private let byteBudget: Int
  private var order: [Key] = []
  private var stages: [Key: Stage] = [:]
  /// Running loads that left the window because they are shown: they continue as long as they are shown.
  private var taken: [Key] = []
  /// The index in `order` of the next waiting request; all before it run or have ended.
  private var cursor = 0
  /// The number of running loads, also outside the window, until they have ended.
  private var running = 0
  private var spent = 0

  /// True while no new loads start.
  var isPaused = false

  init(concurrency: Int, byteBudget: Int) {
    self.concurrency = concurrency
    self.byteBudget = byteBudget
  }

  /// Replaces the window, most important first. Loads that stay in it continue, as do those that are `shown`; a loaded
  /// request that is no longer `held` waits again. Returns the running loads that left the window. O(old + new).
  @specialized(where Key == ResourceKey<ImageOptions>)
  mutating func replace(with window: [Key], held: (Key) -> Bool, shown: (Key) -> Bool) -> [Key] {
    let before = stages
    let former = order + taken
    stages = Dictionary(minimumCapacity: window.count)
    order = []
    taken = []
    spent = 0
    cursor = 0
    for key in window where stages[key] == nil {
      var stage = before[key] ?? .waiting
      if case .loaded(let cost) = stage {
        if held(key) { spent += cost } else { stage = .waiting }
      }
      stages[key] = stage
      order.append(key)
    }
    return former.filter { key in
      guard stages[key] == nil, case .running? = before[key] else { return false }
      guard shown(key) else { return true }
      stages[key] = .running
      taken.append(key)
      return false
    }
  }

  /// Returns the loads that left the window while they were shown and are no longer `shown`.
  @specialized(where Key == ResourceKey<ImageOptions>)
  mutating func release(shown: (Key) -> Bool) -> [Key] {
    // The usual case, in every frame.
    if taken.isEmpty { return [] }
    let released = taken.filter { !shown($0) }
    for key in released { stages[key] = nil }
    taken.removeAll { stages[$0] == nil }
    return released
  }

  /// Starts the next request; nil while none may start.
  @specialized(where Key == ResourceKey<ImageOptions>)
  mutating func next() -> Key? {
    guard !isPaused, running < concurrency, spent < byteBudget else { return nil }
    while cursor < order.count {
      let key = order[cursor]
      cursor += 1
      guard case .waiting? = stages[key] else { continue }
      stages[key] = .running
      running += 1
      return key
    }
    return nil
  }

  /// Ends the load of `key` with its `cost` in bytes; nil without a value. `isCurrent` is false when the key has left the
  /// window since, even if it has returned.
  @specialized(where Key == ResourceKey<ImageOptions>)
  mutating func finish(_ key: Key, cost: Int?, isCurrent: Bool = true) {
    running -= 1
    guard isCurrent, case .running? = stages[key] else { return }
    if let index = taken.firstIndex(of: key) {
      taken.remove(at: index)
      stages[key] = nil
      return
    }
    stages[key] = cost.map { .loaded(cost: $0) } ?? .failed
    spent += cost ?? 0
  }
}
