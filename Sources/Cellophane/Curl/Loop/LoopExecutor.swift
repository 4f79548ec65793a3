internal import Synchronization

/// Runs tasks on the threads of event loops.
///
/// What runs on one of them, and what it starts or wakes there, stays. So an exchange costs no change of threads, where it
/// costs two between the loop and Swift's pool, and its answer is read by the processor that received it.
final class LoopExecutor: TaskExecutor {
  private let threads: [CurlThread]
  /// How many jobs have come from elsewhere: each thread gets one in turn.
  private let arrivals = Atomic(0)

  init(_ threads: [CurlThread]) { self.threads = threads }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = LoopJob(UnownedJob(job), of: self)
    let thread =
      threads.first(where: \.isCurrent)
      ?? threads[arrivals.add(1, ordering: .relaxed).newValue % threads.count]
    // A task must end, whatever became of the transport.
    if !thread.run(job) { job.leave() }
  }
}

/// One step of a task, or of an actor, on the thread of an event loop: run once, there or elsewhere.
struct LoopJob: Sendable {
  private let job: UnownedJob
  private let executor: LoopExecutor

  fileprivate init(_ job: UnownedJob, of executor: LoopExecutor) {
    (self.job, self.executor) = (job, executor)
  }

  /// Runs it on the calling thread.
  func run() { unsafe job.runSynchronously(on: executor.asUnownedTaskExecutor()) }

  /// Runs it on Swift's pool, because the loop has no thread.
  func leave() { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
}
