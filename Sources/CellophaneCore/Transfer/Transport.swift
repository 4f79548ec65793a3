/// The network access of the loader: one exchange with an origin per call.
public protocol Transport: Sendable {
  /// Sends `request`, follows redirects within its limits and returns the final response with any status.
  ///
  /// The method fills the body from ``StreamingBody/claim()`` as the response arrives: first the head of the
  /// final response, then its bytes. A 304 has none. Cancelling the task aborts the connection immediately
  /// and throws ``LoadError/cancelled``.
  ///
  /// - Throws: ``LoadError`` if no complete response within the limits arrived.
  func exchange(_ request: TransportRequest) async throws(LoadError) -> TransportResponse

  /// The fields that the transport adds to a request that lacks them, if an origin may select a response by
  /// them (`Vary`). `Accept-Encoding` is not among them, because the decoded response does not depend on it.
  var defaultHeaders: HeaderFields { get }

  /// The cache partition of the transport, if it reaches other origins or trusts other certificates than a
  /// default transport. Responses are shared only within a partition. Nil for the default partition.
  var partition: String? { get }
}

extension Transport {
  /// No fields.
  public var defaultHeaders: HeaderFields { [:] }

  /// The default partition.
  public var partition: String? { nil }
}

/// A transport that resumes compressed bodies. It continues with the decoder of the beginning and reports the
/// coded bytes (``StreamingBody/takeDecoder()``, ``StreamingBody/settle(_:)``). Any other transport loads the
/// complete body again.
package protocol CodingContinuer: Transport {}

/// A request to a ``Transport``.
public struct TransportRequest: Sendable {
  /// The absolute URL, without a fragment.
  public var url: String
  /// The header fields to send, including credentials.
  public var headers: HeaderFields
  /// The limits of the exchange.
  public var limits: TransferLimits
  /// Receives the response as it arrives, with its body after content decoding, even if the exchange is
  /// aborted later.
  ///
  /// A transport may ignore it. Then there are no previews, wasted bytes are not counted, and interrupted
  /// transfers cannot be resumed. The head must be unmodified, so that entity tag and content coding match.
  /// Only ``CurlTransport`` resumes compressed bodies.
  public var body: StreamingBody
  /// The priority when the request is sent, for a transport whose exchanges share a connection.
  public var priority: Priority
  /// Called with the origin of the target before a redirect is followed. An error that it throws ends the
  /// exchange.
  public var onRedirect: @Sendable (Origin) throws(LoadError) -> Void
  /// Whether redirects are followed. Otherwise a redirect is returned as the response with its
  /// ``TransportResponse/target``, because the caller may have the target in a cache.
  public var followsRedirects = true
  /// The number of redirects that led to this request; they count toward the limit.
  package var redirects = 0

  /// Creates a request for `url`.
  public init(
    url: String, headers: HeaderFields = [:], limits: TransferLimits = TransferLimits(),
    body: StreamingBody = StreamingBody(), priority: Priority = .normal,
    onRedirect: @escaping @Sendable (Origin) throws(LoadError) -> Void = { _ in }
  ) {
    self.url = url
    self.headers = headers
    self.limits = limits
    self.body = body
    self.priority = priority
    self.onRedirect = onRedirect
  }
}

/// A response from a ``Transport``.
public struct TransportResponse: Sendable {
  /// The final status code.
  public var status: Int
  /// The final header fields.
  public var headers: HeaderFields
  /// The body after content decoding. ``CurlTransport`` reads at most 64 KiB and one second of the page of an
  /// error, and does not decode or verify it: the status is the result.
  public var body: [UInt8]
  /// The URL of the response, after redirects.
  public var url: String
  /// The followed redirects, first to last.
  public var redirects: [Redirect]
  /// The absolute target of a redirect that may be followed but was not; otherwise nil.
  public var target: String?
  /// The time from sending the request to the first byte of the response.
  public var timeToFirstByte: Duration
  /// The time spent on each step of the exchange, as far as the transport reports it.
  public var timings = TransferTimings()
  /// True if other exchanges share the connection (HTTP/2). Cancelling this exchange then closes no
  /// connection.
  public var sharesConnection = false
  /// True for a close-delimited body: only the end of the connection, or of an HTTP/2 stream without a
  /// length, marks its end. Such a body cannot be distinguished from a truncated one (RFC 9112, sections 8
  /// and 9.8). It is returned but never stored on disk.
  public var isCloseDelimited = false

  /// A redirect response.
  public struct Redirect: Sendable {
    /// The status code.
    public var status: Int
    /// The header fields.
    public var headers: HeaderFields

    /// Creates a redirect response.
    public init(status: Int, headers: HeaderFields) {
      self.status = status
      self.headers = headers
    }
  }

  /// Creates a response.
  public init(
    status: Int, headers: HeaderFields = [:], body: [UInt8] = [], url: String,
    redirects: [Redirect] = [], timeToFirstByte: Duration = .zero
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.redirects = redirects
    self.timeToFirstByte = timeToFirstByte
  }
}

/// The resource limits of one transfer.
public struct TransferLimits: Hashable, Sendable {
  /// The maximum body size in bytes, after content decoding. 50 MiB: the largest camera JPEGs are near 40 MB,
  /// and sixteen transfers at this limit fit into the memory of a small server.
  ///
  /// The bytes received from the network, with content coding, framing and TLS, may be an eighth and 1 MiB
  /// more. A compressed body that can be resumed keeps that many coded bytes in memory in addition to the
  /// decoded ones.
  public var bodyBytes: Int
  /// The maximum number of redirects in a chain. 20: the limit of the Fetch standard and of browsers. A load
  /// that fails after cached redirects may follow the same number again.
  public var redirects: Int
  /// The maximum time to connect, including TLS. 10 s: three lost SYN packets (1 + 2 + 4 s).
  public var connect: Duration
  /// The maximum time to the first byte of the response. 30 s: the idle limit of common reverse proxies.
  public var firstByte: Duration
  /// The maximum time of a complete exchange, which also ends a slowly trickling body. For a load, it
  /// includes all exchanges and the pauses between them. 60 s.
  public var total: Duration

  /// Creates limits.
  public init(
    bodyBytes: Int = 50 << 20, redirects: Int = 20, connect: Duration = .seconds(10),
    firstByte: Duration = .seconds(30), total: Duration = Duration.seconds(60)
  ) {
    self.bodyBytes = bodyBytes
    self.redirects = redirects
    self.connect = connect
    self.firstByte = firstByte
    self.total = total
  }

  /// Returns the maximum number of received bytes for a body of `length` bytes: an eighth and 1 MB more.
  ///
  /// Recompressing compressed data adds 0.1 %, one TLS record per packet 3 %, and one chunk per text line 10
  /// %. Heads and trailers are at most a quarter of the 1 MB.
  package static func mostReceived(for length: Int) -> Int {
    let (bytes, overflows) = length.addingReportingOverflow(length / 8 + 1 << 20)
    return overflows ? .max : bytes
  }
}
