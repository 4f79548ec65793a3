/// Evicts the least recently used key first. ``MemoryCache`` implements this order itself; this policy exists
/// for comparisons.
///
/// It is the oldest of the policies (Belady, IBM Systems Journal 1966, compares it), and a strong baseline
/// for a list that is scrolled back and forth.
struct LRUPolicy: EvictionPolicy {
  private enum Segment: Int, CaseIterable { case used }

  private(set) var capacity: Int
  private var keys = SegmentedQueues<Segment>()

  init(capacity: Int) {
    self.capacity = EvictionLimits.capacity(capacity)
  }

  var cost: Int { keys.cost(of: .used) }

  mutating func use(_ request: CacheRequest) -> Bool {
    guard let node = keys.find(request.key) else { return false }
    keys.move(node, to: .used)
    return true
  }

  mutating func insert(_ request: CacheRequest) -> [Int] {
    guard request.cost <= capacity else { return [request.key] }
    let evicted = evict(to: capacity - request.cost)
    keys.add(request.key, cost: request.cost, to: .used)
    return evicted
  }

  mutating func remove(_ key: Int) {
    if let node = keys.find(key) { keys.remove(node) }
  }

  mutating func evict(to cost: Int) -> [Int] {
    var evicted: [Int] = []
    while self.cost > cost, let node = keys.oldest(of: .used) { evicted.append(keys.remove(node)) }
    return evicted
  }

  mutating func resize(to capacity: Int) -> [Int] {
    self.capacity = EvictionLimits.capacity(capacity)
    return evict(to: self.capacity)
  }
}
