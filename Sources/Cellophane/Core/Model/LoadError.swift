/// Why a load gave no value. A value: two failures with the same cause are equal.
///
/// Cancellation travels as ``Kind/cancelled`` because a typed `throws` has no third way out; it counts
/// neither as success nor as failure, and a slot never shows it.
public struct LoadError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What went wrong, as a word that scripts may rely on.
  public enum Kind: String, Sendable, CaseIterable {
    /// The caller gave up.
    case cancelled
    /// The URL, a header or an option cannot be used.
    case invalidRequest = "invalid-request"
    /// The configuration forbids it: scheme, private address, downgrade.
    case refused
    /// The name of the host has no address, which lasts, or nobody tells it now, which may pass.
    case dns
    /// No connection could be made.
    case connect
    /// The other side did not prove who it is.
    case tls
    /// A deadline passed.
    case timeout
    /// The connection broke before the answer was whole.
    case connectionLost = "connection-lost"
    /// The answer breaks the rules of HTTP.
    case malformedResponse = "malformed-response"
    /// The origin answered with a status that is not a success.
    case status
    /// Too many redirects, or one in a circle.
    case redirects
    /// The body is larger than the limit.
    case bodyTooLarge = "body-too-large"
    /// Only caches were allowed to answer, and none has it.
    case notCached = "not-cached"
    /// The data is in no format that can be decoded.
    case unsupported
    /// The data breaks the rules of its format.
    case corrupt
    /// The data ends too early.
    case truncated
    /// The picture has more pixels, scans or bytes than the limits allow.
    case imageTooLarge = "image-too-large"
    /// A local file could not be read or written.
    case io
    /// The transport was closed, and answers no more.
    case closed
  }

  /// What origins had to do with an error.
  package struct OriginsPart: Sendable {
    /// How many attempts of the load failed at the request's own origin in a way that may pass.
    package internal(set) var ownRefusals = 0
    /// The origin at which the load ended, when redirects had led it to another.
    package let elsewhere: Origin?
    /// True when that was not asked, for what it had come to for others.
    package let isHeldBack: Bool
    /// For how long still the origin is left alone at which the load ended; nil when it is not.
    package let heldFor: Duration?
    /// True when that asked for it, in its answer to the load.
    package let asksForPause: Bool
  }

  private struct Content: Sendable {
    let kind: Kind
    let isRetryable: Bool
    let message: String
    let status: Int?
    let retryAfter: Duration?
    var attempts = 1
    var part: OriginsPart?
    var exchange: Exchange?
  }

  // As large as a pointer: every step of a load has places for errors in its frame, and mostly there are none.
  private final class Storage: Sendable {
    let content: Content
    init(_ content: Content) { self.content = content }
  }

  private var storage: Storage

  /// What went wrong.
  public var kind: Kind { storage.content.kind }
  /// True when the same request may succeed later without any change.
  public var isRetryable: Bool { storage.content.isRetryable }
  /// One sentence: what happened, and what to do when something can be done.
  public var message: String { storage.content.message }
  /// The origin's status code, for ``Kind/status``.
  public var status: Int? { storage.content.status }
  /// How long the origin says that asking again gives nothing else: its answer stays fresh, or it wants a pause
  /// (`Retry-After`); or how long it is still left alone because of what it came to for others. Until then the loader gives
  /// the same answer without asking; a reload asks.
  public var retryAfter: Duration? { storage.content.retryAfter }
  /// How many attempts the load made before it gave up, each of which failed; 0 when the origin was to be left alone
  /// from the start, or its answer was known to last.
  public internal(set) var attempts: Int {
    get { storage.content.attempts }
    set { update { $0.attempts = newValue } }
  }
  /// What origins had to do with it; nil until a load ends. Not a part of the cause.
  package internal(set) var part: OriginsPart? {
    get { storage.content.part }
    set { update { $0.part = newValue } }
  }
  /// What is known of the exchange that gave it; nil when it was not one, or a transport did not tell. Not a part of the
  /// cause, and of what makes errors equal.
  public internal(set) var exchange: Exchange? {
    get { storage.content.exchange }
    set { update { $0.exchange = newValue } }
  }

  /// An error of `kind`.
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

  /// Equal when the cause is.
  public static func == (a: LoadError, b: LoadError) -> Bool {
    a.kind == b.kind && a.isRetryable == b.isRetryable && a.message == b.message && a.status == b.status
      && a.retryAfter == b.retryAfter && a.attempts == b.attempts
  }

  /// True when the data is of a format that can be decoded, and not as its origin meant it.
  var isDamage: Bool { kind == .corrupt || kind == .truncated }

  /// The same, given by `exchange`.
  func of(_ exchange: Exchange?) -> LoadError {
    var error = self
    error.exchange = exchange
    return error
  }

  /// The caller gave up.
  public static let cancelled = LoadError(.cancelled, "the caller gave up", isRetryable: true)

  /// The transport was closed.
  static let closed = LoadError(.closed, "the transport was closed; make a new one to load again")

  /// `kind: message`, the form in which the tool prints it.
  public var description: String { "\(kind.rawValue): \(message)" }
}
