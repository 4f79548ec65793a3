internal import Synchronization

/// Lets at most so many work at once, the most urgent first. See ``GateQueue`` for the order.
///
/// A lock, not an actor: every critical section is short, and a place is given back without waiting.
final class Gate: Sendable {
  private struct State {
    var queue: GateQueue
    var cells: [GateQueue.ID: OneShot<Bool>] = [:]
    var reservations: [Reservation] = []

    /// Admits whoever may run.
    mutating func admitted() -> Effects {
      var effects = Effects()
      while let id = queue.admit() {
        // Mostly nobody waits.
        if !cells.isEmpty, let cell = cells.removeValue(forKey: id) { effects.admitted.append(cell) }
      }
      if queue.needsReservedWeight { effects.revoked = reservations }
      return effects
    }
  }

  /// What is to be done outside the lock.
  private struct Effects {
    var admitted: [OneShot<Bool>] = []
    var revoked: [Reservation] = []

    func run() {
      for cell in admitted { cell.settle(true) }
      for reservation in revoked { reservation.onRevoke() }
    }
  }

  /// Weight set aside for something that may be told to give it back.
  final class Reservation: Sendable {
    fileprivate let weight: Int
    fileprivate let onRevoke: @Sendable () -> Void

    fileprivate init(weight: Int, onRevoke: @escaping @Sendable () -> Void) {
      self.weight = weight
      self.onRevoke = onRevoke
    }
  }

  private let state: Mutex<State>

  init(limits: GateQueue.Limits) { state = Mutex(State(queue: GateQueue(limits: limits))) }

  /// How many run and how many wait.
  var load: (running: Int, waiting: Int) {
    state.withLock { ($0.queue.running, $0.queue.waiting) }
  }

  /// Runs `body` when its turn has come.
  ///
  /// - Parameter places: See ``limit(_:to:)``.
  /// - Throws: what `body` throws; ``LoadError/cancelled`` when the task is cancelled while it waits.
  func withPlace<Value>(
    for origin: Origin?, priority: LivePriority, weight: Int = 0,
    places: @autoclosure () -> Lines.Places = Lines.Places(),
    _ body: () async throws(LoadError) -> Value
  ) async throws(LoadError) -> Value {
    let (id, cell) = enqueue(origin: origin, priority: priority, weight: weight, places: places)
    if let cell {
      let isAdmitted = await withTaskCancellationHandler {
        await cell.value
      } onCancel: {
        // One who is already in keeps the place until `body` ends; it notices the cancellation itself.
        if cell.settle(false) { leave(id) }
      }
      guard isAdmitted else {
        priority.listen(nil)
        throw .cancelled
      }
    }
    defer {
      priority.listen(nil)
      leave(id)
    }
    return try await body()
  }

  /// No more begin than `places` has for `origin`. It is asked under the lock, so that what was said last counts.
  func limit(_ origin: Origin, to places: @autoclosure () -> Lines.Places) {
    state.withLock { state in
      state.queue.limit(origin, to: places())
      return state.admitted()
    }.run()
  }

  /// Sets `weight` aside without a place; nil when it is not free now.
  ///
  /// - Parameter onRevoke: Called when other work cannot begin without it; ``release(_:)`` must follow soon. It may
  ///   be called more than once.
  func reserve(_ weight: Int, onRevoke: @escaping @Sendable () -> Void) -> Reservation? {
    state.withLock { state in
      guard state.queue.reserve(weight) else { return nil }
      let reservation = Reservation(weight: weight, onRevoke: onRevoke)
      state.reservations.append(reservation)
      return reservation
    }
  }

  /// Gives back what was set aside. Once.
  func release(_ reservation: Reservation) {
    state.withLock { state in
      state.reservations.removeAll { $0 === reservation }
      state.queue.unreserve(reservation.weight)
      return state.admitted()
    }.run()
  }

  /// Puts work in line; it waits for what is returned with its name, or for nothing, when its turn has come at once.
  private func enqueue(
    origin: Origin?, priority: LivePriority, weight: Int, places: () -> Lines.Places
  ) -> (GateQueue.ID, OneShot<Bool>?) {
    let (id, cell, effects) = state.withLock { state -> (GateQueue.ID, OneShot<Bool>?, Effects) in
      let id = state.queue.enqueue(
        origin: origin, priority: priority.current, weight: weight, places: places())
      let effects = state.admitted()
      if state.queue.isRunning(id) { return (id, nil, effects) }
      let cell = OneShot<Bool>()
      state.cells[id] = cell
      return (id, cell, effects)
    }
    // By that it holds itself, until it is told to listen no more.
    priority.listen { self.reprioritize(id, as: priority) }
    // What changed before the listening began.
    reprioritize(id, as: priority)
    effects.run()
    return (id, cell)
  }

  private func reprioritize(_ id: GateQueue.ID, as priority: LivePriority) {
    state.withLock { state in
      state.queue.reprioritize(id, to: priority.current)
      return state.admitted()
    }.run()
  }

  private func leave(_ id: GateQueue.ID) {
    state.withLock { state in
      state.queue.remove(id)
      if !state.cells.isEmpty { state.cells[id] = nil }
      return state.admitted()
    }.run()
  }
}
