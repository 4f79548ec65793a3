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
    /// A time limit or the deadline of the load passed.
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
    /// A local file could not be read or written, or code outside of the loader failed: see ``LoadError/init(_:)``.
    case io
    /// The transport was closed.
    case closed
    /// Too many loads wait already: ``ByteLoader/Configuration/maxWaiting``, ``DecodingLimits/maxWaiting``.
    case busy
    /// The owner forbids the use of the resource, by a header field of its response or by a file of its origin.
    case optedOut = "opted-out"
  }

  /// Errors of one kind that have a separate remedy.
  package enum Detail: Sendable {
    /// A ``Kind/bodyTooLarge``: the body exceeds ``TransferLimits/bodyBytes``.
    case bodyLimit
    /// A ``Kind/timeout``: the load took longer than ``TransferLimits/total``.
    case totalTime
    /// A ``Kind/refused``: the image has another size than the caller wants.
    case filtered
    /// A ``Kind/corrupt``: the body does not have the expected hash.
    case unexpectedHash
    /// A ``Kind/refused``: the address is not on the public internet.
    case privateAddress
    /// A ``Kind/connect``: the origin itself, not a proxy, refused the connection or is unreachable.
    case unreachable
    /// A ``Kind/connect`` or ``Kind/dns``: the proxy refused the connection, is unreachable or has no address.
    case proxy
    /// A ``Kind/tls``: the handshake failed for another reason than a certificate.
    case handshake
    /// A ``Kind/tls``: the file of trusted certificates is not usable.
    case trustFile
    /// A ``Kind/tls``: the certificate is self-signed or from an unknown authority.
    case untrusted
    /// A ``Kind/malformedResponse``: the content coding of the body is not supported.
    case contentCoding
    /// An ``Kind/imageTooLarge``: the image exceeds the maximum number of pixels.
    case pixelLimit
    /// An ``Kind/unsupported``: the data has the signature of no known format.
    case unknownFormat
    /// An ``Kind/invalidRequest``: the URL has no scheme.
    case relativeURL
    /// An ``Kind/invalidRequest``: the scheme of the URL is neither http, https nor file.
    case otherScheme
  }

  // The size of a pointer: each step of a load reserves space for an error, and errors are rare.
  private final class Storage: Sendable {
    let kind: Kind
    let isRetryable: Bool
    let message: String
    let status: Int?
    let retryAfter: Duration?
    let detail: Detail?

    init(
      _ kind: Kind, _ message: String, isRetryable: Bool, status: Int?, retryAfter: Duration?,
      detail: Detail?
    ) {
      (self.kind, self.message, self.isRetryable) = (kind, message, isRetryable)
      (self.status, self.retryAfter, self.detail) = (status, retryAfter, detail)
    }
  }

  private let storage: Storage

  /// The category of the error.
  public var kind: Kind { storage.kind }
  /// True if the same request may succeed later.
  public var isRetryable: Bool { storage.isRetryable }
  /// One sentence: the failure and, if there is a remedy, the remedy.
  public var message: String { storage.message }
  /// The status code of the origin, for ``Kind/status``.
  public var status: Int? { storage.status }
  /// The time until a new request makes sense: the failed response is still fresh, the origin requested a
  /// pause (`Retry-After`), or its circuit is open.
  ///
  /// Until then the loader repeats this error without sending a request. A reload sends one nevertheless, unless
  /// the circuit is open.
  public var retryAfter: Duration? { storage.retryAfter }
  /// The remedy group of the error within its kind; nil for the other errors of the kind.
  package var detail: Detail? { storage.detail }

  /// Creates an error of `kind`.
  public init(
    _ kind: Kind, _ message: String, isRetryable: Bool = false, status: Int? = nil,
    retryAfter: Duration? = nil
  ) {
    storage = Storage(
      kind, message, isRetryable: isRetryable, status: status, retryAfter: retryAfter, detail: nil)
  }

  /// Creates an error with a detail of `kind`.
  package init(
    _ kind: Kind, _ message: String, isRetryable: Bool = false, status: Int? = nil,
    retryAfter: Duration? = nil, detail: Detail?
  ) {
    storage = Storage(
      kind, message, isRetryable: isRetryable, status: status, retryAfter: retryAfter, detail: detail)
  }

  /// Returns the error with `text` at the end of its message.
  package func appending(_ text: String) -> LoadError {
    LoadError(
      storage: Storage(
        kind, message + text, isRetryable: isRetryable, status: status, retryAfter: retryAfter, detail: detail
      ))
  }

  private init(storage: Storage) { self.storage = storage }

  /// Returns whether the causes are equal. The message determines the detail.
  public static func == (a: LoadError, b: LoadError) -> Bool {
    a.kind == b.kind && a.isRetryable == b.isRetryable && a.message == b.message && a.status == b.status
      && a.retryAfter == b.retryAfter
  }

  /// True if the data has a supported format but is damaged.
  package var isDamage: Bool { kind == .corrupt || kind == .truncated }

  /// The caller cancelled the load.
  public static let cancelled = LoadError(.cancelled, "the load was cancelled", isRetryable: true)

  /// The transport was closed.
  package static let closed = LoadError(.closed, "the transport was closed; create a new one to load again")

  /// The error as `kind: message`, the form that the tool prints.
  public var description: String { "\(kind.rawValue): \(message)" }
}
