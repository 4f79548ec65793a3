internal import Synchronization

/// The bytes of one load while they arrive, over however many exchanges it takes. Readers never get bytes of two
/// exchanges as if they were one.
final class SharedBody: FlightProgress {
  /// What comes next for a reader.
  enum Next: Equatable {
    /// More bytes; none when there was only a reason to look.
    case piece([UInt8])
    /// What was read is void: another answer begins at the beginning.
    case startedOver
    /// All bytes were read.
    case whole
    /// The bytes are of no use: the load failed or was left, or something else answered it.
    case useless
  }

  /// How the bytes came to an end.
  enum Ending { case whole, useless }

  /// A reader's place.
  struct Position {
    fileprivate var version: Resumption.Version?
    /// The bytes that were read.
    var offset = 0
  }

  /// An exchange that runs.
  struct Running {
    /// What it is about, which is not what the load was sent for when a redirect led there.
    let key: ResponseKey
    let body: StreamingBody
    /// When its request went out.
    var sentAt: Duration?
    /// When its head came.
    var headAt: Duration?
  }

  private struct State {
    var body: StreamingBody?
    var running: Running?
    var receivedWhenLeft: Int?
    var isAwaited = true
    var hasGivenUp = false
    var ending: Ending?
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

  /// The most bytes handed to a reader at once. 256 KB: they are copied under the lock that the transport may
  /// wait for, in about 20 µs.
  private static let largestPiece = 256 << 10

  private let state = Mutex(State())

  init() {}

  /// A new exchange begins about `key`, which asks to continue `resumption` if there is one; its body is for a transport
  /// to fill, and to be continued where it `keepsCoded` and is compressed. `onSent` is called when the request goes out, `onHead` when its head arrives; both give the time.
  func begin(
    _ key: ResponseKey, behind resumption: Resumption? = nil, keepsCoded: Bool = false,
    onSent: @escaping @Sendable (Duration?) -> Duration = { _ in .zero },
    onHead: @escaping @Sendable (TransportResponse) -> Duration = { _ in .zero }
  ) -> StreamingBody {
    let body = StreamingBody(
      behind: resumption, keepsCoded: keepsCoded,
      onSent: { [weak self] handshakes in
        let now = onSent(handshakes)
        self?.state.withLock { $0.running?.sentAt = now }
      },
      onHead: { [weak self] head in
        let now = onHead(head)
        self?.state.withLock { $0.running?.headAt = now }
      },
      onNews: { [weak self] in self?.wake() })
    state.withLock { ($0.body, $0.running) = (body, Running(key: key, body: body)) }
    return body
  }

  /// The exchange is over, well or not. Returns the bytes that would have been lost, had it not gone on; nil when nobody
  /// had left.
  @discardableResult
  func endExchange() -> Int? {
    state.withLock { state in
      state.running = nil
      return state.receivedWhenLeft
    }
  }

  /// The exchange that runs.
  var running: Running? { state.withLock { $0.running } }

  /// Everybody has left when the exchange of `body` had received `count` bytes, but it goes on; false when it is over.
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

  /// False while it goes on for nobody.
  var isAwaited: Bool { state.withLock { $0.isAwaited } }

  /// True when the load goes on for nobody, and need not: from now on nobody joins it.
  func giveUp() -> Bool {
    state.withLock { state in
      state.hasGivenUp = !state.isAwaited
      return state.hasGivenUp
    }
  }

  /// Says that nothing more will come. The first call counts.
  func end(_ ending: Ending) {
    state.withLock { state in
      if state.ending == nil { state.ending = ending }
    }
    wake()
  }

  /// Waits for what comes behind `position`, which moves; for ``wake()``; or for the cancellation of the task, which
  /// makes the rest useless.
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

  /// Hands those who wait an empty piece, so that they look at the time.
  func wake() {
    for reader in state.withLock({ $0.takeReaders() }) { reader.settle(()) }
  }
}
