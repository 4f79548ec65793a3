/// ARC: one line for what was used once and one for what was used again; which of them gives way follows
/// from what comes back shortly after it left (Megiddo and Modha, "ARC: a self-tuning, low overhead
/// replacement cache", FAST 2003, figure 4).
///
/// Sizes are in bytes: where the paper makes room for one page, room is made for the cost, and the target
/// moves by the cost times the paper's step. With equal costs it is the paper's algorithm.
struct ARCPolicy: EvictionPolicy {
  private enum Line: Int, CaseIterable {
    /// Kept, used once and again: T1 and T2.
    case once, again
    /// Left `once` and `again`, only remembered: B1 and B2.
    case onceGhost, againGhost
  }

  private(set) var capacity: Int
  private var keys = SegmentedQueues<Line>()
  /// What `once` may take, in bytes: p. It starts at 0, as in the paper.
  private var target = 0.0

  init(capacity: Int) {
    self.capacity = EvictionLimits.capacity(capacity)
  }

  var cost: Int { keys.cost(of: .once) + keys.cost(of: .again) }

  mutating func use(_ request: CacheRequest) -> Bool {
    guard let node = keys.find(request.key) else { return false }
    switch keys.line(of: node) {
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
    let line = keys.line(of: ghost)
    adapt(to: line, cost: request.cost)
    keys.remove(ghost)
    var leaving: [Int] = []
    replace(downTo: capacity - request.cost, comesBackTo: line, &leaving)
    keys.add(request.key, cost: request.cost, to: .again)
    return leaving
  }

  mutating func remove(_ key: Int) {
    guard let node = keys.find(key) else { return }
    switch keys.line(of: node) {
    case .once, .again: keys.remove(node)
    case .onceGhost, .againGhost: break
    }
  }

  mutating func evict(to cost: Int) -> [Int] {
    var leaving: [Int] = []
    replace(downTo: max(0, cost), comesBackTo: nil, &leaving)
    return leaving
  }

  mutating func resize(to capacity: Int) -> [Int] {
    self.capacity = EvictionLimits.capacity(capacity)
    target = min(target, Double(self.capacity))
    return evict(to: self.capacity)
  }

  /// Case IV of the paper: neither kept nor remembered.
  private mutating func insertUnknown(_ request: CacheRequest) -> [Int] {
    var leaving: [Int] = []
    while keys.cost(of: .once) + keys.cost(of: .onceGhost) > capacity - request.cost {
      if let node = keys.oldest(of: .onceGhost) {
        keys.remove(node)
      } else if let node = keys.oldest(of: .once) {
        leaving.append(keys.remove(node))
      }
    }
    while remembered > 2 * capacity - request.cost, let node = keys.oldest(of: .againGhost) {
      keys.remove(node)
    }
    replace(downTo: capacity - request.cost, comesBackTo: nil, &leaving)
    keys.add(request.key, cost: request.cost, to: .once)
    return leaving
  }

  private var remembered: Int {
    cost + keys.cost(of: .onceGhost) + keys.cost(of: .againGhost)
  }

  /// Moves the target towards the line whose ghost is asked for, the faster the smaller its memory is beside
  /// the other's.
  private mutating func adapt(to line: Line, cost: Int) {
    let once = Double(keys.cost(of: .onceGhost))
    let again = Double(keys.cost(of: .againGhost))
    if line == .onceGhost {
      target = min(target + max(1, again / once) * Double(cost), Double(capacity))
    } else {
      target = max(target - max(1, once / again) * Double(cost), 0)
    }
  }

  /// REPLACE of the paper, until what is kept costs at most `cost`.
  private mutating func replace(downTo cost: Int, comesBackTo line: Line?, _ leaving: inout [Int]) {
    while self.cost > cost {
      let once = Double(keys.cost(of: .once))
      let givesOnce = once > target || (line == .againGhost && once == target)
      if let node = keys.oldest(of: .once), givesOnce || keys.oldest(of: .again) == nil {
        leaving.append(keys.key(of: node))
        keys.move(node, to: .onceGhost)
      } else if let node = keys.oldest(of: .again) {
        leaving.append(keys.key(of: node))
        keys.move(node, to: .againGhost)
      }
    }
  }
}
