internal import Synchronization

/// Keeps when each transfer of a run began, was answered and was whole.
final class TransferTimes: RunObserver {
  /// One transfer. Times from the start of the run.
  struct Transfer: Sendable {
    /// The path and query of its URL: the origin's address differs between a model and a socket.
    let target: String
    /// How many transfers of the same began before.
    let occurrence: Int
    let begin: Duration
    var answer: Duration?
    var end: Duration?
    var isWhole = false
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
        if case .completed = outcome { state.transfers[number].isWhole = true }
      default: break
      }
    }
  }
}
