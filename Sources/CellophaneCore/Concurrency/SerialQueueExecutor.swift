internal import Dispatch
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Runs the jobs of one actor in order on its own dispatch queue, so that blocking calls never occupy a
/// thread of Swift's cooperative pool. `DispatchSerialQueue` would suffice, but is missing on Linux.
///
/// Before the thread sleeps, it spins briefly for more jobs. Waking a thread takes as long as writing a small
/// file, and a caller that awaits one job before the next enqueues the next one within microseconds.
package final class SerialQueueExecutor: SerialExecutor {
  private struct Waiting {
    var jobs: [UnownedJob] = []
    /// Whether a block on the queue will run the jobs.
    var isDraining = false
  }

  private let queue: DispatchQueue
  private let waiting = Mutex(Waiting())
  /// Whether jobs are waiting; readable without the lock.
  private let hasJobs = Atomic(false)
  /// The number of consecutive spins that found no job.
  private let emptySpins = Atomic(0)

  /// Creates an executor whose queue has `label` in debuggers.
  package init(label: String) {
    queue = DispatchQueue(label: label)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isFirst = waiting.withLock { waiting in
      waiting.jobs.append(job)
      hasJobs.store(true, ordering: .relaxed)
      defer { waiting.isDraining = true }
      return !waiting.isDraining
    }
    if isFirst { queue.async { self.drain() } }
  }

  private func drain() {
    var jobs = takeJobs()
    repeat {
      for job in jobs { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
      spin()
      jobs = takeJobs()
      emptySpins.store(jobs.isEmpty ? emptySpins.load(ordering: .relaxed) + 1 : 0, ordering: .relaxed)
    } while !jobs.isEmpty
  }

  private func takeJobs() -> [UnownedJob] {
    waiting.withLock { waiting in
      defer { waiting.jobs = [] }
      hasJobs.store(false, ordering: .relaxed)
      waiting.isDraining = !waiting.jobs.isEmpty
      return waiting.jobs
    }
  }

  /// Yields the processor up to 15 times, about 10 µs: the time of a wake-up. After four spins without a job,
  /// only every 16th call spins, because spinning would waste processor time.
  private func spin() {
    let emptySpins = emptySpins.load(ordering: .relaxed)
    guard emptySpins < 4 || emptySpins.isMultiple(of: 16) else { return }
    var yields = 0
    while yields < 15, !hasJobs.load(ordering: .relaxed) {
      sched_yield()
      yields += 1
    }
  }

  package func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}
