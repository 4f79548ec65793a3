internal import Synchronization

/// Something stale that is loaded anew in the background, because it may answer meanwhile
/// (`stale-while-revalidate`; RFC 5861, section 3). It goes on whoever waits for it, or nobody.
public final class Refresh<Value: Sendable>: Sendable {
  private enum State {
    case running([OneShot<Value?>])
    case ended(Value?)
  }

  private let state = Mutex(State.running([]))

  init() {}

  /// What came of it, once it has ended; nil when nothing did, and at once when the caller's task is cancelled.
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

/// The refreshes that run, one for each key.
final class Refreshes<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let running = Mutex<[Key: Refresh<Value>]>([:])

  /// How many there are.
  var count: Int { running.withLock { $0.count } }

  /// The one of `key`, if it runs.
  subscript(key: Key) -> Refresh<Value>? { running.withLock { $0[key] } }

  /// The one of `key`. When none runs, a new one that `work` carries out.
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
