/// The requests of a window, waiting, running or ended. Transitions return the effects to run.
struct PrefetchWindow<Options: Hashable & Sendable> {
  typealias Key = ResourceKey<Options>

  private enum Stage {
    case waiting
    case running
    /// In memory, with its cost in bytes.
    case loaded(cost: Int)
    /// Without a value; a slot that shows it will try again.
    case failed
  }

  /// A request and the stage of its load.
  private final class Item {
    var request: Request<Options>
    var stage = Stage.waiting
    /// The number of the last window that contains the item.
    var window = 0

    init(_ request: Request<Options>) { self.request = request }
  }

  private let concurrency: Int
  private let byteBudget: Int
  private var order: [Item] = []
  /// The items of the window and the taken ones.
  private var items: [Key: Item] = [:]
  /// The items of rows; empty when the window was set by requests.
  private var rows: [Int: Item] = [:]
  /// Running loads that left the window because they are shown: they continue as long as they are shown.
  private var taken: [Item] = []
  /// The number of windows so far.
  private var number = 0
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

  /// Returns the rows among `rows` that have no request in the window. O(rows).
  @specialized(where Options == ImageOptions)
  func missing(_ rows: [Int]) -> [Int] { rows.filter { self.rows[$0] == nil } }

  /// Replaces the window by the requests of `rows`, most important first. Rows that stay in it keep their requests. Otherwise
  /// like ``replace(with:held:shown:)``. O(old + new).
  ///
  /// - Parameter entering: The requests of the ``missing(_:)`` rows, except rows without an image.
  @specialized(where Options == ImageOptions)
  mutating func replace(
    with rows: [Int], entering: [Int: Request<Options>], held: (Key) -> Bool, shown: (Key) -> Bool
  ) -> [Key] {
    let former = begin()
    let before = self.rows
    self.rows = Dictionary(minimumCapacity: rows.count)
    for row in rows where self.rows[row] == nil {
      if let item = before[row] {
        self.rows[row] = item
        if append(item, held: held) { item.request.row = row }
      } else if let request = entering[row] {
        self.rows[row] = append(request, held: held)
      }
    }
    return leaving(former, shown: shown)
  }

  /// Replaces the window, most important first. Returns the running loads that left the window. O(old + new).
  ///
  /// Loads in both windows continue, and so do loads that are `shown`. A loaded request that is no longer `held` waits again.
  @specialized(where Options == ImageOptions)
  mutating func replace(
    with window: [Request<Options>], held: (Key) -> Bool, shown: (Key) -> Bool
  ) -> [Key] {
    let former = begin()
    rows = [:]
    for request in window { _ = append(request, held: held) }
    return leaving(former, shown: shown)
  }

  /// Begins an empty window. Returns the items of the former one.
  private mutating func begin() -> [Item] {
    number += 1
    let former = order + taken
    order = []
    taken = []
    spent = 0
    cursor = 0
    return former
  }

  /// Adds `request`; of several for one key, the first counts.
  private mutating func append(_ request: Request<Options>, held: (Key) -> Bool) -> Item {
    guard let item = items[request.key] else {
      let item = Item(request)
      items[request.key] = item
      append(item, held: held)
      return item
    }
    if append(item, held: held) { item.request = request }
    return item
  }

  /// Adds `item`. Returns false if the window contains it already.
  @discardableResult
  private mutating func append(_ item: Item, held: (Key) -> Bool) -> Bool {
    if item.window == number { return false }
    item.window = number
    if case .loaded(let cost) = item.stage {
      if held(item.request.key) { spent += cost } else { item.stage = .waiting }
    }
    order.append(item)
    return true
  }

  /// Removes the items of the `former` window that are not in this one. Returns the running ones that are not `shown`.
  private mutating func leaving(_ former: [Item], shown: (Key) -> Bool) -> [Key] {
    var left: [Key] = []
    for item in former where item.window != number {
      let key = item.request.key
      if case .running = item.stage {
        if shown(key) {
          taken.append(item)
          continue
        }
        left.append(key)
      }
      items[key] = nil
    }
    return left
  }

  /// Returns the loads that left the window while they were shown and are no longer `shown`.
  @specialized(where Options == ImageOptions)
  mutating func release(shown: (Key) -> Bool) -> [Key] {
    // The usual case, in every frame.
    if taken.isEmpty { return [] }
    let released = taken.map(\.request.key).filter { !shown($0) }
    for key in released { items[key] = nil }
    taken.removeAll { items[$0.request.key] == nil }
    return released
  }

  /// Starts the next request; nil while none may start.
  @specialized(where Options == ImageOptions)
  mutating func next() -> Request<Options>? {
    guard !isPaused, running < concurrency, spent < byteBudget else { return nil }
    while cursor < order.count {
      let item = order[cursor]
      cursor += 1
      guard case .waiting = item.stage else { continue }
      item.stage = .running
      running += 1
      return item.request
    }
    return nil
  }

  /// Ends the load of `key` with its `cost` in bytes; nil without a value. `isCurrent` is false when the key has left the
  /// window since, even if it has returned.
  @specialized(where Options == ImageOptions)
  mutating func finish(_ key: Key, cost: Int?, isCurrent: Bool = true) {
    running -= 1
    guard isCurrent, let item = items[key], case .running = item.stage else { return }
    if item.window != number {
      taken.removeAll { $0 === item }
      items[key] = nil
      return
    }
    item.stage = cost.map { .loaded(cost: $0) } ?? .failed
    spent += cost ?? 0
  }
}
