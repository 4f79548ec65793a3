internal import Synchronization

/// The response of one exchange while it arrives: first its head, then its body. The transport fills it; the
/// loader reads it concurrently.
public final class StreamingBody: Sendable {
  private struct State {
    var head: TransportResponse?
    var version: Resumption.Version?
    var bytes: [UInt8] = []
    /// The content-coded bytes that the first `settled` of `bytes` were decoded from. Nil if the body has no
    /// content coding or cannot be resumed.
    var coded: [UInt8]?
    var settled = 0
    /// The memory of the load, for a response with a resource; nil without a limit.
    var memory: BodyMemory.Share?
    /// The memory of the body; nil without a limit, before the head, and for a response without a resource.
    var allowance: BodyAllowance?
    var isClaimed = false
    var failure: FailedExchange?
    var refusal: LoadError?
    var judgement = BodyJudgement(nil)
    var headObserver: (@Sendable () -> Void)?
    var sentObserver: (@Sendable (_ connection: Int?) -> Void)?
  }

  /// The partial body that the exchange continues, if any.
  package let resumption: Resumption?
  private let keepsCoded: Bool
  /// The decoder for the rest of a compressed body.
  private let decoder: Mutex<ContentDecoder?>
  private let state = Mutex(State())
  private let onSent: @Sendable (Duration?) -> Void
  private let onHead: @Sendable (TransportResponse) -> Void
  private let judge: @Sendable (HeaderFields) -> LoadError?
  private let onArrival: @Sendable () -> Void

  /// Creates an empty body.
  public convenience init() { self.init(behind: nil, onHead: { _ in }, onArrival: {}) }

  /// Creates the rest of the body in `resumption`, unless the response starts at byte 0.
  ///
  /// - Parameters:
  ///   - keepsCoded: Whether the content-coded bytes are kept, so that a compressed body can be resumed.
  ///   - memory: The memory that the body takes; nil without a limit.
  ///   - judge: Returns an error for a successful response that must not be loaded.
  ///   - judgeBody: Judges the beginning of the body; nil to accept all.
  ///   - onSent: Called with the argument of ``noteSent(afterConnecting:)``.
  ///   - onHead: Called with the head.
  ///   - onArrival: Called after the head and after each piece, on the thread that delivers them.
  /// - Complexity: Linear in the size of `resumption`.
  package init(
    behind resumption: Resumption?, keepsCoded: Bool = false, memory: BodyMemory.Share? = nil,
    judge: @escaping @Sendable (HeaderFields) -> LoadError? = { _ in nil },
    judgeBody: (@Sendable ([UInt8]) -> BodyVerdict)? = nil,
    onSent: @escaping @Sendable (Duration?) -> Void = { _ in },
    onHead: @escaping @Sendable (TransportResponse) -> Void, onArrival: @escaping @Sendable () -> Void
  ) {
    self.resumption = resumption
    self.keepsCoded = keepsCoded
    // Decoded here because the thread that delivers the response also serves other transfers.
    decoder = Mutex(resumption?.decoder())
    (self.onSent, self.judge) = (onSent, judge)
    self.onHead = onHead
    self.onArrival = onArrival
    if let memory { state.withLock { $0.memory = memory } }
    if let judgeBody, resumption == nil { state.withLock { $0.judgement = BodyJudgement(judgeBody) } }
  }

  /// The number of bytes received so far, after content decoding.
  package var count: Int { state.withLock { $0.bytes.count } }

  /// All bytes received so far. Shared storage, copied when more bytes are appended.
  package var bytes: [UInt8] { state.withLock { $0.bytes } }

  /// The status and fields of the final response once they are received, without its body.
  package var head: TransportResponse? { state.withLock { $0.head } }

  /// Details of the exchange, if it failed and the transport reports them.
  package var failure: FailedExchange? { state.withLock(\.failure) }

  /// The reason why the response must not be loaded; nil if it may, and before its head.
  package var refusal: LoadError? { state.withLock(\.refusal) }

  /// Records that the exchange failed.
  package func fail(_ exchange: FailedExchange) { state.withLock { $0.failure = exchange } }

  /// Calls `observer` when the head arrives, before the loader receives it. For measurements.
  package func observeHead(_ observer: @escaping @Sendable () -> Void) {
    state.withLock { $0.headObserver = observer }
  }

  /// Calls `observer` each time the request is sent, with the number of its connection if the transport
  /// reports one. Requests over the same connection have equal numbers. For measurements.
  package func observeSent(_ observer: @escaping @Sendable (_ connection: Int?) -> Void) {
    state.withLock { $0.sentObserver = observer }
  }

  /// Returns the body for a transport to fill: this one for the first exchange of a request and a new one for
  /// each other exchange, so that two exchanges of one request never mix.
  public func claim() -> StreamingBody {
    let isFirst = state.withLock { state in
      defer { state.isClaimed = true }
      return !state.isClaimed
    }
    return isFirst ? self : StreamingBody()
  }

  /// Records that the request is sent. Not called for requests that follow redirects.
  ///
  /// The call is optional. Without it, the loader cannot estimate the end of a transfer before its head arrives, and
  /// cancels the transfer as soon as its last waiter leaves.
  ///
  /// - Parameter handshakes: The time to set up the connection for this request, including TLS; nil for a
  ///   reused connection.
  public func noteSent(afterConnecting handshakes: Duration?) {
    noteSent(afterConnecting: handshakes, over: nil)
  }

  /// Records that the request is sent over `connection`, a number that is unique within the transport.
  package func noteSent(afterConnecting handshakes: Duration?, over connection: Int?) {
    state.withLock(\.sentObserver)?(connection)
    onSent(handshakes)
  }

  /// Sets the final response, before its first byte: all of `head` except its body. Only the first call has
  /// an effect, because trailers are not a head.
  public func begin(_ head: TransportResponse) {
    let refusal = (200..<300).contains(head.status) ? judge(head.headers) : nil
    let (isFirst, observer) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
      if state.head != nil { return (false, nil) }
      (state.head, state.refusal) = (head, refusal)
      if refusal != nil { return (true, state.headObserver) }
      if let resumption, resumption.isContinued(by: head) {
        state.version = resumption.version
        state.coded = resumption.coded == nil ? nil : []
      } else if (200..<300).contains(head.status), head.status != 206 {
        state.version = Resumption.Version()
        state.coded = keepsCoded && Resumption.coding(of: head) != nil ? [] : nil
      }
      if (200..<300).contains(head.status), state.memory != nil { takeMemory(for: head, &state) }
      return (true, state.headObserver)
    }
    guard isFirst else { return }
    observer?()
    onHead(head)
    onArrival()
  }

  /// Appends bytes.
  public func append(_ bytes: Span<UInt8>) { _ = receive(bytes) }

  /// Appends bytes; false if the memory for them is lacking or the response is refused, so that the exchange must end.
  package func receive(_ bytes: Span<UInt8>) -> Bool {
    let hasMemory = state.withLock { state in
      if state.refusal != nil { return false }
      if state.allowance != nil, !takeMemory(for: bytes.count, &state) { return false }
      unsafe bytes.withUnsafeBufferPointer { unsafe state.bytes.append(contentsOf: $0) }
      if state.version != nil { state.refusal = state.judgement.refusal(of: state.bytes) }
      return state.refusal == nil
    }
    if hasMemory { onArrival() }
    return hasMemory
  }

  /// Appends the content-coded bytes from which all bytes since the last call were decoded.
  package func settle(_ coded: Span<UInt8>) {
    state.withLock { state in
      unsafe coded.withUnsafeBufferPointer { unsafe state.coded?.append(contentsOf: $0) }
      state.settled = state.bytes.count
    }
  }

  /// True if the response continues a content-coded body.
  package var continuesCoded: Bool {
    guard let resumption, resumption.coded != nil else { return false }
    return state.withLock { $0.version === resumption.version }
  }

  /// True if the response claims to continue the partial body but has no bytes.
  package var isEmptyContinuation: Bool {
    guard let resumption else { return false }
    return state.withLock { $0.version === resumption.version && ($0.coded ?? $0.bytes).isEmpty }
  }

  /// Returns the decoder that has read the beginning, on the first call only; nil without a content-coded beginning,
  /// or if it was damaged.
  package func takeDecoder() -> ContentDecoder? {
    decoder.withLock { decoder in
      var taken: ContentDecoder?
      swap(&taken, &decoder)
      return taken
    }
  }

  /// Reserves storage for `count` bytes in total.
  package func reserve(_ count: Int) { state.withLock { $0.bytes.reserveCapacity(count) } }

  /// The number of bytes of the resource so far: the received bytes and the bytes they continue.
  package var length: Int {
    state.withLock { state in beginning(state).count + state.bytes.count }
  }

  /// The version of the resource that the bytes belong to; nil if the response is not part of the resource.
  package var version: Resumption.Version? { state.withLock { $0.version } }

  /// The received bytes: decoded and, if they can be resumed, content-coded.
  var snapshot: (head: TransportResponse?, bytes: [UInt8], coded: [UInt8]?, version: Resumption.Version?) {
    state.withLock { state in
      let bytes = state.coded == nil ? state.bytes : Array(state.bytes.prefix(state.settled))
      return (state.head, bytes, state.coded, state.version)
    }
  }

  /// Returns the complete response if `response` has exactly the requested rest of this body; otherwise nil.
  package func joined(with response: TransportResponse, askedAt: Int64) -> StoredResponse? {
    let received = state.withLock { $0.coded }?.count ?? response.body.count
    return resumption?.joined(with: response, received: received, askedAt: askedAt)
  }

  /// Returns at most `most` bytes of the resource from `offset`; empty if none have arrived or the response
  /// is not part of the resource.
  package func piece(after offset: Int, atMost most: Int) -> [UInt8] {
    state.withLock { state in
      guard state.version != nil else { return [] }
      let beginning = beginning(state)
      return offset < beginning.count
        ? Array(beginning.dropFirst(offset).prefix(most))
        : Array(state.bytes.dropFirst(offset - beginning.count).prefix(most))
    }
  }

  /// The memory of the body; nil without a limit, before the head, and for a response without a resource.
  package var allowance: BodyAllowance? { state.withLock(\.allowance) }

  /// Ends the use of the load's memory.
  package func leaveMemory() {
    state.withLock { ($0.memory, $0.allowance) = (nil, nil) }
  }

  /// Takes the memory for the length that `head` states. The length of coded bytes says nothing about the body's.
  private func takeMemory(for head: TransportResponse, _ state: inout State) {
    guard let memory = state.memory else { return }
    let isPlain = head.headers.contentCodings.isEmpty
    let length = isPlain ? head.headers["content-length"].flatMap { ContentRange.number($0.utf8) } : nil
    state.allowance = BodyAllowance(memory, beginning: beginningMemory(state), length: length)
    dropIfLacking(&state)
  }

  /// Takes the memory for `count` more bytes; false if it is lacking.
  private func takeMemory(for count: Int, _ state: inout State) -> Bool {
    let bytes = beginningMemory(state) + state.bytes.count + (state.coded?.count ?? 0) + count
    let isTaken = state.allowance?.take(bytes) ?? true
    dropIfLacking(&state)
    return isTaken
  }

  private func dropIfLacking(_ state: inout State) {
    guard state.allowance?.lacking != nil else { return }
    (state.bytes, state.coded, state.settled, state.version) = ([], nil, 0, nil)
  }

  private func beginningMemory(_ state: borrowing State) -> Int {
    guard let resumption, resumption.version === state.version else { return 0 }
    return resumption.memory
  }

  private func beginning(_ state: borrowing State) -> [UInt8] {
    guard let resumption, resumption.version === state.version else { return [] }
    return resumption.bytes
  }
}
