internal import Synchronization

/// The body of one transfer while it arrives. The transport appends, others count and read along.
public final class ArrivingBody: FlightProgress {
  /// What comes next for a reader.
  enum Next: Equatable {
    /// More bytes; none when there was only a reason to look.
    case piece([UInt8])
    /// All bytes were read.
    case whole
    /// The bytes are of no use: the transfer failed or was left, or others answered the load.
    case useless
  }

  /// How the body came to an end.
  enum Ending { case whole, useless }

  private struct State {
    var bytes: [UInt8] = []
    var ending: Ending?
    var isClaimed = false
    var readers: [OneShot<Void>] = []

    func hasNews(after offset: Int) -> Bool { bytes.count > offset || ending != nil }

    mutating func takeReaders() -> [OneShot<Void>] {
      defer { readers = [] }
      return readers
    }
  }

  /// The most bytes handed to a reader at once. 256 KB: they are copied under the lock that the transport may
  /// wait for, in about 20 µs.
  private static let largestPiece = 256 << 10

  private let state = Mutex(State())

  /// An empty body.
  public init() {}

  /// The bytes so far, after content decoding.
  public var count: Int { state.withLock { $0.bytes.count } }

  /// All bytes so far. Shared; they are copied when more is appended later.
  public var bytes: [UInt8] { state.withLock { $0.bytes } }

  /// The body for a transport to fill: this one for the first exchange of a request, a new one for any other, so
  /// that two exchanges of one request never mix.
  public func claim() -> ArrivingBody {
    let isFirst = state.withLock { state in
      defer { state.isClaimed = true }
      return !state.isClaimed
    }
    return isFirst ? self : ArrivingBody()
  }

  /// Adds bytes at the end.
  public func append(_ bytes: Span<UInt8>) {
    let readers = state.withLock { state in
      unsafe bytes.withUnsafeBufferPointer { unsafe state.bytes.append(contentsOf: $0) }
      return state.takeReaders()
    }
    for reader in readers { reader.settle(()) }
  }

  /// Sets memory aside for `count` bytes in all.
  func reserve(_ count: Int) { state.withLock { $0.bytes.reserveCapacity(count) } }

  /// Says that nothing more will come. The first call counts.
  func end(_ ending: Ending) {
    let readers = state.withLock { state in
      if state.ending == nil { state.ending = ending }
      return state.takeReaders()
    }
    for reader in readers { reader.settle(()) }
  }

  /// Waits for what comes behind `offset`, for ``wake()``, or for the cancellation of the task, which makes the
  /// rest useless.
  func next(after offset: Int) async -> Next {
    let news = OneShot<Void>()
    let isWaiting = state.withLock { state in
      guard !state.hasNews(after: offset) else { return false }
      state.readers.append(news)
      return true
    }
    if isWaiting {
      await withTaskCancellationHandler {
        await news.value
      } onCancel: {
        news.settle(())
      }
    }
    if Task.isCancelled { return .useless }
    return state.withLock { state in
      if state.ending == .useless { return .useless }
      if state.ending == .whole, state.bytes.count <= offset { return .whole }
      return .piece(Array(state.bytes.dropFirst(offset).prefix(Self.largestPiece)))
    }
  }

  /// Hands those who wait an empty piece, so that they look at the time.
  func wake() {
    for reader in state.withLock({ $0.takeReaders() }) { reader.settle(()) }
  }
}
