/// S3-FIFO: a small queue that most newcomers leave again soon, a main queue for what was used more than
/// once in the small one, and the memory of what left the small one lately, which goes straight to the main
/// queue when it comes back (Yang, Zhang, Qiu, Yue and Rashmi, "FIFO queues are all you need for cache
/// eviction", SOSP 2023, algorithm 1).
///
/// Sizes are in bytes. A newcomer is looked up in the memory before the evictions that it causes, which could
/// push it out there.
struct S3FIFOPolicy: EvictionPolicy {
  private enum Line: Int, CaseIterable {
    case small, main
    /// Left the small queue: only the key is remembered.
    case ghost
  }

  /// The small queue's share is a tenth: the paper's setting.
  private static let smallShare = 10
  /// Uses are counted up to 3: two bits, as in the paper.
  private static let mostUses: UInt8 = 3
  /// More uses than this in the small queue lead to the main one: 1, as in the paper.
  private static let fewUses: UInt8 = 1

  private(set) var capacity: Int
  private var smallCapacity: Int { max(1, capacity / Self.smallShare) }
  private var mainCapacity: Int { capacity - smallCapacity }
  private var keys = SegmentedQueues<Line>()

  init(capacity: Int) {
    self.capacity = EvictionLimits.capacity(capacity)
  }

  var cost: Int { keys.cost(of: .small) + keys.cost(of: .main) }

  mutating func use(_ request: CacheRequest) -> Bool {
    guard let node = keys.find(request.key), keys.line(of: node) != .ghost else { return false }
    keys.setMark(of: node, to: min(keys.mark(of: node) + 1, Self.mostUses))
    return true
  }

  mutating func insert(_ request: CacheRequest) -> [Int] {
    guard request.cost <= capacity else { return [request.key] }
    let ghost = keys.find(request.key).map { keys.remove($0) }
    let leaving = evict(to: capacity - request.cost)
    keys.add(request.key, cost: request.cost, to: ghost == nil ? .small : .main)
    return leaving
  }

  mutating func remove(_ key: Int) {
    if let node = keys.find(key), keys.line(of: node) != .ghost { keys.remove(node) }
  }

  mutating func evict(to cost: Int) -> [Int] {
    var leaving: [Int] = []
    while self.cost > max(0, cost) {
      if keys.cost(of: .small) >= smallCapacity || keys.oldest(of: .main) == nil {
        evictFromSmall(&leaving)
      } else {
        evictFromMain(&leaving)
      }
    }
    return leaving
  }

  mutating func resize(to capacity: Int) -> [Int] {
    self.capacity = EvictionLimits.capacity(capacity)
    return evict(to: self.capacity)
  }

  /// Moves what was used to the main queue, up to the first that was not, which leaves.
  private mutating func evictFromSmall(_ leaving: inout [Int]) {
    while let node = keys.oldest(of: .small) {
      let isUsed = keys.mark(of: node) > Self.fewUses
      keys.setMark(of: node, to: 0)
      guard isUsed else {
        leaving.append(keys.key(of: node))
        remember(node)
        return
      }
      keys.move(node, to: .main)
      while keys.cost(of: .main) > mainCapacity { evictFromMain(&leaving) }
    }
  }

  /// Gives each that was used another round for each use, up to the first without, which leaves.
  private mutating func evictFromMain(_ leaving: inout [Int]) {
    while let node = keys.oldest(of: .main) {
      let uses = keys.mark(of: node)
      if uses == 0 {
        leaving.append(keys.remove(node))
        return
      }
      keys.setMark(of: node, to: uses - 1)
      keys.move(node, to: .main)
    }
  }

  /// As much is remembered as the main queue holds: the paper's setting.
  private mutating func remember(_ node: SegmentedQueues<Line>.Node) {
    keys.move(node, to: .ghost)
    while keys.cost(of: .ghost) > mainCapacity, let oldest = keys.oldest(of: .ghost) {
      keys.remove(oldest)
    }
  }
}
