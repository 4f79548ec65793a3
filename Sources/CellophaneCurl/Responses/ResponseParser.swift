/// The response to one hop of an exchange, checked against the limits as it arrives.
///
/// Not copyable: a call of a method of a stored parser would copy it.
struct ResponseParser: ~Copyable {
  /// The status line and fields so far.
  private(set) var head = ResponseHead.forFile
  /// The body so far, after content decoding.
  let body: StreamingBody
  /// The reason that this client ended the transfer, if it did.
  private(set) var failure: LoadError?
  /// The times at which the request was sent and the first byte of the response arrived.
  var sentAt: Duration?
  private(set) var firstByteAt: Duration?
  private let limits: TransferLimits
  private let isEncrypted: Bool
  private var decoder: ContentDecoder?
  /// The lines of the current head so far.
  private var lines: [UInt8] = []
  private(set) var isHeadComplete = false
  /// True if a final head has arrived, even if the response is unusable.
  private(set) var hasHead = false
  private var headBytes = 0
  private var headLines = 0
  private var pageBytes = 0
  private var receivedBytes = 0
  /// True if the rest of a page is not read, because that would take longer than another connection.
  private(set) var leavesPage = false

  /// The maximum useless body that is read, so that the connection can be reused: the page of an error or a
  /// redirect, or another range than the requested one. 64 KB: a new connection takes two or three round trips,
  /// in which about that much arrives.
  static let maxUselessBody = 64 << 10
  /// The time for which such a page may take. 1 s: nearly all new connections take less.
  static let maxPageTime = Duration.seconds(1)
  /// The capacity reserved for a head. 1 KB: more than most heads need.
  private static let typicalHeadBytes = 1 << 10
  /// The maximum capacity reserved for a declared `Content-Length`. 1 MB: enough for most images, and
  /// harmless if the declaration is false.
  static let maxReservation = 1 << 20

  /// Creates a parser for a hop with or without TLS.
  init(limits: TransferLimits, body: StreamingBody, isEncrypted: Bool = false) {
    self.limits = limits
    self.body = body
    self.isEncrypted = isEncrypted
  }

  /// The progress after a line of a head or of trailers.
  enum HeadProgress {
    /// No final head ended with this line.
    case unchanged
    /// The response redirects to another URL; its page may follow.
    case redirect
    /// The final head is complete; a body may follow.
    case response
    /// The transfer must end.
    case failed
  }

  /// Reads the next line of a head or of trailers, which arrived `now`.
  ///
  /// - Parameter cache: The lines of recent heads.
  mutating func takeLine(
    _ line: Span<UInt8>, cache: HeaderFieldCache, at now: @autoclosure () -> Duration,
    from origin: () -> String
  ) -> HeadProgress {
    if firstByteAt == nil { firstByteAt = now() }
    headBytes += line.count
    headLines += 1
    guard headBytes <= ResponseHead.maxBytes, headLines <= ResponseHead.maxLines else {
      _ = fail(
        LoadError(
          .malformedResponse,
          """
          \(origin()) sent a header of more than \(ResponseHead.maxBytes) bytes or \(ResponseHead.maxLines) lines
          """))
      return .failed
    }
    if lines.isEmpty { lines.reserveCapacity(Self.typicalHeadBytes) }
    unsafe line.withUnsafeBufferPointer { unsafe lines.append(contentsOf: $0) }
    // The empty line ends a head; libcurl delivers one line per call.
    guard !line.isEmpty, line[0] == UInt8(ascii: "\r") || line[0] == UInt8(ascii: "\n") else {
      return .unchanged
    }
    defer { lines.removeAll(keepingCapacity: true) }
    let isFinal = !isHeadComplete
    guard takeHead(lines, cache: cache, from: origin) else { return .failed }
    // Neither an interim head (103, for example) nor a redirect is the final head.
    if head.isRedirect { return .redirect }
    return isFinal && head.status >= 200 ? .response : .unchanged
  }

  /// Reads a complete head; false ends the transfer. A later head replaces an interim one (103, for example);
  /// trailers have no effect.
  private mutating func takeHead(
    _ lines: [UInt8], cache: HeaderFieldCache, from origin: () -> String
  ) -> Bool {
    guard !isHeadComplete, let head = ResponseHead(lines, cache: cache) else { return true }
    self.head = head
    hasHead = head.status >= 200
    // Without a resource, only the connection depends on the framing.
    if let defect = head.defect ?? (hasHead && !head.hasResource ? nil : head.framingDefect) {
      return fail(LoadError(.malformedResponse, "\(origin()) sent \(defect)"))
    }
    // Only TLS negotiates HTTP/2. libcurl trusts the status line, and would expect frames to mark the end of
    // the body.
    guard isEncrypted || head.isHTTP1 else {
      return fail(
        LoadError(
          .malformedResponse, "\(origin()) sent an HTTP/2 status line over a connection without HTTP/2"))
    }
    isHeadComplete = hasHead
    if hasStatusOnly { leavesPage = head.framingDefect != nil || head.length ?? 0 > Self.maxUselessBody }
    guard isHeadComplete, head.hasResource, head.hasBody else { return true }
    let codings = head.contentCodings
    if let length = head.length, !reserve(length, isCoded: !codings.isEmpty, from: origin) { return false }
    if codings.isEmpty { return true }
    guard codings.count == 1, let coding = ContentDecoder.Coding(named: codings[0]) else {
      // 60 characters: longer than the name of any coding, and short enough for a message.
      return fail(
        LoadError(
          .malformedResponse,
          """
          \(origin()) sent a body with content coding '\(codings.joined(separator: ", ").prefix(60))'; only gzip or \
          deflate, applied once, is supported
          """, detail: .contentCoding))
    }
    decoder = ContentDecoder(coding)
    return decoder == nil ? fail(.noTransport) : true
  }

  /// Starts the body after the final head; false ends the transfer.
  mutating func begin(_ head: TransportResponse, from origin: () -> String) -> Bool {
    body.begin(head)
    if let refusal = body.refusal { return fail(refusal) }
    if let allowance = body.allowance {
      if allowance.lacking != nil { return fail(.noMemoryForBody) }
      if let length = self.head.length, allowance.coversLength { body.reserve(length) }
    }
    // A range other than the requested one is useless. A short one is read to keep the connection.
    if head.status == 206, body.resumption != nil, body.version == nil,
      self.head.length.map({ $0 > Self.maxUselessBody }) ?? true
    {
      return fail(
        LoadError(
          .malformedResponse, "\(origin()) sent another range than the requested one"))
    }
    guard body.continuesCoded else { return true }
    // The rest of compressed data cannot be decoded without its beginning.
    decoder = body.takeDecoder()
    return decoder != nil
      || fail(
        LoadError(.malformedResponse, "\(origin()) continued a partial body that cannot be decompressed"))
  }

  /// Records the reason to end the transfer; always false.
  mutating func fail(_ failure: LoadError) -> Bool {
    self.failure = failure
    return false
  }

  /// True if the status is the whole result: the response is complete even if its page is cut, coded or framed
  /// badly.
  var hasStatusOnly: Bool { isHeadComplete && !head.hasResource }

  /// Takes the lines so far for the complete head, because libcurl refused the framing in the next one. False
  /// unless their status is the whole result.
  mutating func endRefusedHead(cache: HeaderFieldCache) -> Bool {
    guard !isHeadComplete, let head = ResponseHead(lines, cache: cache), head.status >= 300,
      head.defect == nil, isEncrypted || head.isHTTP1
    else { return false }
    (self.head, hasHead, isHeadComplete, leavesPage) = (head, true, true, true)
    return true
  }

  /// Reads the next bytes of the body; false ends the transfer.
  mutating func takeBody(_ bytes: Span<UInt8>, from origin: () -> String) -> Bool {
    if hasStatusOnly { return takePage(bytes) }
    receivedBytes += bytes.count
    guard let decoder else { return keep(bytes, from: origin) }
    switch decoder.feed(bytes, to: { keep($0, from: origin) }) {
    case .consumed:
      body.settle(bytes)
      // Compressed data can grow without limit and decode to nothing.
      return overrun(receivedBytes, of: body.length, from: origin).map { fail($0) } ?? true
    case .stopped: return false
    case .corrupt:
      return fail(
        LoadError(.malformedResponse, "\(origin()) sent a body that cannot be decompressed"))
    }
  }

  /// Returns the error for a transfer of `received` bytes of any kind for a body of `length` bytes; nil if
  /// that is within the limits.
  func overrun(_ received: Int, of length: Int, from origin: () -> String) -> LoadError? {
    guard received > TransferLimits.mostReceived(for: length) else { return nil }
    return LoadError(
      .bodyTooLarge, "\(origin()) sent at least \(received) bytes for a body of \(length) bytes")
  }

  /// Returns the error for a response of `received` bytes, head included, that exceeds its `Content-Length`;
  /// otherwise nil. libcurl drops the excess. Returns nil over TLS, where the overhead is unknown.
  ///
  /// Four bytes may follow the last response of a connection: some servers end it with one or two line breaks.
  func excess(_ received: Int, from origin: () -> String) -> LoadError? {
    guard !isEncrypted, isHeadComplete, let length = head.length, received - headBytes > length,
      received - headBytes > length + 4 || !head.closes
    else { return nil }
    return LoadError(
      .malformedResponse, "\(origin()) sent more than the \(length) bytes of its Content-Length")
  }

  /// Returns the error for an incomplete response that libcurl reports as complete; otherwise nil.
  ///
  /// - Parameter hasHead: False for files.
  func defect(hasHead: Bool, from origin: () -> String) -> LoadError? {
    // libcurl treats a connection that closes within the head as the end of an empty body.
    if hasHead, !isHeadComplete {
      return LoadError(
        .connectionLost, "\(origin()) closed the connection before the end of its header", isRetryable: true)
    }
    if let decoder, !decoder.isComplete {
      return LoadError(.malformedResponse, "\(origin()) sent compressed data that ends too early")
    }
    return head.codingDefect(of: body.bytes).map { LoadError(.malformedResponse, "\(origin()) sent \($0)") }
  }

  /// True if only the end of the connection or stream marks the end of the body: no length, chunk or deflate
  /// stream does.
  var isCloseDelimited: Bool { head.isCloseDelimited && !(decoder?.isSelfDelimiting ?? false) }

  private mutating func reserve(_ length: Int, isCoded: Bool, from origin: () -> String) -> Bool {
    // Coded data may be longer than its decoded content.
    guard length <= (isCoded ? TransferLimits.mostReceived(for: limits.bodyBytes) : limits.bodyBytes) else {
      return fail(tooLarge(origin(), length: length))
    }
    body.reserve(min(length, Self.maxReservation))
    return true
  }

  private mutating func keep(_ bytes: Span<UInt8>, from origin: () -> String) -> Bool {
    guard bytes.count <= limits.bodyBytes - body.length else {
      return fail(tooLarge(origin()))
    }
    return body.receive(bytes) || fail(.noMemoryForBody)
  }

  private mutating func takePage(_ bytes: Span<UInt8>) -> Bool {
    let rest = max(0, Self.maxUselessBody - pageBytes)
    pageBytes += bytes.count
    leavesPage = leavesPage || pageBytes > Self.maxUselessBody
    if !head.isRedirect, head.contentCodings.isEmpty {
      body.append(bytes.extracting(..<min(bytes.count, rest)))
    }
    return !leavesPage
  }

  private func tooLarge(_ origin: String, length: Int? = nil) -> LoadError {
    let size = length.map { " (\($0) bytes)" } ?? ""
    return LoadError(
      .bodyTooLarge, "the response body of \(origin)\(size) exceeds the limit of \(limits.bodyBytes) bytes",
      detail: .bodyLimit)
  }
}
