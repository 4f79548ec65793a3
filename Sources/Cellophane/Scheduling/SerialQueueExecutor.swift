internal import Dispatch

/// Runs the jobs of one actor one after another on a dispatch queue of its own, so that calls which block
/// never occupy a thread of Swift's cooperative pool. `DispatchSerialQueue`, which would do, is missing on
/// Linux.
package final class SerialQueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  /// An executor whose queue debuggers show as `label`.
  package init(label: String) {
    queue = DispatchQueue(label: label)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  package func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}
