internal import Synchronization

/// Lets at most so many work at once, the most urgent first. See ``GateQueue`` for the order.
///
/// A lock, not an actor: every critical section is short, and a place is given back without waiting.
final class Gate: Sendable {
  private struct State {
    var queue: GateQueue
    var cells: [GateQueue.ID: OneShot<Bool>] = [:]

    /// Admits whoever may run; the caller settles their cells outside the lock.
    mutating func admitted() -> [OneShot<Bool>] {
      var admitted: [OneShot<Bool>] = []
      while let id = queue.admit() {
        if let cell = cells.removeValue(forKey: id) { admitted.append(cell) }
      }
      return admitted
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
  /// - Throws: what `body` throws; ``LoadError/cancelled`` when the task is cancelled while it waits.
  func withPlace<Value>(
    for origin: Origin?, priority: LivePriority, weight: Int = 0,
    _ body: () async throws(LoadError) -> Value
  ) async throws(LoadError) -> Value {
    let cell = OneShot<Bool>()
    let id = enqueue(cell, origin: origin, priority: priority, weight: weight)
    let isAdmitted = await withTaskCancellationHandler {
      await cell.value
    } onCancel: {
      // One who is already in keeps the place until `body` ends; it notices the cancellation itself.
      if cell.settle(false) { leave(id) }
    }
    guard isAdmitted else { throw .cancelled }
    defer {
      priority.listen(nil)
      leave(id)
    }
    return try await body()
  }

  private func enqueue(
    _ cell: OneShot<Bool>, origin: Origin?, priority: LivePriority, weight: Int
  ) -> GateQueue.ID {
    let (id, admitted) = state.withLock { state in
      let id = state.queue.enqueue(origin: origin, priority: priority.current, weight: weight)
      state.cells[id] = cell
      return (id, state.admitted())
    }
    priority.listen { [weak self] in self?.reprioritize(id, as: priority) }
    // What changed before the listening began.
    reprioritize(id, as: priority)
    admitted.settle()
    return id
  }

  private func reprioritize(_ id: GateQueue.ID, as priority: LivePriority) {
    state.withLock { state in
      state.queue.reprioritize(id, to: priority.current)
      return state.admitted()
    }.settle()
  }

  private func leave(_ id: GateQueue.ID) {
    state.withLock { state in
      state.queue.remove(id)
      state.cells[id] = nil
      return state.admitted()
    }.settle()
  }
}

extension [OneShot<Bool>] {
  fileprivate func settle() {
    for cell in self { cell.settle(true) }
  }
}
