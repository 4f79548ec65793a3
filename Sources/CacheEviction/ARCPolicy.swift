/// ARC: two queues, for keys used once and keys used again. Their sizes adapt to recently evicted keys that
/// return (Megiddo and Modha, "ARC: a self-tuning, low overhead replacement cache", FAST 2003, figure 4).
///
/// Sizes are in bytes. Where the paper frees one page, this policy frees the cost of the key, and the target
/// moves by the cost times the paper's step. With equal costs it is the paper's algorithm.
struct ARCPolicy: EvictionPolicy {
  private enum Segment: Int, CaseIterable {
    /// Cached keys that were used once and again: T1 and T2 of the paper.
    case once, again
    /// Keys evicted from `once` and `again`, without values: B1 and B2.
    case onceGhost, againGhost
  }

  private(set) var capacity: Int
  private var keys = SegmentedQueues<Segment>()
  /// The target size of `once` in bytes: p. It starts at 0, as in the paper.
  private var target = 0.0

  init(capacity: Int) {
    self.capacity = EvictionLimits.capacity(capacity)
  }

  var cost: Int { keys.cost(of: .once) + keys.cost(of: .again) }

  mutating func use(_ request: CacheRequest) -> Bool {
    guard let node = keys.find(request.key) else { return false }
    switch keys.segment(of: node) {
    case .once, .again:
      keys.move(node, to: .again)
      return true
    case .onceGhost, .againGhost:
      return false
    }
  }

  mutating func insert(_ request: CacheRequest) -> [Int] {
    guard request.cost <= capacity else { return [request.key] }
    guard let ghost = keys.find(request.key) else { return insertUnknown(request) }
    let segment = keys.segment(of: ghost)
    adapt(to: segment, cost: request.cost)
    keys.remove(ghost)
    var evicted: [Int] = []
    replace(downTo: capacity - request.cost, ghostHit: segment, &evicted)
    keys.add(request.key, cost: request.cost, to: .again)
    return evicted
  }

  mutating func remove(_ key: Int) {
    guard let node = keys.find(key) else { return }
    switch keys.segment(of: node) {
    case .once, .again: keys.remove(node)
    case .onceGhost, .againGhost: break
    }
  }

  mutating func evict(to cost: Int) -> [Int] {
    var evicted: [Int] = []
    replace(downTo: max(0, cost), ghostHit: nil, &evicted)
    return evicted
  }

  mutating func resize(to capacity: Int) -> [Int] {
    self.capacity = EvictionLimits.capacity(capacity)
    target = min(target, Double(self.capacity))
    return evict(to: self.capacity)
  }

  /// Inserts a key that is neither cached nor a ghost: case IV of the paper.
  private mutating func insertUnknown(_ request: CacheRequest) -> [Int] {
    var evicted: [Int] = []
    while keys.cost(of: .once) + keys.cost(of: .onceGhost) > capacity - request.cost {
      if let node = keys.oldest(of: .onceGhost) {
        keys.remove(node)
      } else if let node = keys.oldest(of: .once) {
        evicted.append(keys.remove(node))
      }
    }
    while totalCost > 2 * capacity - request.cost, let node = keys.oldest(of: .againGhost) {
      keys.remove(node)
    }
    replace(downTo: capacity - request.cost, ghostHit: nil, &evicted)
    keys.add(request.key, cost: request.cost, to: .once)
    return evicted
  }

  private var totalCost: Int {
    cost + keys.cost(of: .onceGhost) + keys.cost(of: .againGhost)
  }

  /// Moves the target toward the queue whose ghost was hit. The step is larger if that ghost queue is smaller
  /// than the other one.
  private mutating func adapt(to segment: Segment, cost: Int) {
    let once = Double(keys.cost(of: .onceGhost))
    let again = Double(keys.cost(of: .againGhost))
    if segment == .onceGhost {
      target = min(target + max(1, again / once) * Double(cost), Double(capacity))
    } else {
      target = max(target - max(1, once / again) * Double(cost), 0)
    }
  }

  /// Evicts until the cached keys cost at most `cost`: REPLACE of the paper.
  private mutating func replace(downTo cost: Int, ghostHit segment: Segment?, _ evicted: inout [Int]) {
    while self.cost > cost {
      let once = Double(keys.cost(of: .once))
      let evictsOnce = once > target || (segment == .againGhost && once == target)
      if let node = keys.oldest(of: .once), evictsOnce || keys.oldest(of: .again) == nil {
        evicted.append(keys.key(of: node))
        keys.move(node, to: .onceGhost)
      } else if let node = keys.oldest(of: .again) {
        evicted.append(keys.key(of: node))
        keys.move(node, to: .againGhost)
      }
    }
  }
}
