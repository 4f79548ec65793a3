/// The running work of each key and its waiters. Pure: every transition returns the effects to run.
///
/// A key has at most one flight: work that runs for its waiters. An abandoned or finished flight is removed at once, so that
/// no caller joins work that is about to end; its number distinguishes its late end from the flight that replaced it. A
/// flight without waiters may also continue, and be joined again.
struct InFlightTable<Key: Hashable, Waiter: Hashable, Work> {
  private struct Member {
    let order: UInt64
    var priority: Priority
  }

  /// The waiters of one flight. Usually there is one; only a second waiter allocates a table.
  private struct Members {
    private var first: (waiter: Waiter, member: Member)?
    private var others: [Waiter: Member] = [:]

    var count: Int { others.count + (first == nil ? 0 : 1) }
    var isEmpty: Bool { first == nil && others.isEmpty }

    subscript(waiter: Waiter) -> Member? {
      get { first?.waiter == waiter ? first?.member : others[waiter] }
      set {
        if isEmpty || first?.waiter == waiter {
          first = newValue.map { (waiter, $0) }
        } else {
          others[waiter] = newValue
        }
      }
    }

    /// The waiters in the order in which they joined.
    var waiters: [Waiter] {
      guard !others.isEmpty else { return first.map { [$0.waiter] } ?? [] }
      var all = others.map { (waiter: $0.key, member: $0.value) }
      if let first { all.append(first) }
      // No key path: a key path of a generic type is created at each use, which takes longer than the rest.
      return all.sorted { $0.member.order < $1.member.order }.map { $0.waiter }
    }
  }

  private struct Flight {
    var number: UInt64
    var work: Work?
    var members = Members()
    var priorities = PerPriority(repeating: 0)
    var highest: Priority? { priorities.highest { $0 > 0 } }
  }

  /// The effects of ``join(_:_:priority:)``.
  enum Joining {
    /// Start the work and hand it to ``attach(_:to:flight:)``.
    case start(flight: UInt64)
    /// The work runs already; apply its new priority, if any.
    case joined(Work?, Change?)
  }

  /// The effects of ``leave(_:_:)``.
  enum Leaving {
    /// Others still wait with the same priority, or the waiter was absent.
    case nothing
    /// Others still wait with a lower priority.
    case lower(Change)
    /// No waiter is left: call ``abandon(_:flight:)`` or let the work continue.
    case last(Work, flight: UInt64)
  }

  /// Work whose highest priority among its waiters has changed.
  struct Change {
    let work: Work
    let priority: Priority
  }

  private var flights: [Key: Flight] = [:]
  private var flightsStarted: UInt64 = 0
  private var waitersSeen: UInt64 = 0

  /// The number of flights.
  var count: Int { flights.count }

  /// Returns the number of waiters of a key.
  func waiters(of key: Key) -> Int { flights[key]?.members.count ?? 0 }

  /// Adds a waiter. O(1).
  mutating func join(_ key: Key, _ waiter: Waiter, priority: Priority) -> Joining {
    waitersSeen += 1
    let member = Member(order: waitersSeen, priority: priority)
    guard let index = flights.index(forKey: key) else {
      flightsStarted += 1
      var flight = Flight(number: flightsStarted)
      flight.members[waiter] = member
      flight.priorities[priority] += 1
      flights[key] = flight
      return .start(flight: flightsStarted)
    }
    let before = flights.values[index].highest
    flights.values[index].members[waiter] = member
    flights.values[index].priorities[priority] += 1
    return .joined(flights.values[index].work, change(at: index, from: before))
  }

  /// Attaches the work that ``join(_:_:priority:)`` asked to start. Must follow the join without suspension.
  mutating func attach(_ work: Work, to key: Key, flight: UInt64) {
    guard let index = flights.index(forKey: key), flights.values[index].number == flight else { return }
    flights.values[index].work = work
  }

  /// Gives a flight a new number, for work that replaces stopped work. Returns the number. Must follow the join without
  /// suspension.
  mutating func renew(_ key: Key) -> UInt64 {
    flightsStarted += 1
    flights[key]?.number = flightsStarted
    return flightsStarted
  }

  /// Removes a waiter. O(1).
  mutating func leave(_ key: Key, _ waiter: Waiter) -> Leaving {
    guard let index = flights.index(forKey: key), let member = flights.values[index].members[waiter] else {
      return .nothing
    }
    flights.values[index].members[waiter] = nil
    let before = flights.values[index].highest
    flights.values[index].priorities[member.priority] -= 1
    if flights.values[index].members.isEmpty {
      guard let work = flights.values[index].work else {
        flights.remove(at: index)
        return .nothing
      }
      return .last(work, flight: flights.values[index].number)
    }
    return change(at: index, from: before).map(Leaving.lower) ?? .nothing
  }

  /// Removes a flight without waiters. Returns its work, to be cancelled; nil when it has ended or has been joined again.
  mutating func abandon(_ key: Key, flight: UInt64) -> Work? {
    guard let index = flights.index(forKey: key), flights.values[index].number == flight,
      flights.values[index].members.isEmpty
    else { return nil }
    return flights.remove(at: index).value.work
  }

  /// Changes the priority of a waiter. O(1).
  mutating func reprioritize(_ key: Key, _ waiter: Waiter, to priority: Priority) -> Change? {
    guard let index = flights.index(forKey: key),
      let old = flights.values[index].members[waiter]?.priority
    else { return nil }
    let before = flights.values[index].highest
    flights.values[index].members[waiter]?.priority = priority
    flights.values[index].priorities[old] -= 1
    flights.values[index].priorities[priority] += 1
    return change(at: index, from: before)
  }

  /// Ends a flight. Returns its waiters in the order in which they joined; none when all have left. O(n log n) in its
  /// waiters.
  mutating func finish(_ key: Key, flight: UInt64) -> [Waiter] {
    guard let index = flights.index(forKey: key), flights.values[index].number == flight else { return [] }
    return flights.remove(at: index).value.members.waiters
  }

  private func change(at index: Dictionary<Key, Flight>.Index, from before: Priority?) -> Change? {
    let flight = flights.values[index]
    guard let work = flight.work, let now = flight.highest, now != before else { return nil }
    return Change(work: work, priority: now)
  }
}
