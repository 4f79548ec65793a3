/// W-TinyLFU: new keys pass through a small window. A key that leaves the window is admitted to the main part
/// only if it was requested more often recently than the keys it would displace. The main part is a segmented
/// LRU: keys used while on probation become protected. The algorithm is by Einziger, Friedman and Manes
/// ("TinyLFU: a highly efficient cache admission policy", ACM Transactions on Storage 2017).
///
/// ``WindowClimber`` adapts the window size to the hit ratio. With costs, a new key must be more frequent
/// than all displaced keys together (Einziger, Eytan, Friedman and Manes, "Lightweight robust size aware
/// cache management", ACM Transactions on Storage 2022, aggregated victims).
///
/// An equally frequent new key is rejected. Caffeine makes random exceptions against callers that choose
/// colliding keys; here these would only add noise to comparisons. A key that fits into neither part is
/// rejected as well. A use is O(1), an insertion O(k) for k compared keys.
struct WTinyLFUPolicy: EvictionPolicy {
  private enum Segment: Int, CaseIterable { case window, probation, protected }

  /// The initial window has 1 % of the capacity, as in the paper.
  private static let windowShare = 100
  /// A fifth of the main part is for probation, the rest is protected, as in the paper.
  private static let probationShare = 5

  private(set) var capacity: Int
  private var probationCapacity: Int
  /// The current maximum size of the window in bytes.
  private(set) var windowCapacity: Int
  private var keys = SegmentedQueues<Segment>()
  private var sketch: FrequencySketch
  private var climber = WindowClimber()

  /// Creates a policy whose sketch uses `seed`. The seed need not be secret, only equal in all runs.
  init(capacity: Int, seed: UInt64 = 0) {
    self.capacity = EvictionLimits.capacity(capacity)
    windowCapacity = min(self.capacity, max(1, self.capacity / Self.windowShare))
    probationCapacity = (self.capacity - windowCapacity) / Self.probationShare
    sketch = FrequencySketch(seed: seed)
  }

  var cost: Int { keys.cost(of: .window) + mainCost }

  private var mainCost: Int { keys.cost(of: .probation) + keys.cost(of: .protected) }
  private var mainCapacity: Int { capacity - windowCapacity }

  mutating func use(_ request: CacheRequest) -> Bool {
    guard let node = keys.find(request.key) else { return false }
    climber.record(isHit: true)
    sketch.count(request.key, entries: keys.count)
    switch keys.segment(of: node) {
    case .window: keys.move(node, to: .window)
    case .probation, .protected:
      keys.move(node, to: .protected)
      demote()
    }
    return true
  }

  mutating func insert(_ request: CacheRequest) -> [Int] {
    climber.record(isHit: false)
    sketch.count(request.key, entries: keys.count)
    guard request.cost <= capacity else { return [request.key] }
    // Here and not in `use`, because keys may be evicted.
    if let change = climber.change(every: sketch.sample) { changeWindow(by: change) }
    let node = keys.add(request.key, cost: request.cost, to: .window)
    var evicted: [Int] = []
    // A key larger than the window does not empty the window first.
    if request.cost > windowCapacity { admit(node, &evicted) }
    while keys.cost(of: .window) > windowCapacity, let oldest = keys.oldest(of: .window) {
      admit(oldest, &evicted)
    }
    return evicted
  }

  mutating func remove(_ key: Int) {
    if let node = keys.find(key) { keys.remove(node) }
  }

  /// Evicts from the main part first, because keys in the window have not been compared yet.
  mutating func evict(to cost: Int) -> [Int] {
    var evicted: [Int] = []
    while self.cost > cost,
      let node = keys.oldest(of: .probation) ?? keys.oldest(of: .protected) ?? keys.oldest(of: .window)
    {
      evicted.append(keys.remove(node))
    }
    return evicted
  }

  /// The window keeps its share; keys that no longer fit into it leave it at the next insertion.
  mutating func resize(to capacity: Int) -> [Int] {
    let share = Double(windowCapacity) / Double(max(1, self.capacity))
    self.capacity = EvictionLimits.capacity(capacity)
    windowCapacity = min(self.capacity, max(1, Int(share * Double(self.capacity))))
    probationCapacity = (self.capacity - windowCapacity) / Self.probationShare
    demote()
    var evicted = evict(to: self.capacity)
    while mainCost > mainCapacity, let node = keys.oldest(of: .probation) ?? keys.oldest(of: .protected) {
      evicted.append(keys.remove(node))
    }
    return evicted
  }

  /// Admits a key that leaves the window to the main part, displacing less frequent keys, or evicts it.
  private mutating func admit(_ candidate: SegmentedQueues<Segment>.Node, _ evicted: inout [Int]) {
    let cost = keys.cost(of: candidate)
    guard let victims = victims(of: candidate, cost: cost) else {
      evicted.append(keys.remove(candidate))
      return
    }
    for victim in victims { evicted.append(keys.remove(victim)) }
    keys.move(candidate, to: .probation)
  }

  /// Returns the keys to displace for `candidate`, none if there is room. Nil if they are at least as frequent
  /// together, or if `candidate` does not fit into the main part.
  private func victims(of candidate: SegmentedQueues<Segment>.Node, cost: Int) -> [SegmentedQueues<Segment>
    .Node]?
  {
    guard cost <= mainCapacity else { return nil }
    var missing = mainCost - (mainCapacity - cost)
    guard missing > 0 else { return [] }
    var remainingFrequency = sketch.frequency(of: keys.key(of: candidate))
    var victims: [SegmentedQueues<Segment>.Node] = []
    var next = keys.oldest(of: .probation) ?? keys.oldest(of: .protected)
    while missing > 0, let victim = next {
      remainingFrequency -= sketch.frequency(of: keys.key(of: victim))
      if remainingFrequency <= 0 { return nil }
      victims.append(victim)
      missing -= keys.cost(of: victim)
      let isLastOnProbation = keys.segment(of: victim) == .probation && keys.newer(than: victim) == nil
      next = isLastOnProbation ? keys.oldest(of: .protected) : keys.newer(than: victim)
    }
    return victims
  }

  private mutating func demote() {
    let protectedCapacity = mainCapacity - probationCapacity
    while keys.cost(of: .protected) > protectedCapacity, let node = keys.oldest(of: .protected) {
      keys.move(node, to: .probation)
    }
  }

  /// Moves the border between the window and the protected part, and moves the least recently used keys
  /// across it.
  private mutating func changeWindow(by share: Double) {
    let wanted = windowCapacity + Int(share * Double(capacity))
    windowCapacity = min(max(wanted, min(capacity, 1)), capacity - probationCapacity)
    demote()
    while mainCost > mainCapacity, let node = keys.oldest(of: .probation) ?? keys.oldest(of: .protected) {
      keys.move(node, to: .window)
    }
    while keys.cost(of: .window) > windowCapacity, let node = keys.oldest(of: .window),
      keys.cost(of: node) <= mainCapacity - mainCost
    {
      keys.move(node, to: .probation)
    }
  }
}
