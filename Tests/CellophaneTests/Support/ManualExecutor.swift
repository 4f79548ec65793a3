internal import Synchronization

/// A serial executor that runs jobs only in calls of ``run(newestFirst:)``, in the order of the call.
final class ManualExecutor: SerialExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs the waiting jobs, and the jobs that they enqueue, until none waits.
  func run(newestFirst: Bool = false) {
    while let job = jobs.withLock({ jobs in
      jobs.isEmpty ? nil : jobs.remove(at: newestFirst ? jobs.count - 1 : 0)
    }) {
      unsafe job.runSynchronously(on: asUnownedSerialExecutor())
    }
  }
}
