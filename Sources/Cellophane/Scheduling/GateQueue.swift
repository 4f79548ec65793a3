/// The running and the waiting work of a gate. Pure: transitions return the admitted work.
///
/// Each origin has one queue per priority. The next slot goes to the most urgent work whose origin is below its limits: the
/// newest visible work (the latest row is still on screen), the oldest of other priorities. Prefetches run only below the
/// saturation of their origin's link, because more would delay visible work without arriving sooner. Visible work runs one
/// by one where one transfer saturates the link, and waits as well when sharing the link makes all transfers too late.
struct GateQueue {
  /// The limits of concurrent work.
  struct Limits: Sendable {
    /// The maximum in all.
    var total: Int
    /// The maximum per origin.
    var perOrigin: Int
    /// The slots of both that only visible work may use.
    var reserved: Int
    /// The maximum of waiting work.
    var waiting = Int.max
    /// The maximum sum of weights. Heavier work runs alone.
    var weight = Int.max
  }

  /// The ID of one piece of work.
  typealias ID = UInt64

  private struct Entry {
    /// The index of its origin in `origins`.
    let origin: Int
    let weight: Int
    var priority: Priority
    var isRunning = false
    // The neighbors in the queue of its origin and priority.
    var older: ID?
    var newer: ID?
  }

  private struct Queue {
    var oldest: ID?
    var newest: ID?
  }

  private struct OriginState {
    let origin: Origin?
    var limits = ConcurrencyLimits()
    var running = 0
    var runningHidden = 0
    var queues = PerPriority(repeating: Queue())
    var isIdle: Bool { running == 0 && queues.highest { $0.oldest != nil } == nil }
  }

  private let limits: Limits
  private var entries: [ID: Entry] = [:]
  /// Each has an index while there is work for it, which is looked up once for each piece of work.
  private var origins: [OriginState] = []
  private var indices: [Origin?: Int] = [:]
  private var freeIndices: [Int] = []
  private var idsGiven: ID = 0
  private var runningHidden = 0
  private var runningWeight = 0
  private var reservedWeight = 0

  /// The number of running pieces of work.
  private(set) var running = 0

  /// The number of waiting pieces of work.
  var waiting: Int { entries.count - running }

  /// Creates a queue with `limits`, which are raised to one slot each and one that is not reserved: otherwise some work
  /// would wait forever.
  init(limits: Limits) {
    var limits = limits
    limits.total = max(1, limits.total)
    limits.waiting = max(0, limits.waiting)
    limits.perOrigin = max(1, limits.perOrigin)
    limits.reserved = max(0, min(limits.reserved, limits.total - 1, limits.perOrigin - 1))
    self.limits = limits
  }

  /// Enqueues work; ``admit()`` must follow. O(1).
  ///
  /// - Parameter limits: See ``limit(_:to:)``; nil to keep the present ones.
  mutating func enqueue(
    origin: Origin?, priority: Priority, weight: Int = 0, limits: ConcurrencyLimits? = nil
  ) -> ID {
    idsGiven += 1
    let index = index(of: origin)
    if let limits { origins[index].limits = limits }
    link(Entry(origin: index, weight: min(weight, self.limits.weight), priority: priority), as: idsGiven)
    return idsGiven
  }

  /// The waiting work that would be admitted last if more waits than the limit; otherwise nil. O(origins with work).
  var surplus: ID? {
    guard waiting > limits.waiting else { return nil }
    for priority in Priority.allCases {
      let isLIFO = priority == .visible
      let last = origins.compactMap { isLIFO ? $0.queues[priority].oldest : $0.queues[priority].newest }
      if let id = isLIFO ? last.min() : last.max() { return id }
    }
    return nil
  }

  /// True for admitted work.
  func isRunning(_ id: ID) -> Bool { entries[id]?.isRunning ?? false }

  /// Sets the limits of the link to `origin`, which are kept while there is work for it. O(1).
  mutating func limit(_ origin: Origin?, to limits: ConcurrencyLimits) {
    if let index = indices[origin] { origins[index].limits = limits }
  }

  /// Removes work, waiting or running. Returns false when it was absent. O(1).
  @discardableResult
  mutating func remove(_ id: ID) -> Bool {
    guard let entry = entries.removeValue(forKey: id) else { return false }
    if entry.isRunning {
      count(entry, by: -1)
    } else {
      unlink(entry)
    }
    if origins[entry.origin].isIdle {
      indices[origins[entry.origin].origin] = nil
      freeIndices.append(entry.origin)
      // Otherwise the scan over all indices would never become shorter again.
      if indices.isEmpty { (origins, freeIndices) = ([], []) }
    }
    return true
  }

  /// Changes the priority of work, waiting or running. O(1).
  mutating func reprioritize(_ id: ID, to priority: Priority) {
    guard var entry = entries[id], entry.priority != priority else { return }
    if entry.isRunning {
      count(entry, by: -1)
      entry.priority = priority
      entries[id] = entry
      count(entry, by: 1)
    } else {
      unlink(entry)
      entry.priority = priority
      link(entry, as: id)
    }
  }

  /// Admits the next work; nil when none may run. O(origins with work).
  mutating func admit() -> ID? {
    guard running < limits.total, let id = best() else { return nil }
    guard var entry = entries[id] else { return nil }
    // Other work does not overtake heavy work at the head, which might wait forever otherwise.
    guard fits(entry) else { return nil }
    unlink(entry)
    entry.isRunning = true
    entries[id] = entry
    count(entry, by: 1)
    return id
  }

  /// Reserves weight for work without a slot. Returns false when it is not free now.
  mutating func reserve(_ weight: Int) -> Bool {
    guard weight <= limits.weight - runningWeight - reservedWeight else { return false }
    reservedWeight += weight
    return true
  }

  /// Releases reserved weight.
  mutating func unreserve(_ weight: Int) { reservedWeight -= weight }

  /// True when only the reserved weight keeps work from running.
  var needsReservedWeight: Bool {
    guard reservedWeight > 0, running < limits.total, let id = best(), let entry = entries[id] else {
      return false
    }
    return !fits(entry)
  }

  private func fits(_ entry: Entry) -> Bool {
    running == 0 && reservedWeight == 0 || entry.weight <= limits.weight - runningWeight - reservedWeight
  }

  private func best() -> ID? {
    var best: (id: ID, priority: Priority)?
    for state in origins {
      guard let candidate = head(of: state) else { continue }
      if let current = best, !precedes(candidate, current) { continue }
      best = candidate
    }
    return best?.id
  }

  private func head(of state: OriginState) -> (id: ID, priority: Priority)? {
    let most = max(1, state.limits.most)
    guard state.running < limits.perOrigin else { return nil }
    // Running prefetches do not delay visible work.
    if state.running - state.runningHidden < min(most, state.limits.visible),
      let newest = state.queues[.visible].newest
    {
      return (newest, .visible)
    }
    let hasRoom =
      state.running < most && runningHidden < limits.total - limits.reserved
      && state.runningHidden < limits.perOrigin - limits.reserved
    guard hasRoom else { return nil }
    if let oldest = state.queues[.normal].oldest { return (oldest, .normal) }
    guard state.running < state.limits.saturating, let oldest = state.queues[.prefetch].oldest else {
      return nil
    }
    return (oldest, .prefetch)
  }

  private func precedes(_ a: (id: ID, priority: Priority), _ b: (id: ID, priority: Priority)) -> Bool {
    if a.priority != b.priority { return a.priority > b.priority }
    return a.priority == .visible ? a.id > b.id : a.id < b.id
  }

  private mutating func count(_ entry: Entry, by step: Int) {
    running += step
    runningWeight += step * entry.weight
    origins[entry.origin].running += step
    guard entry.priority != .visible else { return }
    runningHidden += step
    origins[entry.origin].runningHidden += step
  }
}

// MARK: Queues

extension GateQueue {
  /// Returns the index of `origin`, which it gets if necessary.
  private mutating func index(of origin: Origin?) -> Int {
    if let index = indices[origin] { return index }
    let state = OriginState(origin: origin)
    let index = freeIndices.popLast() ?? origins.count
    if index == origins.count { origins.append(state) } else { origins[index] = state }
    indices[origin] = index
    return index
  }

  /// Appends work to its queue.
  private mutating func link(_ entry: Entry, as id: ID) {
    var entry = entry
    var queue = origins[entry.origin].queues[entry.priority]
    (entry.older, entry.newer) = (queue.newest, nil)
    if let newest = queue.newest { entries[newest]?.newer = id } else { queue.oldest = id }
    queue.newest = id
    origins[entry.origin].queues[entry.priority] = queue
    entries[id] = entry
  }

  private mutating func unlink(_ entry: Entry) {
    var queue = origins[entry.origin].queues[entry.priority]
    if let older = entry.older { entries[older]?.newer = entry.newer } else { queue.oldest = entry.newer }
    if let newer = entry.newer { entries[newer]?.older = entry.older } else { queue.newest = entry.older }
    origins[entry.origin].queues[entry.priority] = queue
  }
}
