internal import Synchronization

/// Hands results on in the order of the list, and says which line would get too far ahead.
final class OrderedResults: Sendable {
  private struct State {
    var order = ResultOrder<BatchResult>()
    var isWanted = true
  }

  private let state = Mutex(State())
  private let record: BatchRun.Record

  init(record: @escaping BatchRun.Record) { self.record = record }

  /// Whether the line at `position` may begin. Others may when a result was taken.
  func admits(_ position: Int) -> Bool { state.withLock { $0.order.admits(position) } }

  /// Takes the result of a line, nil when it has none; false when nobody wants more.
  func take(_ result: BatchResult?, at position: Int) -> Bool {
    state.withLock { state in
      // Within the lock, or another's would come between.
      for result in state.order.place(result, bytes: result?.weight ?? 0, at: position) {
        state.isWanted = record(result) && state.isWanted
      }
      return state.isWanted
    }
  }

  /// Hands on what was waiting for lines that will not end.
  func finish() {
    state.withLock { state in
      for result in state.order.rest() { _ = record(result) }
    }
  }
}
