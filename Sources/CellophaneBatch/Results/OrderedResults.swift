internal import Cellophane
internal import Synchronization

/// Hands results on in the order of the list, and holds back who would get too far ahead.
final class OrderedResults: Sendable {
  private struct State {
    var order = ResultOrder<BatchResult>()
    var held: [(position: Int, cell: OneShot<Void>)] = []
    var isWanted = true

    /// Takes out those who may go on.
    mutating func released() -> [OneShot<Void>] {
      let (free, others) = (
        held.filter { order.admits($0.position) }, held.filter { !order.admits($0.position) }
      )
      held = others
      return free.map(\.cell)
    }
  }

  private let state = Mutex(State())
  private let record: BatchRun.Record

  init(record: @escaping BatchRun.Record) { self.record = record }

  /// Waits until the line at `position` may begin, or the task is cancelled.
  func turn(of position: Int) async {
    let cell = OneShot<Void>()
    let isFree = state.withLock { state in
      if state.order.admits(position) { return true }
      state.held.append((position, cell))
      return false
    }
    if isFree { return }
    await withTaskCancellationHandler {
      await cell.value
    } onCancel: {
      cell.settle(())
    }
  }

  /// Takes the result of a line, nil when it has none; false when nobody wants more.
  func take(_ result: BatchResult?, at position: Int) -> Bool {
    let (released, isWanted) = state.withLock { state in
      // Within the lock, or another's would come between.
      for result in state.order.place(result, bytes: result?.weight ?? 0, at: position) {
        state.isWanted = record(result) && state.isWanted
      }
      return (state.released(), state.isWanted)
    }
    for cell in released { cell.settle(()) }
    return isWanted
  }

  /// Hands on what was waiting for lines that will not end.
  func finish() {
    state.withLock { state in
      for result in state.order.rest() { _ = record(result) }
    }
  }
}
