/// SIEVE: keys stay in insertion order. A hand moves from the oldest to the newest key, skips each key that
/// was used since it last passed, and evicts the first other key. It continues until enough bytes are free.
/// This is algorithm 1 of Zhang, Yang, Yue, Vigfusson and Rashmi, "SIEVE is simpler than LRU", NSDI 2024.
struct SievePolicy: EvictionPolicy {
  private enum Segment: Int, CaseIterable { case cached }

  private(set) var capacity: Int
  private var keys = SegmentedQueues<Segment>()
  /// The next key that the hand checks; nil for the oldest.
  private var hand: SegmentedQueues<Segment>.Node?

  init(capacity: Int) {
    self.capacity = EvictionLimits.capacity(capacity)
  }

  var cost: Int { keys.cost(of: .cached) }

  mutating func use(_ request: CacheRequest) -> Bool {
    guard let node = keys.find(request.key) else { return false }
    keys.setMark(of: node, to: 1)
    return true
  }

  mutating func insert(_ request: CacheRequest) -> [Int] {
    guard request.cost <= capacity else { return [request.key] }
    let evicted = evict(to: capacity - request.cost)
    keys.add(request.key, cost: request.cost, to: .cached)
    return evicted
  }

  mutating func remove(_ key: Int) {
    guard let node = keys.find(key) else { return }
    if node == hand { hand = keys.newer(than: node) }
    keys.remove(node)
  }

  mutating func evict(to cost: Int) -> [Int] {
    var evicted: [Int] = []
    while self.cost > cost, let key = evict() { evicted.append(key) }
    return evicted
  }

  mutating func resize(to capacity: Int) -> [Int] {
    self.capacity = EvictionLimits.capacity(capacity)
    return evict(to: self.capacity)
  }

  private mutating func evict() -> Int? {
    while let node = hand ?? keys.oldest(of: .cached) {
      hand = keys.newer(than: node)
      if keys.mark(of: node) == 0 { return keys.remove(node) }
      keys.setMark(of: node, to: 0)
    }
    return nil
  }
}
