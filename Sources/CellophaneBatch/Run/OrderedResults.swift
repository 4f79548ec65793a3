internal import Synchronization

/// Delivers results in the order of the list, and limits how far records get ahead of each other.
final class OrderedResults: Sendable {
  private struct State {
    var order = ResultOrder<BatchResult>()
    var isWanted = true
  }

  private let state = Mutex(State())
  private let onResult: BatchRun.ResultHandler

  init(onResult: @escaping BatchRun.ResultHandler) { self.onResult = onResult }

  /// Returns whether the record at `position` may start. More records may after each result.
  func admits(_ position: Int) -> Bool { state.withLock { $0.order.admits(position) } }

  /// Adds the result of a record, or nil for a record without one. Returns false if no more results are
  /// wanted.
  func take(_ result: BatchResult?, at position: Int) -> Bool {
    state.withLock { state in
      // Within the lock: otherwise another worker could deliver its results in between.
      for result in state.order.insert(result, bytes: result?.weight ?? 0, at: position) {
        state.isWanted = onResult(result) && state.isWanted
      }
      return state.isWanted
    }
  }

  /// Delivers the results that wait for records without an end.
  func finish() {
    state.withLock { state in
      for result in state.order.rest() { _ = onResult(result) }
    }
  }
}
