internal import Synchronization

/// An observer that stores the times at which each transfer of a run began, was answered and ended.
final class TransferTimes: RunObserver {
  /// A transfer. Times are since the start of the run.
  struct Transfer: Sendable {
    /// The path and query of its URL. The origin's address differs between a model and a socket.
    let target: String
    /// The number of earlier transfers of the same target.
    let occurrence: Int
    let begin: Duration
    var answer: Duration?
    var end: Duration?
    var isComplete = false
  }

  private struct State {
    var transfers: [Transfer] = []
    var counts: [String: Int] = [:]
  }

  private let state = Mutex(State())

  /// The transfers, in the order in which they began.
  var transfers: [Transfer] { state.withLock { $0.transfers } }

  func note(_ event: RunEvent, at time: Duration) {
    state.withLock { state in
      switch event {
      case .transferBegan(_, let url):
        let target = url.urlTarget
        state.transfers.append(
          Transfer(target: target, occurrence: state.counts[target, default: 0], begin: time))
        state.counts[target, default: 0] += 1
      case .transferAnswered(let number): state.transfers[number].answer = time
      case .transferEnded(let number, let outcome, _):
        state.transfers[number].end = time
        if case .completed = outcome { state.transfers[number].isComplete = true }
      default: break
      }
    }
  }
}
