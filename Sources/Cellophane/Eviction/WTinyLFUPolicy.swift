/// W-TinyLFU: newcomers pass through a small window; what falls out of it is kept only when it was asked for
/// more often lately than what would have to go for it (Einziger, Friedman and Manes, "TinyLFU: a highly
/// efficient cache admission policy", ACM Transactions on Storage 2017). The main part is a segmented LRU:
/// what is used while on probation becomes protected.
///
/// The window's size follows the hit ratio by ``WindowClimber``. With costs, a newcomer must be more frequent
/// than all that goes for it together (Einziger, Eytan, Friedman and Manes, "Lightweight robust size aware
/// cache management", ACM Transactions on Storage 2022, aggregated victims).
///
/// Equally frequent newcomers are refused. The random exceptions that Caffeine makes, against callers who
/// choose keys to collide, would only blur a comparison. What fits into neither part, the window or the rest,
/// is refused. O(k) for an insertion that k keys are weighed against; a use is O(1).
struct WTinyLFUPolicy: EvictionPolicy {
  private enum Line: Int, CaseIterable { case window, probation, protected }

  /// A window of 1 % of the capacity to begin with, the paper's setting.
  private static let windowShare = 100
  /// A fifth of the main part is for probation, the rest is protected, as in the paper.
  private static let probationShare = 5

  private(set) var capacity: Int
  private var probationCapacity: Int
  /// What the window may take now, in bytes.
  private(set) var windowCapacity: Int
  private var keys = SegmentedQueues<Line>()
  private var sketch: FrequencySketch
  private var climber = WindowClimber()

  /// A policy whose sketch spreads keys by `seed`. Any does: it has to be the same everywhere, not unknown.
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
    switch keys.line(of: node) {
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
    // Here and not at a use, because keys may leave.
    if let change = climber.change(every: sketch.sample) { changeWindow(by: change) }
    let node = keys.add(request.key, cost: request.cost, to: .window)
    var leaving: [Int] = []
    // What is larger than the window does not empty it first.
    if request.cost > windowCapacity { weigh(node, &leaving) }
    while keys.cost(of: .window) > windowCapacity, let oldest = keys.oldest(of: .window) {
      weigh(oldest, &leaving)
    }
    return leaving
  }

  mutating func remove(_ key: Int) {
    if let node = keys.find(key) { keys.remove(node) }
  }

  /// From the main part first: what is in the window has not been weighed yet.
  mutating func evict(to cost: Int) -> [Int] {
    var leaving: [Int] = []
    while self.cost > cost,
      let node = keys.oldest(of: .probation) ?? keys.oldest(of: .protected) ?? keys.oldest(of: .window)
    {
      leaving.append(keys.remove(node))
    }
    return leaving
  }

  /// The window keeps its share; what no longer fits into it falls out with the next insertion.
  mutating func resize(to capacity: Int) -> [Int] {
    let share = Double(windowCapacity) / Double(max(1, self.capacity))
    self.capacity = EvictionLimits.capacity(capacity)
    windowCapacity = min(self.capacity, max(1, Int(share * Double(self.capacity))))
    probationCapacity = (self.capacity - windowCapacity) / Self.probationShare
    demote()
    var leaving = evict(to: self.capacity)
    while mainCost > mainCapacity, let node = keys.oldest(of: .probation) ?? keys.oldest(of: .protected) {
      leaving.append(keys.remove(node))
    }
    return leaving
  }

  /// Takes what fell out of the window into the main part, in place of what is asked for less, or drops it.
  private mutating func weigh(_ candidate: SegmentedQueues<Line>.Node, _ leaving: inout [Int]) {
    let cost = keys.cost(of: candidate)
    guard let victims = victims(of: candidate, cost: cost) else {
      leaving.append(keys.remove(candidate))
      return
    }
    for victim in victims { leaving.append(keys.remove(victim)) }
    keys.move(candidate, to: .probation)
  }

  /// What has to go for `candidate`; nil when that is worth at least as much.
  private func victims(of candidate: SegmentedQueues<Line>.Node, cost: Int) -> [SegmentedQueues<Line>.Node]? {
    guard cost <= mainCapacity else { return nil }
    var missing = mainCost - (mainCapacity - cost)
    guard missing > 0 else { return [] }
    var worth = sketch.frequency(of: keys.key(of: candidate))
    var victims: [SegmentedQueues<Line>.Node] = []
    var next = keys.oldest(of: .probation) ?? keys.oldest(of: .protected)
    while missing > 0, let victim = next {
      worth -= sketch.frequency(of: keys.key(of: victim))
      if worth <= 0 { return nil }
      victims.append(victim)
      missing -= keys.cost(of: victim)
      let isLastOnProbation = keys.line(of: victim) == .probation && keys.newer(than: victim) == nil
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

  /// Moves the border between the window and what is protected, and over it the least recently used.
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
