/// What a failed exchange says of its origin, and whether asking again makes sense.
struct FailureClass: Equatable, Sendable {
  /// Whose trouble it is.
  enum Reach {
    /// The origin works.
    case none
    /// Nobody's that is known: the exchange was given up, or the fault is on this side.
    case unknown
    /// One resource's, as far as is known.
    case resource
    /// The whole origin's.
    case origin
  }

  /// Whose trouble it is.
  let reach: Reach
  /// True when the same request may succeed later.
  let mayPass: Bool
  /// How long the origin asks not to be asked.
  let retryAfter: Duration?
  /// True when one is enough to leave the origin alone; of others there must be several. A 503 speaks of the server, but
  /// gateways say it of what stands behind one path, and then they name no time.
  let isCertain: Bool
  /// True when the origin says itself for how long it is to be left alone.
  var asksForPause: Bool { isCertain && retryAfter != nil }

  /// What `error` says.
  ///
  /// - Parameters:
  ///   - head: The head of the answer, when there was one.
  ///   - isResumable: What arrived can be continued.
  ///   - now: Seconds since 1970.
  init(_ error: LoadError, head: TransportResponse?, isResumable: Bool = false, now: Int64) {
    retryAfter = head.flatMap { RetryAfter.delay($0.headers, now: now) }
    switch (error.kind, error.status) {
    case (.connect, _), (.dns, _): (reach, mayPass) = (.origin, error.isRetryable)
    // Before an answer nothing has happened that could happen twice. Behind its head, another transfer of the
    // same bytes would break as well, unless it goes on where this one ended.
    case (.connectionLost, _): (reach, mayPass) = head == nil ? (.resource, true) : (.none, isResumable)
    // The deadline was the time that the caller had.
    case (.timeout, _): (reach, mayPass) = (head == nil ? .resource : .none, false)
    // Both speak of the server, not of the resource (RFC 6585, section 4; RFC 9110, section 15.6.4).
    case (.status, 429), (.status, 503): (reach, mayPass) = (.origin, true)
    case (.status, let status?) where Self.isTemporary(status): (reach, mayPass) = (.resource, true)
    case (.cancelled, _), (.closed, _), (.io, _): (reach, mayPass) = (.unknown, false)
    default: (reach, mayPass) = (.none, false)
    }
    isCertain = reach == .origin && (error.status != 503 || retryAfter != nil)
  }

  /// True for the statuses that ask to try again later (RFC 9110, sections 15.5.9 and 15.6; RFC 6585, section 4).
  static func isTemporary(_ status: Int) -> Bool { status == 408 || status == 429 || status >= 500 }
}
