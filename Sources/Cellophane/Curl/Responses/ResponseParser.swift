/// What has arrived of one hop of an exchange, checked against the limits as it arrives.
struct ResponseParser {
  /// The status line and fields so far.
  private(set) var head = ResponseHead.ofFile
  /// The body so far, after content decoding.
  let body: StreamingBody
  /// Why the transfer was ended from here, when it was.
  private(set) var failure: LoadError?
  /// When the request went out and when the first byte of the answer came.
  var sentAt: Duration?
  private(set) var firstByteAt: Duration?
  private let limits: TransferLimits
  private let isEncrypted: Bool
  private var decoder: ContentDecoder?
  /// The lines of the head so far.
  private var lines: [UInt8] = []
  private(set) var isHeadWhole = false
  /// True when a head has come, if only one that is none of an answer to take.
  private(set) var hasHead = false
  private var headBytes = 0
  private var headLines = 0
  private var dropped = 0
  private var received = 0

  /// The longest body that a redirect may have; it is read, so that the connection can be kept, and
  /// dropped. 1 MB: a hundred times any server's own page for it.
  static let largestRedirectBody = 1 << 20
  /// The longest body that is read to its end although it is of no use. 64 KB: what is on its way by then.
  static let largestUseless = 64 << 10
  /// What is set aside for a head. 1 KB: more than most are.
  private static let usualHead = 1 << 10
  /// What is set aside at once on the word of a `Content-Length`: most pictures, and no harm if it lies.
  static let largestReservation = 1 << 20

  /// What arrives of a hop, over TLS or not.
  init(limits: TransferLimits, body: StreamingBody, isEncrypted: Bool = false) {
    self.limits = limits
    self.body = body
    self.isEncrypted = isEncrypted
  }

  /// What is known behind a line of a head or of trailers.
  enum HeadLine {
    /// Nothing new.
    case within
    /// That the answer asks for another URL.
    case redirect
    /// That the head is the answer's; a body may follow.
    case answer
    /// That the transfer must end.
    case refused
  }

  /// Takes the next line of a head or of trailers, `now`, of which fields may be `known`.
  mutating func takeLine(
    _ line: Span<UInt8>, known: KnownFields, at now: @autoclosure () -> Duration,
    from origin: () -> String
  ) -> HeadLine {
    if firstByteAt == nil { firstByteAt = now() }
    headBytes += line.count
    headLines += 1
    guard headBytes <= ResponseHead.largest, headLines <= ResponseHead.mostLines else {
      _ = refuse(
        LoadError(
          .malformedResponse,
          """
          \(origin()) sends a header of more than \(ResponseHead.largest) bytes or \(ResponseHead.mostLines) lines
          """))
      return .refused
    }
    if lines.isEmpty { lines.reserveCapacity(Self.usualHead) }
    unsafe line.withUnsafeBufferPointer { unsafe lines.append(contentsOf: $0) }
    // The empty line ends a head; libcurl hands over one line at a time.
    guard !line.isEmpty, line[0] == UInt8(ascii: "\r") || line[0] == UInt8(ascii: "\n") else {
      return .within
    }
    defer { lines.removeAll(keepingCapacity: true) }
    let isFinal = !isHeadWhole
    guard takeHead(lines, known: known, from: origin) else { return .refused }
    // Neither what is said in the meantime (103, say) nor what points elsewhere is the answer.
    if head.isRedirect { return .redirect }
    return isFinal && head.status >= 200 ? .answer : .within
  }

  /// Takes a whole head; false ends the transfer. A later head replaces an interim one (103, say); trailers
  /// change nothing.
  private mutating func takeHead(
    _ lines: [UInt8], known: KnownFields, from origin: () -> String
  ) -> Bool {
    guard !isHeadWhole, let head = ResponseHead(lines, known: known) else { return true }
    self.head = head
    hasHead = head.status >= 200
    if let defect = head.defect {
      return refuse(LoadError(.malformedResponse, "\(origin()) sends \(defect)"))
    }
    // Only TLS agrees on HTTP/2. libcurl believes the status line, and frames would tell where the body ends.
    guard isEncrypted || head.isTurnByTurn else {
      return refuse(
        LoadError(.malformedResponse, "\(origin()) says that it speaks HTTP/2, which nobody agreed on"))
    }
    isHeadWhole = head.status >= 200
    guard isHeadWhole, !head.isRedirect, head.hasBody else { return true }
    let codings = head.contentCodings
    if let length = head.length, !expect(length, isCoded: !codings.isEmpty, from: origin) { return false }
    if codings.isEmpty { return true }
    guard codings.count == 1, let coding = ContentDecoder.Coding(named: codings[0]) else {
      // 60: more than any coding's name, and no page of them.
      return refuse(
        LoadError(
          .malformedResponse,
          """
          \(origin()) sends a body in the content coding '\(codings.joined(separator: ", ").prefix(60))'; only gzip \
          and deflate are taken, and one of them once
          """))
    }
    decoder = ContentDecoder(coding)
    return decoder == nil ? refuse(.noTransport) : true
  }

  /// Says that the head is the final one, whose body follows; false ends the transfer.
  mutating func begin(_ head: TransportResponse, from origin: () -> String) -> Bool {
    body.begin(head)
    // Another part is of no use, and only a short one is read for the sake of its connection.
    if head.status == 206, body.resumption != nil, body.version == nil,
      self.head.length.map({ $0 > Self.largestUseless }) ?? true
    {
      return refuse(
        LoadError(
          .malformedResponse, "\(origin()) answered about a part which is not the one that was asked for"))
    }
    guard body.goesOnCoded else { return true }
    // The rest of what is compressed means nothing without its beginning.
    decoder = body.takeDecoder()
    return decoder != nil
      || refuse(
        LoadError(.malformedResponse, "\(origin()) goes on behind a beginning that cannot be decompressed"))
  }

  /// Ends the transfer for a reason of our own; always false.
  mutating func refuse(_ failure: LoadError) -> Bool {
    self.failure = failure
    return false
  }

  /// Takes the next bytes of the body; false ends the transfer.
  mutating func takeBody(_ bytes: Span<UInt8>, from origin: () -> String) -> Bool {
    if head.isRedirect { return drop(bytes.count, from: origin) }
    received += bytes.count
    guard let decoder else { return keep(bytes, from: origin) }
    switch decoder.feed(bytes, to: { keep($0, from: origin) }) {
    case .taken:
      body.settle(bytes)
      // Compressed data can grow without end and hold nothing.
      return overrun(received, of: body.length, from: origin).map { refuse($0) } ?? true
    case .stopped: return false
    case .corrupt:
      return refuse(
        LoadError(.malformedResponse, "\(origin()) sends a body that cannot be decompressed"))
    }
  }

  /// Why the transfer must end after `received` bytes, whatever they are, for a body of `length` bytes; nil when it
  /// need not.
  func overrun(_ received: Int, of length: Int, from origin: () -> String) -> LoadError? {
    guard received > TransferLimits.mostReceived(for: length) else { return nil }
    return LoadError(
      .bodyTooLarge, "\(origin()) sends \(received) bytes and more, too many for a body of \(length)")
  }

  /// Why the answer is none when `received` bytes have come of it, head and all: more than its `Content-Length`, which
  /// libcurl drops; nil when it may be one. Over TLS nobody can tell what is wrapping.
  func excess(_ received: Int, from origin: () -> String) -> LoadError? {
    guard !isEncrypted, isHeadWhole, !head.isRedirect, let length = head.length,
      received - headBytes > length
    else { return nil }
    return LoadError(
      .malformedResponse, "\(origin()) sends more than the \(length) bytes that its Content-Length tells")
  }

  /// Why the answer is not whole, although libcurl takes it for one; nil when it is.
  ///
  /// - Parameter hasHead: False for files.
  func defect(hasHead: Bool, from origin: () -> String) -> LoadError? {
    // libcurl takes a connection that closes within the head for the end of an empty body.
    if hasHead, !isHeadWhole {
      return LoadError(
        .connectionLost, "\(origin()) closed the connection within its header", isRetryable: true)
    }
    guard let decoder, !decoder.isComplete else { return nil }
    return LoadError(
      .malformedResponse, "\(origin()) sends a body that ends in the middle of its compressed data")
  }

  /// True when nothing tells the end of the body but that of its connection or stream: a length, chunks or deflated data
  /// would.
  var isCloseDelimited: Bool { head.isCloseDelimited && !(decoder?.tellsItsEnd ?? false) }

  private mutating func expect(_ length: Int, isCoded: Bool, from origin: () -> String) -> Bool {
    // What is coded may be shorter once decoded.
    guard length <= (isCoded ? TransferLimits.mostReceived(for: limits.bodyBytes) : limits.bodyBytes) else {
      return refuse(tooLarge("announces a body of \(length) bytes", origin()))
    }
    body.reserve(min(length, Self.largestReservation))
    return true
  }

  private mutating func keep(_ bytes: Span<UInt8>, from origin: () -> String) -> Bool {
    guard bytes.count <= limits.bodyBytes - body.length else {
      return refuse(tooLarge("sends a body that grows and grows", origin()))
    }
    body.append(bytes)
    return true
  }

  private mutating func drop(_ count: Int, from origin: () -> String) -> Bool {
    dropped += count
    guard dropped > Self.largestRedirectBody else { return true }
    return refuse(
      LoadError(
        .bodyTooLarge, "\(origin()) redirects with a page of more than \(Self.largestRedirectBody) bytes"))
  }

  private func tooLarge(_ what: String, _ origin: String) -> LoadError {
    LoadError(.bodyTooLarge, "\(origin) \(what); the limit is \(limits.bodyBytes) bytes")
  }
}
