internal import Synchronization

/// The thread of one event loop, and the way to it. It starts with the first exchange and ends with ``close()`` or with
/// this object.
final class CurlThread: Sendable {
  private enum State {
    case idle
    case running(WorkThread, end: OneShot<Void>)
    case closed
  }

  private let configuration: CurlTransport.Configuration
  private let isPublic: @Sendable ([UInt8]) -> Bool
  private let lacksAddress: @Sendable (String) -> Bool
  private let timeline: Timeline
  private let mailbox = CurlMailbox()
  private let state = Mutex(State.idle)

  init(
    _ configuration: CurlTransport.Configuration, _ isPublic: @escaping @Sendable ([UInt8]) -> Bool,
    _ lacksAddress: @escaping @Sendable (String) -> Bool, _ timeline: Timeline
  ) {
    self.configuration = configuration
    (self.isPublic, self.lacksAddress) = (isPublic, lacksAddress)
    self.timeline = timeline
  }

  deinit { mailbox.close() }

  /// Has the loop answer `ticket`.
  func exchange(_ ticket: CurlTicket) async throws(LoadError) -> TransportResponse {
    let outcome = await withTaskCancellationHandler {
      start(ticket)
      return await ticket.answer.value
    } onCancel: {
      ticket.abandon()
      _ = mailbox.post(.cancel(ticket))
    }
    return try outcome.get()
  }

  /// Aborts what runs, closes every connection and ends the thread.
  func close() async {
    mailbox.close()
    let former = state.withLock { state in
      defer { state = .closed }
      return state
    }
    guard case .running(let thread, let end) = former else { return }
    await end.value
    thread.join()
  }

  /// Gives `ticket` to the thread, and starts that one when it does not run.
  private func start(_ ticket: CurlTicket) {
    let bell = state.withLock { state -> CurlBell? in
      if case .idle = state, let (thread, end) = run() { state = .running(thread, end: end) }
      switch state {
      case .idle: ticket.answer.settle(.failure(.noTransport))
      case .running:
        let (isOpen, bell) = mailbox.leave(.start(ticket))
        if !isOpen { ticket.close() }
        return bell
      case .closed: ticket.close()
      }
      return nil
    }
    bell?.ring()
  }

  private func run() -> (WorkThread, OneShot<Void>)? {
    let end = OneShot<Void>()
    let thread = WorkThread { [configuration, isPublic, lacksAddress, timeline, mailbox, weak self] in
      if var loop = CurlLoop(configuration, isPublic, lacksAddress, timeline, mailbox) {
        loop.run()
      } else {
        self?.giveUp()
      }
      end.settle(())
    }
    return thread.map { ($0, end) }
  }

  /// Answers those who wait when the thread could not begin its work; another may, later.
  private func giveUp() {
    state.withLock { state in
      if case .running = state { state = .idle }
      for case .start(let ticket) in mailbox.take().messages { ticket.answer.settle(.failure(.noTransport)) }
    }
  }
}
