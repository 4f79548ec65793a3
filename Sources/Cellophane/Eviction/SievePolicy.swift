/// SIEVE: keys stay in the order in which they came; a hand walks from the oldest to the newest, spares once
/// what was used since it passed, and takes the first that was not (Zhang, Yang, Yue, Vigfusson and Rashmi,
/// "SIEVE is simpler than LRU", NSDI 2024, algorithm 1). With costs, the hand goes on until there is room.
struct SievePolicy: EvictionPolicy {
  private enum Line: Int, CaseIterable { case kept }

  private(set) var capacity: Int
  private var keys = SegmentedQueues<Line>()
  /// Where the hand goes on; nil for the oldest.
  private var hand: SegmentedQueues<Line>.Node?

  init(capacity: Int) {
    self.capacity = EvictionLimits.capacity(capacity)
  }

  var cost: Int { keys.cost(of: .kept) }

  mutating func use(_ request: CacheRequest) -> Bool {
    guard let node = keys.find(request.key) else { return false }
    keys.setMark(of: node, to: 1)
    return true
  }

  mutating func insert(_ request: CacheRequest) -> [Int] {
    guard request.cost <= capacity else { return [request.key] }
    let leaving = evict(to: capacity - request.cost)
    keys.add(request.key, cost: request.cost, to: .kept)
    return leaving
  }

  mutating func remove(_ key: Int) {
    guard let node = keys.find(key) else { return }
    if node == hand { hand = keys.newer(than: node) }
    keys.remove(node)
  }

  mutating func evict(to cost: Int) -> [Int] {
    var leaving: [Int] = []
    while self.cost > cost, let key = evict() { leaving.append(key) }
    return leaving
  }

  mutating func resize(to capacity: Int) -> [Int] {
    self.capacity = EvictionLimits.capacity(capacity)
    return evict(to: self.capacity)
  }

  private mutating func evict() -> Int? {
    while let node = hand ?? keys.oldest(of: .kept) {
      hand = keys.newer(than: node)
      if keys.mark(of: node) == 0 { return keys.remove(node) }
      keys.setMark(of: node, to: 0)
    }
    return nil
  }
}
