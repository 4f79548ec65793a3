internal import Dispatch
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Runs the jobs of one actor one after another on a dispatch queue of its own, so that calls which block
/// never occupy a thread of Swift's cooperative pool. `DispatchSerialQueue`, which would do, is missing on
/// Linux.
///
/// Before its thread sleeps it looks out for more: to wake one takes as long as to write a small file, and who awaits
/// one job before the next has that next one within microseconds.
package final class SerialQueueExecutor: SerialExecutor {
  private struct Waiting {
    var jobs: [UnownedJob] = []
    /// Whether a block of the queue will take them.
    var isDraining = false
  }

  private let queue: DispatchQueue
  private let waiting = Mutex(Waiting())
  /// Whether jobs wait, to be seen without the lock.
  private let hasJobs = Atomic(false)
  /// How many times in succession all was done and nothing more had come.
  private let misses = Atomic(0)

  /// An executor whose queue debuggers show as `label`.
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
    var jobs = take()
    repeat {
      for job in jobs { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
      lookOut()
      jobs = take()
      misses.store(jobs.isEmpty ? misses.load(ordering: .relaxed) + 1 : 0, ordering: .relaxed)
    } while !jobs.isEmpty
  }

  private func take() -> [UnownedJob] {
    waiting.withLock { waiting in
      defer { waiting.jobs = [] }
      hasJobs.store(false, ordering: .relaxed)
      waiting.isDraining = !waiting.jobs.isEmpty
      return waiting.jobs
    }
  }

  /// 15 times, some ten microseconds: what a wake-up takes. Each leaves the processor to whoever wants it. Where nothing
  /// came the last times it would only burn; then now and again.
  private func lookOut() {
    let misses = misses.load(ordering: .relaxed)
    guard misses < 4 || misses.isMultiple(of: 16) else { return }
    var looks = 0
    while looks < 15, !hasJobs.load(ordering: .relaxed) {
      sched_yield()
      looks += 1
    }
  }

  package func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}
