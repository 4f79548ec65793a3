internal import Synchronization

/// A value that several tasks of a test write to.
final class Shared<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  init(_ value: Value) { state = Mutex(value) }

  var value: Value {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  func update(_ change: (inout Value) -> Void) { state.withLock { change(&$0) } }
}
