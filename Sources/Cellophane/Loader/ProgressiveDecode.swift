internal import Synchronization

/// Work that may be started while something else runs, and gives a value or nil. Started at most once.
final class ProgressiveDecode<Value: Sendable>: Sendable {
  private enum State {
    case idle
    case running(Task<Void, Never>)
    case cancelled
  }

  private let state = Mutex(State.idle)
  private let outcome = OneShot<Value?>()

  /// Starts it, unless it was started or cancelled before.
  func start(
    on timeline: Timeline, priority: TaskPriority, _ work: @escaping @Sendable () async -> Value?
  ) {
    state.withLock { state in
      guard case .idle = state else { return }
      state = .running(
        timeline.spawn(priority: priority) { [outcome] in outcome.settle(await work()) })
    }
  }

  /// Cancels it, and keeps it from being started.
  func cancel() {
    let running = state.withLock { state -> Task<Void, Never>? in
      defer { state = .cancelled }
      if case .running(let task) = state { return task }
      return nil
    }
    running?.cancel()
  }

  /// What it gives, once it is done; nil at once when it was never started. Cancelling the task that asks
  /// cancels the work. May be asked for once.
  var value: Value? {
    get async {
      let isRunning = state.withLock { state in
        if case .running = state { return true }
        state = .cancelled
        return false
      }
      guard isRunning else { return nil }
      return await withTaskCancellationHandler {
        await outcome.value
      } onCancel: {
        cancel()
      }
    }
  }
}
