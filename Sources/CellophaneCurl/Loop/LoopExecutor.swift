internal import Synchronization

/// An executor on the threads of event loops.
///
/// Jobs that one of these threads starts or resumes stay on it. An exchange then costs no thread switch,
/// instead of two between the loop and Swift's pool, and the processor that received a response also reads
/// it.
final class LoopExecutor: TaskExecutor {
  private let threads: [CurlThread]
  /// The number of jobs from other threads, for the round robin.
  private let arrivals = Atomic(0)

  init(_ threads: [CurlThread]) { self.threads = threads }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = LoopJob(UnownedJob(job), of: self)
    let thread =
      threads.first(where: \.isCurrent)
      ?? threads[arrivals.add(1, ordering: .relaxed).newValue % threads.count]
    // A task must finish even if the transport is closed.
    if !thread.run(job) { job.runOnPool() }
  }
}

/// A step of a task or actor on the thread of an event loop. It runs exactly once, there or elsewhere.
struct LoopJob: Sendable {
  private let job: UnownedJob
  private let executor: LoopExecutor

  fileprivate init(_ job: UnownedJob, of executor: LoopExecutor) {
    (self.job, self.executor) = (job, executor)
  }

  /// Runs the job on the calling thread.
  func run() { unsafe job.runSynchronously(on: executor.asUnownedTaskExecutor()) }

  /// Runs the job on Swift's pool, because the loop has no thread.
  func runOnPool() { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
}
