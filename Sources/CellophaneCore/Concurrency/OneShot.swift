public import Synchronization

/// A value that is set once. The first ``settle(_:)`` wins, from any thread; one task may await the value.
///
/// A value that is set before the task awaits it is kept, because a cancellation handler may run before the
/// operation that it guards.
///
/// The type is inlinable so that other modules of the package use it as a concrete type. With unspecialized
/// access it would cost a simulated transfer more than its network model does.
@usableFromInline package final class OneShot<Value: Sendable>: Sendable {
  // Not an enumeration: inspecting the case would copy it with the complete value.
  @safe @usableFromInline struct State {
    @usableFromInline var value: Value?
    // Unsafe continuation: only one call takes it out, under the lock, and resumes it.
    @usableFromInline var waiter: UnsafeContinuation<Value, Never>?
    @inlinable package init() { unsafe waiter = nil }
  }

  @usableFromInline let state: Mutex<State>

  /// Creates a cell without a value. The default value of a property would not be inlined.
  @inlinable package init() { state = Mutex(State()) }

  /// True once the value is set.
  @inlinable package var isSettled: Bool {
    state.withLock { $0.value != nil }
  }

  /// Sets the value and resumes the waiter, now or later. Returns false if the value was set before.
  @inlinable @discardableResult
  package func settle(_ value: Value) -> Bool {
    let (isFirst, waiter) = unsafe state.withLock { state -> (Bool, UnsafeContinuation<Value, Never>?) in
      if state.value != nil { return (false, nil) }
      state.value = value
      return unsafe (true, state.waiter.take())
    }
    // Outside the lock, because resuming may run code of the executor.
    unsafe waiter?.resume(returning: value)
    return isFirst
  }

  /// The value, once it is set. At most one task may await it.
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

extension OneShot: Hashable {
  @inlinable package static func == (a: OneShot, b: OneShot) -> Bool { a === b }
  @inlinable package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
