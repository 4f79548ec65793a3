internal import Synchronization

/// The bytes of one load while they arrive, over one or several exchanges. Readers never receive the bytes of two
/// exchanges as one body.
final class SharedBody: FlightProgress {
  /// The next step of a reader.
  enum Next: Equatable {
    /// More bytes; empty after ``wake()``.
    case piece([UInt8])
    /// The bytes read so far are void: another response starts at byte 0.
    case startedOver
    /// All bytes have been read.
    case whole
    /// The bytes are useless: the load failed, was abandoned, or was answered by another source.
    case useless
  }

  /// The end of the bytes.
  enum Ending { case whole, useless }

  /// The position of a reader.
  struct Position {
    fileprivate var version: Resumption.Version?
    /// The number of bytes read.
    var offset = 0
  }

  /// A reader of the body.
  struct Reader {
    let body: SharedBody
    private var position = Position()

    init(_ body: SharedBody) { self.body = body }

    /// Waits for the next bytes; see ``SharedBody/next(after:)``.
    mutating func next() async -> Next { await body.next(after: &position) }
  }

  /// A running exchange.
  struct Running {
    /// The key of the exchange, which differs from that of the load after a redirect.
    let key: ResponseKey
    let body: StreamingBody
    /// When its request was sent.
    var sentAt: Duration?
    /// When its head arrived.
    var headAt: Duration?
  }

  private struct State {
    var body: StreamingBody?
    var running: Running?
    var receivedWhenLeft: Int?
    var isAwaited = true
    var hasGivenUp = false
    var ending: Ending?
    var failure: FailedFetch?
    var readers: [OneShot<Void>] = []

    mutating func next(for position: inout Position) -> Next? {
      if ending == .useless { return .useless }
      guard let body, let version = body.version else { return nil }
      if position.version !== version {
        let hasRead = position.offset > 0
        position = Position(version: version)
        if hasRead { return .startedOver }
      }
      let piece = body.piece(after: position.offset, atMost: largestPiece)
      if piece.isEmpty { return ending == .whole ? .whole : nil }
      position.offset += piece.count
      return .piece(piece)
    }

    mutating func takeReaders() -> [OneShot<Void>] {
      defer { readers = [] }
      return readers
    }
  }

  /// The maximum number of bytes that a reader gets at once. 256 KB: copying them takes about 20 µs, under a lock for
  /// which the transport may wait.
  private static let largestPiece = 256 << 10

  private let state = Mutex(State())

  init() {}

  /// Begins an exchange about `key`, which resumes `resumption` if there is one. Returns the body for the transport to fill.
  ///
  /// - Parameters:
  ///   - keepsCoded: Whether to keep the compressed bytes as well, so that a compressed body can be resumed.
  ///   - memory: The memory of the load; nil without a limit.
  ///   - judge: Returns an error for a response that must not be loaded.
  ///   - judgeBody: Judges the beginning of the body; nil to load all.
  ///   - onSent: Called when the request is sent, with the time of the handshakes, if any. Returns the time.
  ///   - onHead: Called when the head arrives. Returns the time.
  func begin(
    _ key: ResponseKey, behind resumption: Resumption? = nil, keepsCoded: Bool = false,
    memory: BodyMemory.Share? = nil,
    judge: @escaping @Sendable (HeaderFields) -> LoadError? = { _ in nil },
    judgeBody: (@Sendable ([UInt8]) -> BodyVerdict)? = nil,
    onSent: @escaping @Sendable (Duration?) -> Duration = { _ in .zero },
    onHead: @escaping @Sendable (TransportResponse) -> Duration = { _ in .zero }
  ) -> StreamingBody {
    let body = StreamingBody(
      behind: resumption, keepsCoded: keepsCoded, memory: memory, judge: judge, judgeBody: judgeBody,
      onSent: { [weak self] handshakes in
        let now = onSent(handshakes)
        self?.state.withLock { $0.running?.sentAt = now }
      },
      onHead: { [weak self] head in
        let now = onHead(head)
        self?.state.withLock { $0.running?.headAt = now }
      },
      onArrival: { [weak self] in self?.wake() })
    state.withLock { ($0.body, $0.running) = (body, Running(key: key, body: body)) }
    return body
  }

  /// Ends the exchange. Returns the number of bytes that cancelling it after the last waiter left would have wasted; nil
  /// when a caller still waited.
  @discardableResult
  func endExchange() -> Int? {
    state.withLock { state in
      state.running = nil
      return state.receivedWhenLeft
    }
  }

  /// The details of the failed load; nil if it has not failed.
  var failure: FailedFetch? { state.withLock(\.failure) }

  /// The progress of the newest exchange; nil before the head of its response.
  var progress: LoadProgress? { state.withLock(\.body)?.progress }

  /// Records that the load fails.
  func fail(_ failure: FailedFetch) { state.withLock { $0.failure = failure } }

  /// The running exchange.
  var running: Running? { state.withLock { $0.running } }

  /// Records that the last waiter left after `count` bytes and that the exchange of `body` continues. Returns false when it
  /// has ended.
  func noteLeft(_ body: StreamingBody, with count: Int) -> Bool {
    state.withLock { state in
      guard state.running?.body === body else { return false }
      (state.receivedWhenLeft, state.isAwaited) = (count, false)
      return true
    }
  }

  func noteJoined() -> Bool {
    state.withLock { state in
      state.isAwaited = state.isAwaited || !state.hasGivenUp
      return state.isAwaited
    }
  }

  /// False while the exchange continues without waiters.
  var isAwaited: Bool { state.withLock { $0.isAwaited } }

  /// Returns true when the load has no waiters and may stop. No caller joins it after that.
  func giveUp() -> Bool {
    state.withLock { state in
      state.hasGivenUp = !state.isAwaited
      return state.hasGivenUp
    }
  }

  /// Ends the bytes. Only the first call has an effect.
  func end(_ ending: Ending) {
    state.withLock { state in
      if state.ending == nil { state.ending = ending }
    }
    wake()
  }

  /// Waits for bytes after `position`, which advances; for ``wake()``; or for the cancellation of the task, after which
  /// the bytes are useless.
  func next(after position: inout Position) async -> Next {
    let news = OneShot<Void>()
    let early = state.withLock { state -> Next? in
      if let next = state.next(for: &position) { return next }
      state.readers.append(news)
      return nil
    }
    if Task.isCancelled { return .useless }
    if let early { return early }
    await withTaskCancellationHandler {
      await news.value
    } onCancel: {
      news.settle(())
    }
    if Task.isCancelled { return .useless }
    return state.withLock { $0.next(for: &position) } ?? .piece([])
  }

  /// Gives every waiting reader an empty piece, so that it checks the time.
  func wake() {
    for reader in state.withLock({ $0.takeReaders() }) { reader.settle(()) }
  }
}
