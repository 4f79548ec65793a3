/// The least recently used leaves first: what ``MemoryCache`` does by itself; here to be compared with.
///
/// The oldest of the policies (Belady, IBM Systems Journal 1966, compares it), and the one to beat on a list
/// that is scrolled back and forth.
struct LRUPolicy: EvictionPolicy {
  private enum Line: Int, CaseIterable { case used }

  private(set) var capacity: Int
  private var keys = SegmentedQueues<Line>()

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
    let leaving = evict(to: capacity - request.cost)
    keys.add(request.key, cost: request.cost, to: .used)
    return leaving
  }

  mutating func remove(_ key: Int) {
    if let node = keys.find(key) { keys.remove(node) }
  }

  mutating func evict(to cost: Int) -> [Int] {
    var leaving: [Int] = []
    while self.cost > cost, let node = keys.oldest(of: .used) { leaving.append(keys.remove(node)) }
    return leaving
  }

  mutating func resize(to capacity: Int) -> [Int] {
    self.capacity = EvictionLimits.capacity(capacity)
    return evict(to: self.capacity)
  }
}
