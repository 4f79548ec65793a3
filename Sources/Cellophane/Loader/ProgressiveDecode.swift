internal import Synchronization

/// Optional work beside a load, such as decoding while bytes arrive. Starts at most once; returns a value or nil.
final class ProgressiveDecode<Value: Sendable>: Sendable {
  private enum State {
    case idle
    case running(Task<Void, Never>)
    case cancelled
  }

  private let state = Mutex(State.idle)
  private let outcome = OneShot<Value?>()

  /// Starts the work unless it was started or cancelled before.
  func start(
    on timeline: Timeline, priority: TaskPriority, _ work: @escaping @Sendable () async -> Value?
  ) {
    state.withLock { state in
      guard case .idle = state else { return }
      state = .running(
        timeline.spawn(priority: priority) { [outcome] in outcome.settle(await work()) })
    }
  }

  /// Cancels the work and prevents a later start.
  func cancel() {
    let running = state.withLock { state -> Task<Void, Never>? in
      defer { state = .cancelled }
      if case .running(let task) = state { return task }
      return nil
    }
    running?.cancel()
  }

  /// The result after the end of the work; nil at once when it was never started. Cancelling the waiting task cancels the
  /// work. Read it once.
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
