internal import Synchronization

/// A cancellable task that waits and then acts.
package final class DelayedTask: Sendable {
  private let task = Mutex<Task<Void, Never>?>(nil)

  package init() {}

  /// Cancels the previous task and keeps `task`; nil only cancels.
  package func set(_ task: Task<Void, Never>?) {
    self.task.withLock { old in
      defer { old = task }
      return old
    }?.cancel()
  }
}
