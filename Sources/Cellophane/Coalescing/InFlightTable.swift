/// Who waits for which running work. Pure: every transition returns what is to be done.
///
/// A key has at most one flight: work that runs for its waiters. A flight that is abandoned, or that finished, is
/// forgotten at once, so that nobody joins work which is about to die; its number tells a late end of it from the
/// flight that took its place. One that everybody left may also go on, and be joined again.
struct InFlightTable<Key: Hashable, Waiter: Hashable, Work> {
  private struct Member {
    let order: UInt64
    var priority: Priority
  }

  /// Those who wait for one flight. Mostly that is one: only a second has a table made.
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

    /// The waiters, in the order they came.
    var waiters: [Waiter] {
      guard !others.isEmpty else { return first.map { [$0.waiter] } ?? [] }
      var all = others.map { (waiter: $0.key, member: $0.value) }
      if let first { all.append(first) }
      // No key path: one of a generic type is made anew at each use, which takes longer than all the rest.
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

  /// What ``join(_:_:priority:)`` asks for.
  enum Joining {
    /// Start the work and hand it to ``attach(_:to:flight:)``.
    case start(flight: UInt64)
    /// The work runs already; tell it its new priority when there is one.
    case joined(Work?, Change?)
  }

  /// What ``leave(_:_:)`` asks for.
  enum Leaving {
    /// Others wait on, no less urgently; or the waiter was not there.
    case nothing
    /// Others wait on, less urgently.
    case lower(Change)
    /// Nobody waits any more: ``abandon(_:flight:)``, or let the work go on.
    case last(Work, flight: UInt64)
  }

  /// Work whose most urgent waiter is now more or less urgent.
  struct Change {
    let work: Work
    let priority: Priority
  }

  private var flights: [Key: Flight] = [:]
  private var flightsStarted: UInt64 = 0
  private var waitersSeen: UInt64 = 0

  /// How many flights there are.
  var count: Int { flights.count }

  /// How many waiters a key has.
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

  /// Hands over the work that ``join(_:_:priority:)`` asked to start. In the same turn as the join.
  mutating func attach(_ work: Work, to key: Key, flight: UInt64) {
    guard let index = flights.index(forKey: key), flights.values[index].number == flight else { return }
    flights.values[index].work = work
  }

  /// Gives a flight another number, for work in place of what has given up; returns it. In the same turn as the join of
  /// who finds that out.
  mutating func renew(_ key: Key) -> UInt64 {
    flightsStarted += 1
    flights[key]?.number = flightsStarted
    return flightsStarted
  }

  /// Takes a waiter out. O(1).
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

  /// Forgets a flight that nobody waits for; returns its work, to be cancelled. Nil when it has ended, or when
  /// somebody has joined it.
  mutating func abandon(_ key: Key, flight: UInt64) -> Work? {
    guard let index = flights.index(forKey: key), flights.values[index].number == flight,
      flights.values[index].members.isEmpty
    else { return nil }
    return flights.remove(at: index).value.work
  }

  /// Changes how urgently a waiter waits. O(1).
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

  /// Ends a flight; returns its waiters in the order they came. Empty when all have left.
  /// O(n log n) in its waiters.
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
