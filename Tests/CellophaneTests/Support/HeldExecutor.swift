internal import Synchronization

/// A serial executor that runs nothing until it is told to, in the order that it is told.
final class HeldExecutor: SerialExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs what waits, and what it enqueues meanwhile, until nothing waits.
  func run(newestFirst: Bool = false) {
    while let job = jobs.withLock({ jobs in
      jobs.isEmpty ? nil : jobs.remove(at: newestFirst ? jobs.count - 1 : 0)
    }) {
      unsafe job.runSynchronously(on: asUnownedSerialExecutor())
    }
  }
}
