internal import Synchronization

/// A background refresh of a stale value that was returned (`stale-while-revalidate`; RFC 5861, section 3). It runs to
/// its end even when no task waits for it.
public final class Refresh<Value: Sendable>: Sendable {
  private enum State {
    case running([OneShot<Value?>])
    case ended(Value?)
  }

  private let state = Mutex(State.running([]))

  init() {}

  /// The new value after the refresh has ended; nil when there is none, and at once when the caller's task is cancelled.
  public var value: Value? {
    get async {
      let waiter = OneShot<Value?>()
      state.withLock { state in
        switch state {
        case .running(let waiters): state = .running(waiters + [waiter])
        case .ended(let value): waiter.settle(value)
        }
      }
      return await withTaskCancellationHandler {
        await waiter.value
      } onCancel: {
        if waiter.settle(nil) { forget(waiter) }
      }
    }
  }

  fileprivate func end(with value: Value?) {
    let waiters = state.withLock { state -> [OneShot<Value?>] in
      guard case .running(let waiters) = state else { return [] }
      state = .ended(value)
      return waiters
    }
    for waiter in waiters { waiter.settle(value) }
  }

  private func forget(_ waiter: OneShot<Value?>) {
    state.withLock { state in
      guard case .running(let waiters) = state else { return }
      state = .running(waiters.filter { $0 !== waiter })
    }
  }
}

/// The running refreshes, at most one for each key.
final class Refreshes<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let running = Mutex<[Key: Refresh<Value>]>([:])

  /// The number of running refreshes.
  var count: Int { running.withLock { $0.count } }

  /// The running refresh of `key`, if any.
  subscript(key: Key) -> Refresh<Value>? { running.withLock { $0[key] } }

  /// Returns the running refresh of `key`, or starts one that runs `work`.
  func begin(
    _ key: Key, on timeline: Timeline, work: @escaping @Sendable () async -> Value?
  ) -> Refresh<Value> {
    let (refresh, isNew) = running.withLock { running -> (Refresh<Value>, Bool) in
      if let refresh = running[key] { return (refresh, false) }
      let refresh = Refresh<Value>()
      running[key] = refresh
      return (refresh, true)
    }
    guard isNew else { return refresh }
    timeline.spawn(priority: Priority.prefetch.taskPriority) {
      let value = await work()
      self.running.withLock { $0[key] = nil }
      refresh.end(with: value)
    }
    return refresh
  }
}
