internal import Synchronization

/// Limits the number of concurrent pieces of work, the most urgent first. See ``GateQueue`` for the order.
///
/// A lock, not an actor: every critical section is short, and a slot is released without waiting.
final class Gate: Sendable {
  /// Nil once the work is admitted; otherwise the reason that it does not run.
  private typealias Cell = OneShot<LoadError?>

  private struct State {
    var queue: GateQueue
    var cells: [GateQueue.ID: Cell] = [:]
    var reservations: [Reservation] = []

    /// Admits all work that may run.
    mutating func admitted() -> Effects {
      var effects = Effects()
      while let id = queue.admit() {
        // The usual case: no work waits.
        if !cells.isEmpty, let cell = cells.removeValue(forKey: id) { effects.admitted.append(cell) }
      }
      if queue.needsReservedWeight { effects.revoked = reservations }
      return effects
    }
  }

  /// The effects to run outside the lock.
  private struct Effects {
    var admitted: [Cell] = []
    var refused: Cell?
    var revoked: [Reservation] = []

    func run() {
      for cell in admitted { cell.settle(nil) }
      refused?.settle(.busy)
      for reservation in revoked { reservation.onRevoke() }
    }
  }

  /// Reserved weight whose owner may be asked to release it.
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

  /// The numbers of running and waiting pieces of work.
  var load: (running: Int, waiting: Int) {
    state.withLock { ($0.queue.running, $0.queue.waiting) }
  }

  /// Runs `body` in a slot of the gate.
  ///
  /// - Parameter limits: See ``limit(_:to:)``.
  /// - Throws: The error of `body`; ``LoadError/cancelled`` when the task is cancelled while it waits;
  ///   ``LoadError/Kind/busy`` when the queue is full.
  func run<Value>(
    for origin: Origin?, priority: LivePriority, weight: Int = 0,
    limits: @autoclosure () -> ConcurrencyLimits = ConcurrencyLimits(),
    _ body: () async throws(LoadError) -> Value
  ) async throws(LoadError) -> Value {
    let (id, cell) = enqueue(origin: origin, priority: priority, weight: weight, limits: limits)
    if let cell {
      let refusal = await withTaskCancellationHandler {
        await cell.value
      } onCancel: {
        // Admitted work keeps its slot until `body` ends; `body` notices the cancellation itself.
        if cell.settle(.cancelled) { leave(id) }
      }
      if let refusal {
        priority.listen(nil)
        throw refusal
      }
    }
    defer {
      priority.listen(nil)
      leave(id)
    }
    return try await body()
  }

  /// Limits the work for `origin`. `limits` is evaluated under the lock, so that the newest value counts.
  func limit(_ origin: Origin, to limits: @autoclosure () -> ConcurrencyLimits) {
    state.withLock { state in
      state.queue.limit(origin, to: limits())
      return state.admitted()
    }.run()
  }

  /// Reserves `weight` without a slot; nil when it is not free now.
  ///
  /// - Parameter onRevoke: Called when other work cannot begin without the weight, perhaps several times. ``release(_:)``
  ///   must follow soon.
  func reserve(_ weight: Int, onRevoke: @escaping @Sendable () -> Void) -> Reservation? {
    state.withLock { state in
      guard state.queue.reserve(weight) else { return nil }
      let reservation = Reservation(weight: weight, onRevoke: onRevoke)
      state.reservations.append(reservation)
      return reservation
    }
  }

  /// Releases a reservation. Call it once.
  func release(_ reservation: Reservation) {
    state.withLock { state in
      state.reservations.removeAll { $0 === reservation }
      state.queue.unreserve(reservation.weight)
      return state.admitted()
    }.run()
  }

  /// Enqueues work. Returns its ID and the cell to wait for; no cell when it was admitted at once.
  private func enqueue(
    origin: Origin?, priority: LivePriority, weight: Int, limits: () -> ConcurrencyLimits
  ) -> (GateQueue.ID, Cell?) {
    let (id, cell, effects) = state.withLock { state -> (GateQueue.ID, Cell?, Effects) in
      let id = state.queue.enqueue(
        origin: origin, priority: priority.current, weight: weight, limits: limits())
      var effects = state.admitted()
      if state.queue.isRunning(id) { return (id, nil, effects) }
      let cell = Cell()
      state.cells[id] = cell
      if let surplus = state.queue.surplus {
        state.queue.remove(surplus)
        effects.refused = state.cells.removeValue(forKey: surplus)
      }
      return (id, cell, effects)
    }
    // The listener retains `priority`, until the listener is removed.
    priority.listen { self.reprioritize(id, as: priority) }
    // For a change before the listener was set.
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
