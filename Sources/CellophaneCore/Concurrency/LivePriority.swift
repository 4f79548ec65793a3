internal import Synchronization

/// The priority of running work. It rises when a more urgent waiter joins and falls when that waiter leaves.
/// One listener can forward changes to the next stage.
package final class LivePriority: Sendable {
  private struct State {
    var current: Priority
    var listener: (@Sendable () -> Void)?
  }

  private let state: Mutex<State>

  package init(_ priority: Priority) { state = Mutex(State(current: priority)) }

  package var current: Priority { state.withLock { $0.current } }

  package func change(to priority: Priority) {
    let listener = state.withLock { state in
      state.current = priority
      return state.listener
    }
    listener?()
  }

  /// Calls `listener` after each change; nil removes it. The listener reads ``current`` itself, so that
  /// concurrent calls end with the newest value.
  package func listen(_ listener: (@Sendable () -> Void)?) {
    state.withLock { $0.listener = listener }
  }
}
