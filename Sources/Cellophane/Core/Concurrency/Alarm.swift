internal import Synchronization

/// A task that waits to do something, and that may be called off.
final class Alarm: Sendable {
  private let task = Mutex<Task<Void, Never>?>(nil)

  /// Waits with `task` instead of the one before; nil waits no more.
  func set(_ task: Task<Void, Never>?) {
    self.task.withLock { old in
      defer { old = task }
      return old
    }?.cancel()
  }
}
