/// One exchange with an origin: request out, whole response in.
public protocol Transport: Sendable {
  /// Sends `request`, follows redirects within its limits and returns the final response, whatever its
  /// status. On the way it fills the body that ``StreamingBody/claim()`` gives: first the head of the final
  /// response, then its bytes; a 304 has none.
  /// Cancelling the task aborts the connection at once and throws ``LoadError/cancelled``.
  ///
  /// - Throws: ``LoadError`` when no whole response within the limits arrived.
  func exchange(_ request: TransportRequest) async throws(LoadError) -> TransportResponse

  /// The fields that it sends of its own with a request that does not have them, where an origin may choose its
  /// answer by them. Not `Accept-Encoding`: what is coded one way or another is the same once decoded.
  var defaultHeaders: HeaderFields { get }

  /// Which origins it reaches and whom it believes, when that is not what any transport does: what came from elsewhere
  /// must not answer for it out of a cache, nor what it brought for others. Nil when it is.
  var partition: String? { get }
}

extension Transport {
  /// None.
  public var defaultHeaders: HeaderFields { [:] }

  /// Any transport's.
  public var partition: String? { nil }
}

/// A transport that goes on within what is compressed: it takes the decoder that has read the beginning, and says what
/// the bytes were made of (``StreamingBody/takeDecoder()``, ``StreamingBody/settle(_:)``). Any other is asked for the whole.
protocol CodingContinuer: Transport {}

/// What a ``Transport`` sends.
public struct TransportRequest: Sendable {
  /// The absolute URL, without a fragment.
  public var url: String
  /// The header fields to send, credentials among them.
  public var headers: HeaderFields
  /// What the exchange may cost.
  public var limits: TransferLimits
  /// Takes the answer as it arrives, the body after content decoding, also that of an exchange that is aborted
  /// later. A transport that does not claim and fill it works, without previews, with wasted bytes uncounted, and
  /// with nothing kept of a transfer that broke. Heads are told as they came, so that a tag and a coding stay
  /// together. What is compressed only ``CurlTransport`` goes on within.
  public var body: StreamingBody
  /// How urgent it is as it is sent, for a transport whose exchanges share a connection.
  public var priority: Priority
  /// Called before a redirect is followed, with the origin that it leads to. What it throws ends the exchange.
  public var onRedirect: @Sendable (Origin) throws(LoadError) -> Void
  /// Whether redirects are followed. Otherwise an answer that points elsewhere is the response, and says where
  /// (``TransportResponse/target``), for who may know what is there.
  public var followsRedirects = true
  /// How many redirects led to this request: they count towards the limit.
  public var redirects = 0

  /// A request for `url`.
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

/// What a ``Transport`` received.
public struct TransportResponse: Sendable {
  /// The final status code.
  public var status: Int
  /// The final header fields.
  public var headers: HeaderFields
  /// The body after content decoding.
  public var body: [UInt8]
  /// The URL that answered, after redirects.
  public var url: String
  /// The redirects that led there, first to last.
  public var redirects: [Redirect]
  /// Where this points, absolute, when it is a redirect that may be followed and was not.
  public var target: String?
  /// From sending to the first byte of the answer.
  public var timeToFirstByte: Duration
  /// What the exchange spent its time on, as far as the transport tells.
  public var timings = TransferTimings()
  /// True when other exchanges go on over its connection meanwhile (HTTP/2), so that nothing is closed when this one is
  /// cut off.
  public var sharesConnection = false
  /// True when only the end of the connection, or of a stream of HTTP/2, said that the body was whole. Nobody can tell
  /// that from one that was cut off (RFC 9112, sections 8 and 9.8), so that such a body is given and kept nowhere on disk.
  public var isCloseDelimited = false

  /// An answer that pointed elsewhere.
  public struct Redirect: Sendable {
    /// Its status code.
    public var status: Int
    /// Its header fields.
    public var headers: HeaderFields

    /// A redirect.
    public init(status: Int, headers: HeaderFields) {
      self.status = status
      self.headers = headers
    }
  }

  /// A response.
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

/// What one transfer may cost at most.
public struct TransferLimits: Hashable, Sendable {
  /// The largest body in bytes, counted after content decoding. 50 MB: the largest camera JPEGs are near
  /// 40 MB, and sixteen transfers at this limit still fit a small server's memory. What comes over the line may be an
  /// eighth and a megabyte more, with its coding, framing and encryption; of what is compressed and can be continued
  /// that much is held beside what it decodes to.
  public var bodyBytes = 50 << 20
  /// The most redirects followed, one after the other. 20: the number the Fetch standard and browsers use. A load that is
  /// led by redirects on disk to where nothing is any more follows as many again at most.
  public var redirects = 20
  /// The longest wait for a connection, TLS included. 10 s: three losses of a SYN (1 + 2 + 4 s).
  public var connect = Duration.seconds(10)
  /// The longest wait for the first byte of the answer. 30 s: the idle limit of common reverse proxies.
  public var firstByte = Duration.seconds(30)
  /// The longest whole exchange, so that a body that trickles ends; of a load, all its exchanges and the pauses
  /// between them. 60 s.
  public var total = Duration.seconds(60)

  /// The defaults.
  public init() {}

  /// The most bytes received for a body of `length`. An eighth more: compressing what is compressed adds a thousandth,
  /// TLS in records of a packet each 3 %, chunks of a line each 10 %. And 1 MB: heads and trailers are at most a quarter
  /// of it.
  static func mostReceived(for length: Int) -> Int {
    let (bytes, isBeyond) = length.addingReportingOverflow(length / 8 + 1 << 20)
    return isBeyond ? .max : bytes
  }
}
