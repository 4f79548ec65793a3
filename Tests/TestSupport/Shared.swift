internal import Synchronization

/// A value that several tasks of a test may change.
package final class Shared<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  package init(_ value: Value) { state = Mutex(value) }

  package var value: Value {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  package func update(_ change: (inout Value) -> Void) { state.withLock { change(&$0) } }
}
