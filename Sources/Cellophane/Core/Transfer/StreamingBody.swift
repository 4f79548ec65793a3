internal import Synchronization

/// The answer to one exchange while it arrives: its head, then its body. The transport fills it, others count and
/// read along.
public final class StreamingBody: Sendable {
  private struct State {
    var head: TransportResponse?
    var version: Resumption.Version?
    var bytes: [UInt8] = []
    /// What the first `settled` of `bytes` were made of by content decoding; nil when there was none, or when nobody goes
    /// on behind it.
    var coded: [UInt8]?
    var settled = 0
    var isClaimed = false
    var headWatch: (@Sendable () -> Void)?
    var sentWatch: (@Sendable (_ connection: Int?) -> Void)?
  }

  /// What the exchange asks to continue, when it does.
  let resumption: Resumption?
  private let keepsCoded: Bool
  /// For what follows a compressed beginning.
  private let decoder: Mutex<ContentDecoder?>
  private let state = Mutex(State())
  private let onSent: @Sendable (Duration?) -> Void
  private let onHead: @Sendable (TransportResponse) -> Void
  private let onNews: @Sendable () -> Void

  /// A body of which nothing has arrived.
  public convenience init() { self.init(behind: nil, onHead: { _ in }, onNews: {}) }

  /// The rest of what `resumption` has, unless the answer begins at the beginning. `onSent` is called with what
  /// ``noteSent(afterConnecting:)`` says, `onHead` with the head, `onNews` after each arrival, by whoever brings it.
  /// Where it `keepsCoded`, what is compressed can be continued.
  ///
  /// - Complexity: linear in what `resumption` has.
  init(
    behind resumption: Resumption?, keepsCoded: Bool = false,
    onSent: @escaping @Sendable (Duration?) -> Void = { _ in },
    onHead: @escaping @Sendable (TransportResponse) -> Void, onNews: @escaping @Sendable () -> Void
  ) {
    self.resumption = resumption
    self.keepsCoded = keepsCoded
    // Here, because whoever brings the answer has others to bring.
    decoder = Mutex(resumption?.decoder())
    self.onSent = onSent
    self.onHead = onHead
    self.onNews = onNews
  }

  /// The bytes so far, after content decoding.
  public var count: Int { state.withLock { $0.bytes.count } }

  /// All bytes so far. Shared; they are copied when more is appended later.
  public var bytes: [UInt8] { state.withLock { $0.bytes } }

  /// The final answer's status and fields, as soon as they are there; without its body.
  public var head: TransportResponse? { state.withLock { $0.head } }

  /// Calls `watch` when the head comes, for those who measure: before it, whoever brings the head.
  package func watchHead(_ watch: @escaping @Sendable () -> Void) { state.withLock { $0.headWatch = watch } }

  /// Calls `watch` when the request goes out, for those who measure, with the number of its connection where the
  /// transport tells one: equal for requests over the same. Called again when it has to be sent again.
  package func watchSent(_ watch: @escaping @Sendable (_ connection: Int?) -> Void) {
    state.withLock { $0.sentWatch = watch }
  }

  /// The body for a transport to fill: this one for the first exchange of a request, a new one for any other, so
  /// that two exchanges of one request never mix.
  public func claim() -> StreamingBody {
    let isFirst = state.withLock { state in
      defer { state.isClaimed = true }
      return !state.isClaimed
    }
    return isFirst ? self : StreamingBody()
  }

  /// Says that the request goes out, and how long the connection took that was made for it, TLS included; nil for one
  /// that was there. Not for the requests that follow redirects. A transport that does not say so works, too: what it is
  /// asked for is cut off more readily.
  public func noteSent(afterConnecting handshakes: Duration?) {
    noteSent(afterConnecting: handshakes, over: nil)
  }

  /// The same of a request that goes over `connection`, a number that no other connection of the transport has.
  package func noteSent(afterConnecting handshakes: Duration?, over connection: Int?) {
    state.withLock(\.sentWatch)?(connection)
    onSent(handshakes)
  }

  /// Says what the final answer is, before its first byte: everything of `head` but its body. Only the first call
  /// counts: trailers are no head.
  public func begin(_ head: TransportResponse) {
    let (isFirst, watch) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
      if state.head != nil { return (false, nil) }
      state.head = head
      if let resumption, resumption.isContinued(by: head) {
        state.version = resumption.version
        state.coded = resumption.coded == nil ? nil : []
      } else if (200..<300).contains(head.status), head.status != 206 {
        state.version = Resumption.Version()
        state.coded = keepsCoded && Resumption.coding(of: head) != nil ? [] : nil
      }
      return (true, state.headWatch)
    }
    guard isFirst else { return }
    watch?()
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

  /// Says what the bytes since it was called last were made of by content decoding.
  func settle(_ coded: Span<UInt8>) {
    state.withLock { state in
      unsafe coded.withUnsafeBufferPointer { unsafe state.coded?.append(contentsOf: $0) }
      state.settled = state.bytes.count
    }
  }

  /// True when the answer goes on within something compressed.
  var goesOnCoded: Bool {
    guard let resumption, resumption.coded != nil else { return false }
    return state.withLock { $0.version === resumption.version }
  }

  /// True when the answer says that it goes on behind what was there, and brought nothing.
  var isEmptyContinuation: Bool {
    guard let resumption else { return false }
    return state.withLock { $0.version === resumption.version && ($0.coded ?? $0.bytes).isEmpty }
  }

  /// The decoder that has read the beginning, for the first who asks; nil when that was damaged.
  func takeDecoder() -> ContentDecoder? {
    decoder.withLock { decoder in
      var taken: ContentDecoder?
      swap(&taken, &decoder)
      return taken
    }
  }

  /// Sets memory aside for `count` bytes in all.
  package func reserve(_ count: Int) { state.withLock { $0.bytes.reserveCapacity(count) } }

  /// The bytes of the resource so far: those that arrived, behind those that they continue.
  var length: Int {
    state.withLock { state in begun(state).count + state.bytes.count }
  }

  /// Of which version of the resource this is; nil for what is no part of it.
  var version: Resumption.Version? { state.withLock { $0.version } }

  /// What has arrived: decoded and, where that can be continued, as it came.
  var snapshot: (head: TransportResponse?, bytes: [UInt8], coded: [UInt8]?, version: Resumption.Version?) {
    state.withLock { state in
      let bytes = state.coded == nil ? state.bytes : Array(state.bytes.prefix(state.settled))
      return (state.head, bytes, state.coded, state.version)
    }
  }

  /// The whole response, when `response` is this body's and has exactly what was asked for behind the beginning.
  func joined(with response: TransportResponse, askedAt: Int64) -> StoredResponse? {
    let received = state.withLock { $0.coded }?.count ?? response.body.count
    return resumption?.joined(with: response, received: received, askedAt: askedAt)
  }

  /// At most `most` bytes of the resource behind `offset`, empty when there are none yet, or none at all.
  func piece(after offset: Int, atMost most: Int) -> [UInt8] {
    state.withLock { state in
      guard state.version != nil else { return [] }
      let begun = begun(state)
      return offset < begun.count
        ? Array(begun.dropFirst(offset).prefix(most))
        : Array(state.bytes.dropFirst(offset - begun.count).prefix(most))
    }
  }

  private func begun(_ state: borrowing State) -> [UInt8] {
    guard let resumption, resumption.version === state.version else { return [] }
    return resumption.bytes
  }
}
