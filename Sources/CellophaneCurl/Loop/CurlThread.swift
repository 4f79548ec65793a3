internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The thread of one event loop. It starts with the first message and ends with ``close()`` or with this
/// object.
final class CurlThread: Sendable {
  private enum State {
    case idle
    case running(WorkThread, end: OneShot<Void>)
    case closed
  }

  /// The result of the delivery of a message.
  private enum Delivery {
    case taken
    case noThread
    case closed
  }

  private let configuration: CurlTransport.Configuration
  private let addresses: AddressResolution
  private let timeline: Timeline
  private let mailbox = CurlMailbox()
  private let state = Mutex(State.idle)

  init(_ configuration: CurlTransport.Configuration, _ addresses: AddressResolution, _ timeline: Timeline) {
    self.configuration = configuration
    self.addresses = addresses
    self.timeline = timeline
  }

  deinit { mailbox.close() }

  /// The thread-specific key under which a loop's thread keeps its mailbox.
  private static let mailboxKey: pthread_key_t = {
    var key = pthread_key_t()
    unsafe pthread_key_create(&key, nil)
    return key
  }()

  /// True if the caller runs on this thread.
  var isCurrent: Bool {
    unsafe pthread_getspecific(Self.mailboxKey) == Unmanaged.passUnretained(mailbox).toOpaque()
  }

  /// Runs `exchange` on the loop and returns its response.
  func exchange(_ exchange: CurlExchange) async throws(LoadError) -> TransportResponse {
    let outcome = await withTaskCancellationHandler {
      switch deliver(.start(exchange)) {
      case .taken: break
      case .noThread: exchange.result.settle(.failure(.noTransport))
      case .closed: exchange.close()
      }
      return await exchange.result.value
    } onCancel: {
      exchange.cancel()
      _ = mailbox.post(.cancel(exchange))
    }
    return try outcome.get()
  }

  /// Runs `job` on the thread between exchanges; false if there is no thread.
  func run(_ job: LoopJob) -> Bool {
    if isCurrent { return mailbox.post(.job(job)) }
    if case .taken = deliver(.job(job)) { return true }
    return false
  }

  /// Makes the loop accept no more messages and end.
  func stop() { mailbox.close() }

  /// Aborts running exchanges, closes all connections and ends the thread.
  func close() async {
    stop()
    let previous = state.withLock { state in
      defer { state = .closed }
      return state
    }
    guard case .running(let thread, let end) = previous else { return }
    await end.value
    thread.join()
  }

  /// Delivers `message` to the thread, and starts the thread if necessary.
  private func deliver(_ message: CurlMailbox.Message) -> Delivery {
    let (delivery, wakeup) = state.withLock { state -> (Delivery, WakeupDescriptor?) in
      if case .idle = state, let (thread, end) = start() { state = .running(thread, end: end) }
      switch state {
      case .idle: return (.noThread, nil)
      case .running:
        let (isOpen, wakeup) = mailbox.enqueue(message)
        return (isOpen ? .taken : .closed, wakeup)
      case .closed: return (.closed, nil)
      }
    }
    wakeup?.signal()
    return delivery
  }

  private func start() -> (WorkThread, OneShot<Void>)? {
    let end = OneShot<Void>()
    let thread = WorkThread { [configuration, addresses, timeline, mailbox, weak self] in
      unsafe _ = pthread_setspecific(Self.mailboxKey, Unmanaged.passUnretained(mailbox).toOpaque())
      if var loop = CurlLoop(configuration, addresses, timeline, mailbox) {
        loop.run()
      } else {
        self?.failPending()
      }
      end.settle(())
    }
    return thread.map { ($0, end) }
  }

  /// Fails the exchanges of a thread that could not start its work; a later message may start another.
  private func failPending() {
    // A caller resumed by this must start another thread.
    pthread_setspecific(Self.mailboxKey, nil)
    var messages: [CurlMailbox.Message] = []
    state.withLock { state in
      if case .running = state { state = .idle }
      _ = mailbox.take(into: &messages)
    }
    for message in messages {
      switch message {
      case .start(let exchange): exchange.result.settle(.failure(.noTransport))
      case .job(let job): job.runOnPool()
      case .cancel, .resolved: break
      }
    }
  }
}
