public import Synchronization

/// A value that arrives once. The first ``settle(_:)`` wins, from any thread; one task may await it.
///
/// It remembers a value that arrives before anyone waits, because a cancellation handler may run before
/// the operation that it guards.
///
/// Inlinable, so that other modules of the package use it as the type that they know: as one that is looked up at every
/// use it would take a modelled transfer longer than its line does.
@usableFromInline package final class OneShot<Value: Sendable>: Sendable {
  // No enumeration: to look at which case it is would copy it, with all of the value.
  @safe @usableFromInline struct State {
    @usableFromInline var value: Value?
    // Not checked: one alone takes it out of here, under the lock, and resumes it.
    @usableFromInline var waiter: UnsafeContinuation<Value, Never>?
    @inlinable init() { unsafe waiter = nil }
  }

  @usableFromInline let state = Mutex(State())

  /// A cell without a value.
  @inlinable package init() {}

  /// True once there is a value.
  @inlinable package var isSettled: Bool {
    state.withLock { $0.value != nil }
  }

  /// Gives the value to the one who waits, now or later. False when there was one already.
  @inlinable @discardableResult
  package func settle(_ value: Value) -> Bool {
    let (isFirst, waiter) = unsafe state.withLock { state -> (Bool, UnsafeContinuation<Value, Never>?) in
      if state.value != nil { return (false, nil) }
      state.value = value
      return unsafe (true, state.waiter.take())
    }
    // Outside the lock: resuming may run code of the executor.
    unsafe waiter?.resume(returning: value)
    return isFirst
  }

  /// The value, once it is there. At most one task may ask.
  @inlinable package var value: Value {
    get async {
      unsafe await withUnsafeContinuation { waiter in
        let early = state.withLock { state -> Value? in
          if state.value == nil { unsafe state.waiter = waiter }
          return state.value
        }
        if let early { unsafe waiter.resume(returning: early) }
      }
    }
  }
}
