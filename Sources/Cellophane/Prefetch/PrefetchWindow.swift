/// Which requests of a window wait, run or are done. Pure: transitions return what to do.
struct PrefetchWindow<Key: Hashable> {
  private enum Stage {
    case waiting
    case running
    /// In memory, where it takes so many bytes.
    case loaded(cost: Int)
    /// It gave no value; whoever shows it will try again.
    case failed
  }

  private let concurrency: Int
  private let byteBudget: Int
  private var order: [Key] = []
  private var stages: [Key: Stage] = [:]
  /// What runs and left the window because it came to be shown: it goes on as long as it is.
  private var taken: [Key] = []
  /// Where in `order` to look for waiting work; everything before it runs or is done.
  private var cursor = 0
  /// What runs, also outside the window: it holds its place until it has ended.
  private var running = 0
  private var spent = 0

  /// Starts nothing new while true.
  var isPaused = false

  init(concurrency: Int, byteBudget: Int) {
    self.concurrency = concurrency
    self.byteBudget = byteBudget
  }

  /// Replaces the window, most wanted first. What stays in it goes on, and so does what is `shown`; what was loaded and
  /// is no longer `held` waits again. Returns what left the window while running. O(old + new).
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

  /// Returns what had left the window while it was shown, and is no longer `shown`.
  @specialized(where Key == ResourceKey<ImageOptions>)
  mutating func release(shown: (Key) -> Bool) -> [Key] {
    // The rule, at every frame.
    if taken.isEmpty { return [] }
    let released = taken.filter { !shown($0) }
    for key in released { stages[key] = nil }
    taken.removeAll { stages[$0] == nil }
    return released
  }

  /// The next to start, which then runs; nil while nothing may start.
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

  /// What ran for `key` ended; it takes `cost` bytes of memory, or gave no value when that is nil. `isCurrent`
  /// is false when the key left the window meanwhile, even if it came back.
  @specialized(where Key == ResourceKey<ImageOptions>)
  mutating func finish(_ key: Key, cost: Int?, isCurrent: Bool = true) {
    running -= 1
    guard isCurrent, case .running? = stages[key] else { return }
    if let place = taken.firstIndex(of: key) {
      taken.remove(at: place)
      stages[key] = nil
      return
    }
    stages[key] = cost.map { .loaded(cost: $0) } ?? .failed
    spent += cost ?? 0
  }
}
