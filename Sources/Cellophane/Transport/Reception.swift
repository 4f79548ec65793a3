/// What has arrived of one hop of an exchange, checked against the limits as it arrives.
struct Reception {
  /// What to do with a piece of the body.
  enum Verdict { case keep, drop, refuse }

  /// The status line and fields so far.
  private(set) var head = ResponseHead.ofFile
  /// The body so far, after content decoding.
  let body: ArrivingBody
  /// Why the transfer was ended from here, when it was.
  private(set) var failure: LoadError?
  /// When the request went out and when the first byte of the answer came.
  var sentAt: Duration?
  var firstByteAt: Duration?
  private let limits: TransferLimits
  private var dropped = 0

  /// The longest body that a redirect may have; it is read, so that the connection can be kept, and
  /// dropped. 1 MB: a hundred times any server's own page for it.
  static let largestRedirectBody = 1 << 20
  /// What is set aside at once on the word of a `Content-Length`: most pictures, and no harm if it lies.
  static let largestReservation = 1 << 20

  init(limits: TransferLimits, body: ArrivingBody) {
    self.limits = limits
    self.body = body
  }

  /// Takes a whole head; false ends the transfer. A later head replaces an interim one (103, say) or what
  /// a proxy said to CONNECT; trailers have no status line and change nothing.
  mutating func takeHead(_ lines: [UInt8], from origin: () -> String) -> Bool {
    guard let head = ResponseHead(lines) else { return true }
    self.head = head
    guard !head.isRedirect, let length = head.length else { return true }
    guard length <= limits.bodyBytes else {
      return refuse(tooLarge("announces a body of \(length) bytes", origin()))
    }
    body.reserve(min(length, Self.largestReservation))
    return true
  }

  /// Ends the transfer for a reason of our own; always false.
  mutating func refuse(_ failure: LoadError) -> Bool {
    self.failure = failure
    return false
  }

  /// Judges the next `count` bytes of the body.
  mutating func judge(_ count: Int, from origin: () -> String) -> Verdict {
    if head.isRedirect {
      dropped += count
      guard dropped > Self.largestRedirectBody else { return .drop }
      failure = LoadError(
        .bodyTooLarge, "\(origin()) redirects with a page of more than \(Self.largestRedirectBody) bytes")
      return .refuse
    }
    guard count <= limits.bodyBytes - body.count else {
      failure = tooLarge("sends a body that grows and grows", origin())
      return .refuse
    }
    return .keep
  }

  private func tooLarge(_ what: String, _ origin: String) -> LoadError {
    LoadError(.bodyTooLarge, "\(origin) \(what); the limit is \(limits.bodyBytes) bytes")
  }
}
