/// S3-FIFO: a small queue for new keys, a main queue for keys used repeatedly in the small queue, and a ghost
/// queue of keys recently evicted from the small queue. A ghost that is requested again goes directly to the
/// main queue (Yang, Zhang, Qiu, Yue and Rashmi, "FIFO queues are all you need for cache eviction", SOSP
/// 2023, algorithm 1).
///
/// Sizes are in bytes. A new key is looked up among the ghosts before the evictions that it causes, because
/// these may remove its ghost.
struct S3FIFOPolicy: EvictionPolicy {
  private enum Segment: Int, CaseIterable {
    case small, main
    /// Keys evicted from the small queue, without values.
    case ghost
  }

  /// The small queue has a tenth of the capacity, as in the paper.
  private static let smallShare = 10
  /// Uses are counted up to 3, two bits, as in the paper.
  private static let maxUses: UInt8 = 3
  /// Keys with more uses than this move from the small queue to the main queue: 1, as in the paper.
  private static let promotionThreshold: UInt8 = 1

  private(set) var capacity: Int
  private var smallCapacity: Int { max(1, capacity / Self.smallShare) }
  private var mainCapacity: Int { capacity - smallCapacity }
  private var keys = SegmentedQueues<Segment>()

  init(capacity: Int) {
    self.capacity = EvictionLimits.capacity(capacity)
  }

  var cost: Int { keys.cost(of: .small) + keys.cost(of: .main) }

  mutating func use(_ request: CacheRequest) -> Bool {
    guard let node = keys.find(request.key), keys.segment(of: node) != .ghost else { return false }
    keys.setMark(of: node, to: min(keys.mark(of: node) + 1, Self.maxUses))
    return true
  }

  mutating func insert(_ request: CacheRequest) -> [Int] {
    guard request.cost <= capacity else { return [request.key] }
    let ghost = keys.find(request.key).map { keys.remove($0) }
    let evicted = evict(to: capacity - request.cost)
    keys.add(request.key, cost: request.cost, to: ghost == nil ? .small : .main)
    return evicted
  }

  mutating func remove(_ key: Int) {
    if let node = keys.find(key), keys.segment(of: node) != .ghost { keys.remove(node) }
  }

  mutating func evict(to cost: Int) -> [Int] {
    var evicted: [Int] = []
    while self.cost > max(0, cost) {
      if keys.cost(of: .small) >= smallCapacity || keys.oldest(of: .main) == nil {
        evictFromSmall(&evicted)
      } else {
        evictFromMain(&evicted)
      }
    }
    return evicted
  }

  mutating func resize(to capacity: Int) -> [Int] {
    self.capacity = EvictionLimits.capacity(capacity)
    return evict(to: self.capacity)
  }

  /// Moves keys with more uses than ``promotionThreshold`` to the main queue, up to the first other key, which it
  /// evicts. Evicts from the main queue, too, if it exceeds its capacity.
  private mutating func evictFromSmall(_ evicted: inout [Int]) {
    while let node = keys.oldest(of: .small) {
      let isUsed = keys.mark(of: node) > Self.promotionThreshold
      keys.setMark(of: node, to: 0)
      guard isUsed else {
        evicted.append(keys.key(of: node))
        addGhost(node)
        return
      }
      keys.move(node, to: .main)
      while keys.cost(of: .main) > mainCapacity { evictFromMain(&evicted) }
    }
  }

  /// Gives each used key another round per use, up to the first unused key, which it evicts.
  private mutating func evictFromMain(_ evicted: inout [Int]) {
    while let node = keys.oldest(of: .main) {
      let uses = keys.mark(of: node)
      if uses == 0 {
        evicted.append(keys.remove(node))
        return
      }
      keys.setMark(of: node, to: uses - 1)
      keys.move(node, to: .main)
    }
  }

  /// Adds a ghost. The ghost queue has the size of the main queue, as in the paper.
  private mutating func addGhost(_ node: SegmentedQueues<Segment>.Node) {
    keys.move(node, to: .ghost)
    while keys.cost(of: .ghost) > mainCapacity, let oldest = keys.oldest(of: .ghost) {
      keys.remove(oldest)
    }
  }
}
