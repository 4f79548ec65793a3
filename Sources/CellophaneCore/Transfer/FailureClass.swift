/// The classification of a failed exchange: the scope of the failure and whether a retry makes sense.
package struct FailureClass: Equatable, Sendable {
  /// The scope of a failure.
  package enum Scope {
    /// The origin works.
    case none
    /// Unknown: the exchange was cancelled, or the fault is on this side.
    case unknown
    /// One resource, as far as is known.
    case resource
    /// The complete origin.
    case origin
  }

  /// The scope of the failure.
  package let scope: Scope
  /// True if the same request may succeed later.
  package let isTransient: Bool
  /// The pause that the origin requested (`Retry-After`).
  package let retryAfter: Duration?
  /// True if this one failure opens the origin's circuit. Otherwise several failures are needed.
  ///
  /// A 503 concerns the server. Gateways, however, also send it if the backend of a single path fails, and
  /// then without `Retry-After`. Such a 503 does not open the circuit alone.
  package let opensCircuit: Bool
  /// True if the origin states the duration of the pause.
  package var asksForPause: Bool { opensCircuit && retryAfter != nil }
}

extension FailureClass {
  /// Classifies `error`.
  ///
  /// - Parameters:
  ///   - head: The head of the response, if there was one.
  ///   - isResumable: True if the received part can be resumed.
  ///   - now: Seconds since 1970.
  package init(_ error: LoadError, head: TransportResponse?, isResumable: Bool = false, now: Int64) {
    retryAfter = head.flatMap { RetryAfter.delay($0.headers, now: now) }
    switch (error.kind, error.status) {
    case (.connect, _), (.dns, _): (scope, isTransient) = (.origin, error.isRetryable)
    // Before the response head a retry repeats no work. After the head a retry of the same bytes would break
    // as well, unless it resumes at the break.
    case (.connectionLost, _): (scope, isTransient) = head == nil ? (.resource, true) : (.none, isResumable)
    // The deadline covers all of the caller's time, so no time is left for a retry.
    case (.timeout, _): (scope, isTransient) = (head == nil ? .resource : .none, false)
    // Both concern the server and not the resource (RFC 6585, section 4; RFC 9110, section 15.6.4).
    case (.status, 429), (.status, 503): (scope, isTransient) = (.origin, true)
    case (.status, let status?) where Self.isTemporary(status): (scope, isTransient) = (.resource, true)
    case (.cancelled, _), (.closed, _), (.io, _): (scope, isTransient) = (.unknown, false)
    default: (scope, isTransient) = (.none, false)
    }
    opensCircuit = scope == .origin && (error.status != 503 || retryAfter != nil)
  }

  /// Returns whether a status asks to try again later (RFC 9110, sections 15.5.9 and 15.6; RFC 6585, section
  /// 4).
  package static func isTemporary(_ status: Int) -> Bool { status == 408 || status == 429 || status >= 500 }
}
