internal import Synchronization

/// What other threads ask of the loop. A message rings the bell only when the loop sleeps, so that a burst
/// of them costs one wake-up.
final class CurlMailbox: Sendable {
  enum Message: Sendable {
    case start(CurlExchange)
    case cancel(CurlExchange)
    case job(LoopJob)
    case resolved(CurlExchange, site: String, lacksAddress: Bool)
  }

  private struct State {
    var messages: [Message] = []
    var bell: WakeupDescriptor?
    var isAsleep = false
    var isClosed = false

    /// The bell to ring, outside the lock: the loop, awake, takes it at once.
    mutating func wake() -> WakeupDescriptor? {
      guard isAsleep else { return nil }
      isAsleep = false
      return bell
    }
  }

  private let state = Mutex(State())

  /// Leaves a message; false when the loop has ended or is about to.
  func post(_ message: Message) -> Bool {
    let (isOpen, bell) = leave(message)
    bell?.ring()
    return isOpen
  }

  /// The same, but for the bell: the caller rings the one that it gets. For who holds a lock: whoever is woken may take
  /// the processor, and all others would wait for that lock as long.
  func leave(_ message: Message) -> (isOpen: Bool, bell: WakeupDescriptor?) {
    state.withLock { state in
      if state.isClosed { return (false, nil) }
      state.messages.append(message)
      return (true, state.wake())
    }
  }

  /// Asks the loop to end.
  func close() {
    let bell = state.withLock { state in
      state.isClosed = true
      return state.wake()
    }
    bell?.ring()
  }

  /// The loop's way to be woken; nil when it goes away.
  func setBell(_ bell: WakeupDescriptor?) { state.withLock { $0.bell = bell } }

  /// Takes every message into an array that is empty, and whose memory the next get; true when the loop shall end after
  /// them.
  func take(into messages: inout [Message]) -> Bool {
    state.withLock { state in
      state.isAsleep = false
      swap(&messages, &state.messages)
      return state.isClosed
    }
  }

  /// True when nothing has come; from then on messages ring.
  func fallAsleep() -> Bool {
    state.withLock { state in
      state.isAsleep = state.messages.isEmpty && !state.isClosed
      return state.isAsleep
    }
  }
}
