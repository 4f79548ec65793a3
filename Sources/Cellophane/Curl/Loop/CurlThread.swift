internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The thread of one event loop, and the way to it. It starts with the first thing to do and ends with ``close()`` or with
/// this object.
final class CurlThread: Sendable {
  private enum State {
    case idle
    case running(WorkThread, end: OneShot<Void>)
    case closed
  }

  /// What became of a message.
  private enum Delivery {
    case taken
    case noThread
    case closed
  }

  private let configuration: CurlTransport.Configuration
  private let addresses: AddressBook
  private let timeline: Timeline
  private let mailbox = CurlMailbox()
  private let state = Mutex(State.idle)

  init(_ configuration: CurlTransport.Configuration, _ addresses: AddressBook, _ timeline: Timeline) {
    self.configuration = configuration
    self.addresses = addresses
    self.timeline = timeline
  }

  deinit { mailbox.close() }

  /// Where each thread of a loop keeps whose it is.
  private static let place: pthread_key_t = {
    var key = pthread_key_t()
    unsafe pthread_key_create(&key, nil)
    return key
  }()

  /// Whether the caller runs on this thread.
  var isCurrent: Bool {
    unsafe pthread_getspecific(Self.place) == Unmanaged.passUnretained(mailbox).toOpaque()
  }

  /// Has the loop answer `ticket`.
  func exchange(_ ticket: CurlExchange) async throws(LoadError) -> TransportResponse {
    let outcome = await withTaskCancellationHandler {
      switch deliver(.start(ticket)) {
      case .taken: break
      case .noThread: ticket.answer.settle(.failure(.noTransport))
      case .closed: ticket.close()
      }
      return await ticket.answer.value
    } onCancel: {
      ticket.abandon()
      _ = mailbox.post(.cancel(ticket))
    }
    return try outcome.get()
  }

  /// Has the thread run `job` between what it does for exchanges; false when there is no thread.
  func run(_ job: LoopJob) -> Bool {
    if isCurrent { return mailbox.post(.job(job)) }
    if case .taken = deliver(.job(job)) { return true }
    return false
  }

  /// Has the loop take nothing more, and end.
  func stop() { mailbox.close() }

  /// Aborts what runs, closes every connection and ends the thread.
  func close() async {
    stop()
    let former = state.withLock { state in
      defer { state = .closed }
      return state
    }
    guard case .running(let thread, let end) = former else { return }
    await end.value
    thread.join()
  }

  /// Gives `message` to the thread, and starts that one when it does not run.
  private func deliver(_ message: CurlMailbox.Message) -> Delivery {
    let (delivery, bell) = state.withLock { state -> (Delivery, WakeupDescriptor?) in
      if case .idle = state, let (thread, end) = start() { state = .running(thread, end: end) }
      switch state {
      case .idle: return (.noThread, nil)
      case .running:
        let (isOpen, bell) = mailbox.leave(message)
        return (isOpen ? .taken : .closed, bell)
      case .closed: return (.closed, nil)
      }
    }
    bell?.ring()
    return delivery
  }

  private func start() -> (WorkThread, OneShot<Void>)? {
    let end = OneShot<Void>()
    let thread = WorkThread { [configuration, addresses, timeline, mailbox, weak self] in
      unsafe _ = pthread_setspecific(Self.place, Unmanaged.passUnretained(mailbox).toOpaque())
      if var loop = CurlLoop(configuration, addresses, timeline, mailbox) {
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
    // Who is woken by this finds another thread.
    pthread_setspecific(Self.place, nil)
    var messages: [CurlMailbox.Message] = []
    state.withLock { state in
      if case .running = state { state = .idle }
      _ = mailbox.take(into: &messages)
    }
    for message in messages {
      switch message {
      case .start(let ticket): ticket.answer.settle(.failure(.noTransport))
      case .job(let job): job.leave()
      case .cancel, .resolved: break
      }
    }
  }
}
