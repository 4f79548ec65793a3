internal import Synchronization

/// The messages of other threads to the loop. A message signals the wake-up descriptor only if the loop
/// sleeps, so a burst of messages causes one wake-up.
final class CurlMailbox: Sendable {
  enum Message: Sendable {
    case start(CurlExchange)
    case cancel(CurlExchange)
    case job(LoopJob)
    case resolved(CurlExchange, authority: String, lacksAddress: Bool)
  }

  private struct State {
    var messages: [Message] = []
    var wakeup: WakeupDescriptor?
    var isAsleep = false
    var isClosed = false

    /// Returns the descriptor to signal outside the lock, because a woken loop acquires the lock at once.
    mutating func wake() -> WakeupDescriptor? {
      guard isAsleep else { return nil }
      isAsleep = false
      return wakeup
    }
  }

  private let state = Mutex(State())

  /// Posts a message; false if the loop has ended or is about to.
  func post(_ message: Message) -> Bool {
    let (isOpen, wakeup) = enqueue(message)
    wakeup?.signal()
    return isOpen
  }

  /// Posts a message without a wake-up; the caller signals the returned descriptor. For callers that hold a
  /// lock: a woken thread may take the processor, and all others would wait for that lock.
  func enqueue(_ message: Message) -> (isOpen: Bool, wakeup: WakeupDescriptor?) {
    state.withLock { state in
      if state.isClosed { return (false, nil) }
      state.messages.append(message)
      return (true, state.wake())
    }
  }

  /// Asks the loop to end.
  func close() {
    let wakeup = state.withLock { state in
      state.isClosed = true
      return state.wake()
    }
    wakeup?.signal()
  }

  /// Sets the descriptor that wakes the loop; nil when the loop ends.
  func setWakeup(_ wakeup: WakeupDescriptor?) { state.withLock { $0.wakeup = wakeup } }

  /// Moves all messages into an empty array, whose storage later messages use; true if the loop must end
  /// after them.
  func take(into messages: inout [Message]) -> Bool {
    state.withLock { state in
      state.isAsleep = false
      swap(&messages, &state.messages)
      return state.isClosed
    }
  }

  /// Returns true if there is no message; from then on, messages signal the descriptor.
  func fallAsleep() -> Bool {
    state.withLock { state in
      state.isAsleep = state.messages.isEmpty && !state.isClosed
      return state.isAsleep
    }
  }
}
