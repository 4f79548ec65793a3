/// Who may work and who waits for a turn. Pure: transitions return who is admitted.
///
/// Waiting work stands in one line per origin and priority. A turn goes to the most urgent work whose origin
/// has room: the newest of visible work (what came on screen last is still there), the oldest of any other. Prefetches
/// only fill lines: they begin while fewer run than their origin's line takes at once, so that what is visible does
/// not share it with them for nothing. And when sharing it makes all of them too late, what is visible waits, too.
struct GateQueue {
  /// How much may run at once.
  struct Limits: Sendable {
    /// At once, in all.
    var total: Int
    /// At once, per origin.
    var perOrigin: Int
    /// Of both, how many only visible work may take.
    var reserved: Int
    /// The weights that may run at once, in all. Work heavier than this runs alone.
    var weight = Int.max
  }

  /// Names one piece of work.
  typealias ID = UInt64

  private struct Entry {
    /// The place of its origin in `origins`.
    let origin: Int
    let weight: Int
    var priority: Priority
    var isRunning = false
    // Neighbours in the line of its origin and priority, towards older and newer work.
    var older: ID?
    var newer: ID?
  }

  private struct Line {
    var oldest: ID?
    var newest: ID?
  }

  private struct OriginState {
    let origin: Origin?
    var places = Lines.Places()
    var running = 0
    var runningHidden = 0
    var lines = PerPriority(repeating: Line())
    var isIdle: Bool { running == 0 && lines.highest { $0.oldest != nil } == nil }
  }

  private let limits: Limits
  private var entries: [ID: Entry] = [:]
  /// Each has a place as long as there is work for it, which is looked up once for each piece of work.
  private var origins: [OriginState] = []
  private var placesOfOrigins: [Origin?: Int] = [:]
  private var freePlaces: [Int] = []
  private var idsGiven: ID = 0
  private var runningHidden = 0
  private var runningWeight = 0
  private var reservedWeight = 0

  /// How many run.
  private(set) var running = 0

  /// How many wait.
  var waiting: Int { entries.count - running }

  /// A queue within `limits`, which are raised to one place each, and to one place that is not reserved:
  /// with fewer, some work would wait for ever.
  init(limits: Limits) {
    var limits = limits
    limits.total = max(1, limits.total)
    limits.perOrigin = max(1, limits.perOrigin)
    limits.reserved = max(0, min(limits.reserved, limits.total - 1, limits.perOrigin - 1))
    self.limits = limits
  }

  /// Puts work in line. ``admit()`` says whose turn it is then. O(1).
  ///
  /// - Parameter places: See ``limit(_:to:)``; nil to leave it as it is.
  mutating func enqueue(
    origin: Origin?, priority: Priority, weight: Int = 0, places: Lines.Places? = nil
  ) -> ID {
    idsGiven += 1
    let place = place(of: origin)
    if let places { origins[place].places = places }
    link(Entry(origin: place, weight: min(weight, limits.weight), priority: priority), as: idsGiven)
    return idsGiven
  }

  /// True for work that has its turn.
  func isRunning(_ id: ID) -> Bool { entries[id]?.isRunning ?? false }

  /// Says how many at once the line to `origin` takes; remembered while there is work for it. O(1).
  mutating func limit(_ origin: Origin?, to places: Lines.Places) {
    if let place = placesOfOrigins[origin] { origins[place].places = places }
  }

  /// Takes work out, waiting or running. False when it was not there. O(1).
  @discardableResult
  mutating func remove(_ id: ID) -> Bool {
    guard let entry = entries.removeValue(forKey: id) else { return false }
    if entry.isRunning {
      count(entry, by: -1)
    } else {
      unlink(entry)
    }
    if origins[entry.origin].isIdle {
      placesOfOrigins[origins[entry.origin].origin] = nil
      freePlaces.append(entry.origin)
      // Or whoever looks through the places would find all that there have been at once for ever.
      if placesOfOrigins.isEmpty { (origins, freePlaces) = ([], []) }
    }
    return true
  }

  /// Changes how urgent work is, waiting or running. O(1).
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

  /// The next work that may run, which then does; nil when nothing may. O(origins with waiting work).
  mutating func admit() -> ID? {
    guard running < limits.total, let id = best() else { return nil }
    guard var entry = entries[id] else { return nil }
    // Heavy work at the head of the line waits for room and is not overtaken, or it might wait for ever.
    guard fits(entry) else { return nil }
    unlink(entry)
    entry.isRunning = true
    entries[id] = entry
    count(entry, by: 1)
    return id
  }

  /// Sets weight aside for something that needs no turn. False when it is not free now.
  mutating func reserve(_ weight: Int) -> Bool {
    guard weight <= limits.weight - runningWeight - reservedWeight else { return false }
    reservedWeight += weight
    return true
  }

  /// Gives back what was set aside.
  mutating func unreserve(_ weight: Int) { reservedWeight -= weight }

  /// True when work would have its turn, but for the weight set aside.
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
    let most = max(1, state.places.most)
    guard state.running < limits.perOrigin else { return nil }
    // Prefetches that run already do not hold up what is visible.
    if state.running - state.runningHidden < most, let newest = state.lines[.visible].newest {
      return (newest, .visible)
    }
    let hasRoom =
      state.running < most && runningHidden < limits.total - limits.reserved
      && state.runningHidden < limits.perOrigin - limits.reserved
    guard hasRoom else { return nil }
    if let oldest = state.lines[.normal].oldest { return (oldest, .normal) }
    guard state.running < state.places.filling, let oldest = state.lines[.prefetch].oldest else { return nil }
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

// MARK: Lines

extension GateQueue {
  /// Where the state of `origin` is, which it has from now on.
  private mutating func place(of origin: Origin?) -> Int {
    if let place = placesOfOrigins[origin] { return place }
    let state = OriginState(origin: origin)
    let place = freePlaces.popLast() ?? origins.count
    if place == origins.count { origins.append(state) } else { origins[place] = state }
    placesOfOrigins[origin] = place
    return place
  }

  /// Puts work at the newest end of its line.
  private mutating func link(_ entry: Entry, as id: ID) {
    var entry = entry
    var line = origins[entry.origin].lines[entry.priority]
    (entry.older, entry.newer) = (line.newest, nil)
    if let newest = line.newest { entries[newest]?.newer = id } else { line.oldest = id }
    line.newest = id
    origins[entry.origin].lines[entry.priority] = line
    entries[id] = entry
  }

  private mutating func unlink(_ entry: Entry) {
    var line = origins[entry.origin].lines[entry.priority]
    if let older = entry.older { entries[older]?.newer = entry.newer } else { line.oldest = entry.newer }
    if let newer = entry.newer { entries[newer]?.older = entry.older } else { line.newest = entry.older }
    origins[entry.origin].lines[entry.priority] = line
  }
}
