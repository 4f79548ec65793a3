/// SIEVE: keys stay in the order in which they came; a hand walks from the oldest to the newest, spares once
/// what was used since it passed, and takes the first that was not (Zhang, Yang, Yue, Vigfusson and Rashmi,
/// "SIEVE is simpler than LRU", NSDI 2024, algorithm 1). With costs, the hand goes on until there is room.
struct SievePolicy: EvictionPolicy {
  private enum Line: Int, CaseIterable { case kept }

  let capacity: Int
  private var keys = KeyLines<Line>()
  /// Where the hand goes on; nil for the oldest.
  private var hand: KeyLines<Line>.Node?

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
    var leaving: [Int] = []
    while cost > capacity - request.cost, let key = evict() { leaving.append(key) }
    keys.add(request.key, cost: request.cost, to: .kept)
    return leaving
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
