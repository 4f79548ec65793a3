internal import Synchronization

/// The statistics of an origin behind a lock, with the tasks that wait for a count.
final class OriginLedger: Sendable {
  private struct Waiter {
    let id: Int
    let isMet: @Sendable (OriginCounters) -> Bool
    let continuation: CheckedContinuation<OriginCounters, Never>
  }

  private struct State {
    var statistics = OriginStatistics()
    var waiters: [Waiter] = []
    var cancelled: Set<Int> = []
    var isClosed = false

    /// Removes and returns the waiters for which `isDone` is true. The caller resumes them outside the lock.
    mutating func take(where isDone: (Waiter) -> Bool) -> [Waiter] {
      guard !waiters.isEmpty else { return [] }
      let done = waiters.filter(isDone)
      waiters.removeAll(where: isDone)
      return done
    }
  }

  private let state = Mutex(State())
  private let ids = Atomic<Int>(0)

  /// Reads the statistics.
  func read<Result: Sendable>(_ body: (borrowing OriginStatistics) -> Result) -> Result {
    state.withLock { body($0.statistics) }
  }

  /// Changes the statistics, and resumes the waiters whose condition is met.
  func write<Result: Sendable>(_ body: (inout OriginStatistics) -> Result) -> Result {
    let (result, met, counters) = state.withLock { state in
      let result = body(&state.statistics)
      let counters = state.statistics.counters
      return (result, state.take { $0.isMet(counters) }, counters)
    }
    for waiter in met { waiter.continuation.resume(returning: counters) }
    return result
  }

  /// Waits until the counters meet a condition, the origin stops or the task is cancelled.
  func counters(when isMet: @escaping @Sendable (OriginCounters) -> Bool) async -> OriginCounters {
    let id = ids.wrappingAdd(1, ordering: .relaxed).newValue
    // Removes a cancellation that came after the result.
    defer { state.withLock { _ = $0.cancelled.remove(id) } }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let early: OriginCounters? = state.withLock { state in
          let counters = state.statistics.counters
          let isCancelled = state.cancelled.contains(id)
          if isCancelled || state.isClosed || isMet(counters) { return counters }
          state.waiters.append(Waiter(id: id, isMet: isMet, continuation: continuation))
          return nil
        }
        if let early { continuation.resume(returning: early) }
      }
    } onCancel: {
      release { state in
        let waiters = state.take { $0.id == id }
        // The handler may run before its task waits.
        if waiters.isEmpty { state.cancelled.insert(id) }
        return waiters
      }
    }
  }

  /// Resumes every waiter, now and in the future.
  func close() {
    release { state in
      state.isClosed = true
      return state.take { _ in true }
    }
  }

  private func release(_ body: (inout State) -> [Waiter]) {
    let (waiters, counters) = state.withLock { (body(&$0), $0.statistics.counters) }
    for waiter in waiters { waiter.continuation.resume(returning: counters) }
  }
}
