internal import Synchronization

/// The priority of work while it runs: raised when somebody more urgent joins, lowered when they leave.
/// One stage below may listen, and passes it on.
final class LivePriority: Sendable {
  private struct State {
    var current: Priority
    var listener: (@Sendable () -> Void)?
  }

  private let state: Mutex<State>

  init(_ priority: Priority) { state = Mutex(State(current: priority)) }

  var current: Priority { state.withLock { $0.current } }

  func change(to priority: Priority) {
    let listener = state.withLock { state in
      state.current = priority
      return state.listener
    }
    listener?()
  }

  /// Calls `listener` after each change, until told otherwise. It reads ``current`` itself, so that calls
  /// which overtake each other still end with the newest.
  func listen(_ listener: (@Sendable () -> Void)?) {
    state.withLock { $0.listener = listener }
  }
}
