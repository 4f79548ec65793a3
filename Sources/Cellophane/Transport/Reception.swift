/// What has arrived of one hop of an exchange, checked against the limits as it arrives. Pure.
struct Reception {
  /// What to do with a piece of the body.
  enum Verdict { case keep, drop, refuse }

  /// The status line and fields so far.
  private(set) var head = ResponseHead()
  /// The body so far, after content decoding.
  var body: [UInt8] = []
  /// Why the transfer was ended from here, when it was.
  private(set) var failure: LoadError?
  /// True once a redirect's body was cut; the redirect itself is good.
  private(set) var isCut = false
  /// When the request went out and when the first byte of the answer came.
  var sentAt: Duration?
  var firstByteAt: Duration?
  private let limits: TransferLimits
  private let meter: TransferMeter
  private var dropped = 0

  /// The most that is read of a redirect's body, so that its connection can be kept: more than any server's
  /// own page for it, less than a new connection costs.
  static let largestRedirectBody = 64 << 10
  /// What is set aside at once on the word of a `Content-Length`: most pictures, and no harm if it lies.
  static let largestReservation = 1 << 20

  init(limits: TransferLimits, meter: TransferMeter) {
    self.limits = limits
    self.meter = meter
  }

  /// Takes a line of the head; false ends the transfer.
  mutating func takeHead(_ line: [UInt8], from origin: () -> String) -> Bool {
    guard head.take(line) else {
      failure = LoadError(
        .malformedResponse, "the header of \(origin()) is larger than \(ResponseHead.largest) bytes")
      return false
    }
    guard head.isWhole, !head.isRedirect, body.isEmpty, let length = head.length else { return true }
    guard length <= limits.bodyBytes else {
      failure = tooLarge("announces a body of \(length) bytes", origin())
      return false
    }
    body.reserveCapacity(min(length, Self.largestReservation))
    return true
  }

  /// Judges the next `count` bytes of the body.
  mutating func judge(_ count: Int, from origin: () -> String) -> Verdict {
    if head.isRedirect {
      dropped += count
      isCut = dropped > Self.largestRedirectBody
      return isCut ? .refuse : .drop
    }
    meter.add(count)
    guard count <= limits.bodyBytes - body.count else {
      failure = tooLarge("sends a body that grows beyond", origin())
      return .refuse
    }
    return .keep
  }

  private func tooLarge(_ what: String, _ origin: String) -> LoadError {
    LoadError(
      .bodyTooLarge, "\(origin) \(what); the limit is \(limits.bodyBytes) bytes")
  }
}
