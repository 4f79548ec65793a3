public import Synchronization

/// A value that arrives once. The first ``settle(_:)`` wins, from any thread; one task may await it.
///
/// It remembers a value that arrives before anyone waits, because a cancellation handler may run before
/// the operation that it guards.
///
/// Inlinable, so that other modules of the package use it as the type that they know: as one that is looked up at every
/// use it would take a modelled transfer longer than its line does.
@usableFromInline package final class OneShot<Value: Sendable>: Sendable {
  @usableFromInline enum State {
    case empty
    case awaited(CheckedContinuation<Value, Never>)
    case settled(Value)
  }

  @usableFromInline let state = Mutex(State.empty)

  /// A cell without a value.
  @inlinable package init() {}

  /// True once there is a value.
  @inlinable package var isSettled: Bool {
    state.withLock { state in
      if case .settled = state { true } else { false }
    }
  }

  /// Gives the value to the one who waits, now or later. False when there was one already.
  @inlinable @discardableResult
  package func settle(_ value: Value) -> Bool {
    let (isFirst, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Value, Never>?) in
      switch state {
      case .settled: return (false, nil)
      case .empty:
        state = .settled(value)
        return (true, nil)
      case .awaited(let waiter):
        state = .settled(value)
        return (true, waiter)
      }
    }
    // Outside the lock: resuming may run code of the executor.
    waiter?.resume(returning: value)
    return isFirst
  }

  /// The value, once it is there. At most one task may ask.
  @inlinable package var value: Value {
    get async {
      await withCheckedContinuation { waiter in
        let early = state.withLock { state -> Value? in
          if case .settled(let value) = state { return value }
          state = .awaited(waiter)
          return nil
        }
        if let early { waiter.resume(returning: early) }
      }
    }
  }
}
