/// The reason that a load returned no value. Two errors with the same cause are equal.
///
/// Cancellation is reported as ``Kind/cancelled`` because a typed `throws` has a single error type. It counts
/// neither as success nor as failure, and a slot never shows it.
public struct LoadError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The category of the error. Scripts may rely on the raw values.
  public enum Kind: String, Sendable, CaseIterable {
    /// The caller cancelled the load.
    case cancelled
    /// The URL, a header or an option is invalid.
    case invalidRequest = "invalid-request"
    /// The configuration forbids the request: its scheme, a private address, or a redirect from https to
    /// http.
    case refused
    /// The host name has no address (permanent), or no name server answered (transient).
    case dns
    /// No connection could be made.
    case connect
    /// The TLS handshake failed, for example because of an untrusted certificate.
    case tls
    /// A deadline passed.
    case timeout
    /// The connection broke before the response was complete.
    case connectionLost = "connection-lost"
    /// The response violates HTTP.
    case malformedResponse = "malformed-response"
    /// The origin answered with a status that is not a success.
    case status
    /// Too many redirects, or a redirect loop.
    case redirects
    /// The body is larger than the limit.
    case bodyTooLarge = "body-too-large"
    /// Only caches were allowed to answer, and no cache has a suitable response.
    case notCached = "not-cached"
    /// The data has no supported format.
    case unsupported
    /// The data violates its format.
    case corrupt
    /// The data ends too early.
    case truncated
    /// The image has more pixels, scans or bytes than the limits allow.
    case imageTooLarge = "image-too-large"
    /// A local file could not be read or written.
    case io
    /// The transport was closed.
    case closed
  }

  /// The state of the origins involved in a failed load.
  package struct OriginFailure: Sendable {
    /// The number of attempts that failed at the request's own origin with a transient error.
    package var ownRefusals = 0
    /// The origin at which the load ended, if redirects led to another one.
    package let otherOrigin: Origin?
    /// True if the request was not sent because the circuit of that origin was open.
    package let isCircuitOpen: Bool
    /// The time for which the circuit of that origin stays open; nil if it is closed.
    package let circuitOpenFor: Duration?
    /// True if that origin requested the pause in its response to this load.
    package let asksForPause: Bool

    package init(ownRefusals: Int = 0, otherOrigin: Origin?, isCircuitOpen: Bool, circuitOpenFor: Duration?, asksForPause: Bool) {
      self.ownRefusals = ownRefusals
      self.otherOrigin = otherOrigin
      self.isCircuitOpen = isCircuitOpen
      self.circuitOpenFor = circuitOpenFor
      self.asksForPause = asksForPause
    }
  }

  private struct Content: Sendable {
    let kind: Kind
    let isRetryable: Bool
    let message: String
    let status: Int?
    let retryAfter: Duration?
    var attempts = 1
    var originFailure: OriginFailure?
    var exchange: Exchange?
  }

  // The size of a pointer: each step of a load reserves space for an error, and errors are rare.
  private final class Storage: Sendable {
    let content: Content
    init(_ content: Content) { self.content = content }
  }

  private var storage: Storage

  /// The category of the error.
  public var kind: Kind { storage.content.kind }
  /// True if the same request may succeed later.
  public var isRetryable: Bool { storage.content.isRetryable }
  /// One sentence: the failure and, if there is a remedy, the remedy.
  public var message: String { storage.content.message }
  /// The status code of the origin, for ``Kind/status``.
  public var status: Int? { storage.content.status }
  /// The time until a new request makes sense: the failed response is still fresh, the origin requested a
  /// pause (`Retry-After`), or its circuit is open.
  ///
  /// Until then the loader repeats this error without sending a request, unless the request's policy is a
  /// reload.
  public var retryAfter: Duration? { storage.content.retryAfter }
  /// The number of failed attempts of the load; 0 if the circuit of the origin was open from the start, or if
  /// a stored failure was returned.
  public package(set) var attempts: Int {
    get { storage.content.attempts }
    set { update { $0.attempts = newValue } }
  }
  /// The state of the origins involved; nil until a load ends. Not part of equality.
  package var originFailure: OriginFailure? {
    get { storage.content.originFailure }
    set { update { $0.originFailure = newValue } }
  }
  /// Details of the exchange that failed; nil if no exchange failed or the transport reports none. Not part
  /// of equality.
  public package(set) var exchange: Exchange? {
    get { storage.content.exchange }
    set { update { $0.exchange = newValue } }
  }

  /// Creates an error of `kind`.
  public init(
    _ kind: Kind, _ message: String, isRetryable: Bool = false, status: Int? = nil,
    retryAfter: Duration? = nil
  ) {
    storage = Storage(
      Content(
        kind: kind, isRetryable: isRetryable, message: message, status: status, retryAfter: retryAfter))
  }

  private mutating func update(_ body: (inout Content) -> Void) {
    var content = storage.content
    body(&content)
    storage = Storage(content)
  }

  /// Returns whether the causes are equal.
  public static func == (a: LoadError, b: LoadError) -> Bool {
    a.kind == b.kind && a.isRetryable == b.isRetryable && a.message == b.message && a.status == b.status
      && a.retryAfter == b.retryAfter && a.attempts == b.attempts
  }

  /// True if the data has a supported format but is damaged.
  package var isDamage: Bool { kind == .corrupt || kind == .truncated }

  /// Returns this error with details of its exchange.
  package func of(_ exchange: Exchange?) -> LoadError {
    var error = self
    error.exchange = exchange
    return error
  }

  /// The caller cancelled the load.
  public static let cancelled = LoadError(.cancelled, "the load was cancelled", isRetryable: true)

  /// The transport was closed.
  package static let closed = LoadError(.closed, "the transport was closed; create a new one to load again")

  /// The error as `kind: message`, the form that the tool prints.
  public var description: String { "\(kind.rawValue): \(message)" }
}
