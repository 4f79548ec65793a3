internal import CellophaneResults

/// A cache of a ``RuledLoader``, with a limit of its cost. O(entries) per eviction and per use.
struct RuledCache<Value> {
  private struct Entry {
    let value: Value
    let cost: Int
    var isUsed = false
  }

  private let limit: Int
  private let largest: Int
  private let eviction: LoaderRules.Eviction
  private var entries: [String: Entry] = [:]
  /// The keys in the order of eviction.
  private var order: [String] = []
  private var cost = 0

  /// Creates a cache of up to `limit`, for values up to `largestShare` of it.
  init(limit: Int, largestShare: Double = 1, _ eviction: LoaderRules.Eviction = .leastRecentlyUsed) {
    self.limit = limit
    largest = Int(Double(limit) * largestShare)
    self.eviction = eviction
  }

  /// Returns the value of `key`, and notes its use.
  mutating func value(of key: String) -> Value? {
    guard let entry = entries[key] else { return nil }
    switch eviction {
    case .secondChance: entries[key]?.isUsed = true
    case .leastRecentlyUsed: moveToEnd(key)
    }
    return entry.value
  }

  /// Returns true if `key` has a value. This is not a use.
  func contains(_ key: String) -> Bool { entries[key] != nil }

  mutating func insert(_ value: Value, of cost: Int, for key: String) {
    guard cost <= largest else { return }
    if let old = entries[key] {
      self.cost -= old.cost
      moveToEnd(key)
    } else {
      order.append(key)
    }
    entries[key] = Entry(value: value, cost: cost)
    self.cost += cost
    evict()
  }

  mutating func removeAll() { self = RuledCache(limit: limit, largest: largest, eviction) }

  private init(limit: Int, largest: Int, _ eviction: LoaderRules.Eviction) {
    self.limit = limit
    self.largest = largest
    self.eviction = eviction
  }

  private mutating func evict() {
    while cost > limit, let key = order.first, let entry = entries[key] {
      order.removeFirst()
      if entry.isUsed {
        entries[key]?.isUsed = false
        order.append(key)
      } else {
        entries[key] = nil
        cost -= entry.cost
      }
    }
  }

  private mutating func moveToEnd(_ key: String) {
    guard let index = order.lastIndex(of: key) else { return }
    order.remove(at: index)
    order.append(key)
  }
}
