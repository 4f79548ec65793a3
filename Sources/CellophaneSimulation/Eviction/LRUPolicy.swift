/// The least recently used leaves first: what ``MemoryCache`` does.
///
/// The oldest of the policies (Belady, IBM Systems Journal 1966, compares it), and the one to beat on a list
/// that is scrolled back and forth.
struct LRUPolicy: EvictionPolicy {
  private enum Line: Int, CaseIterable { case used }

  let capacity: Int
  private var keys = KeyLines<Line>()

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
    var leaving: [Int] = []
    while cost > capacity - request.cost, let node = keys.oldest(of: .used) {
      leaving.append(keys.remove(node))
    }
    keys.add(request.key, cost: request.cost, to: .used)
    return leaving
  }
}
