internal import Synchronization

/// The answer to one exchange while it arrives: its head, then its body. The transport fills it, others count and
/// read along.
public final class ArrivingBody: Sendable {
  private struct State {
    var head: TransportResponse?
    var bytes: [UInt8] = []
    var isClaimed = false
  }

  private let state = Mutex(State())
  private let onHead: @Sendable (TransportResponse) -> Void
  private let onNews: @Sendable () -> Void

  /// A body of which nothing has arrived.
  public convenience init() { self.init(onHead: { _ in }, onNews: {}) }

  /// The same; `onHead` is called with the head, `onNews` after each arrival, by whoever brings it.
  init(onHead: @escaping @Sendable (TransportResponse) -> Void, onNews: @escaping @Sendable () -> Void) {
    self.onHead = onHead
    self.onNews = onNews
  }

  /// The bytes so far, after content decoding.
  public var count: Int { state.withLock { $0.bytes.count } }

  /// All bytes so far. Shared; they are copied when more is appended later.
  public var bytes: [UInt8] { state.withLock { $0.bytes } }

  /// The final answer's status and fields, as soon as they are there; without its body.
  public var head: TransportResponse? { state.withLock { $0.head } }

  /// The body for a transport to fill: this one for the first exchange of a request, a new one for any other, so
  /// that two exchanges of one request never mix.
  public func claim() -> ArrivingBody {
    let isFirst = state.withLock { state in
      defer { state.isClaimed = true }
      return !state.isClaimed
    }
    return isFirst ? self : ArrivingBody()
  }

  /// Says what the final answer is, before its first byte: everything of `head` but its body. Only the first call
  /// counts: trailers are no head.
  public func begin(_ head: TransportResponse) {
    let isFirst = state.withLock { state in
      if state.head != nil { return false }
      state.head = head
      return true
    }
    guard isFirst else { return }
    onHead(head)
    onNews()
  }

  /// Adds bytes at the end.
  public func append(_ bytes: Span<UInt8>) {
    state.withLock { state in
      unsafe bytes.withUnsafeBufferPointer { unsafe state.bytes.append(contentsOf: $0) }
    }
    onNews()
  }

  /// Sets memory aside for `count` bytes in all.
  func reserve(_ count: Int) { state.withLock { $0.bytes.reserveCapacity(count) } }

  /// At most `most` bytes of the resource behind `offset`, empty when there are none yet, or none at all: only the
  /// body of a success that is whole is a part of the resource.
  func piece(after offset: Int, atMost most: Int) -> [UInt8] {
    state.withLock { state in
      guard let status = state.head?.status, (200..<300).contains(status), status != 206 else { return [] }
      return Array(state.bytes.dropFirst(offset).prefix(most))
    }
  }
}
