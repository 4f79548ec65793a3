internal import CCurl

/// An easy handle of libcurl, used for one hop after another. Confined to the loop's thread.
///
/// The context of libcurl's callbacks is this object, unretained. The loop keeps the object while its handle
/// is in the multi handle, and callbacks run only then. `deinit` frees the memory that the object owns.
@safe final class CurlEasy {
  let handle: UnsafeMutableRawPointer
  /// The components of the hop's URL.
  let parts: OpaquePointer
  /// The exchange that the handle serves; nil in the pool.
  var exchange: CurlExchange?
  /// The current hop.
  private(set) var hop = RedirectPolicy.Hop(url: "", headers: [:])
  /// The redirects that led to the hop.
  var redirects: [TransportResponse.Redirect] = []
  /// The timings of the hops before.
  var earlierTimings = TransferTimings()
  /// The parser of the hop's response.
  private(set) var parser = ResponseParser(limits: TransferLimits(), body: CurlEasy.placeholderBody)
  private let fieldCache = HeaderFieldCache()
  /// The time by which the first byte of the response must arrive; nil before the request is sent and after
  /// that byte.
  var firstByteDeadline: Duration? { parser.firstByteAt == nil ? responseDeadline : nil }
  /// The same time, kept after that byte.
  private var responseDeadline: Duration?
  /// The time by which the page of a response without a resource must be complete; nil before its head.
  private(set) var pageDeadline: Duration?
  let rules: AddressRules
  let addresses: AddressResolution
  let timeline: Timeline
  private let nextDeadline: NextDeadline
  let sockets: CurlSockets
  /// True if the hop's URL uses TLS.
  private(set) var isEncrypted = false
  /// True if the hop's URL names a local file.
  private(set) var isFile = false
  /// The scheme and authority of the hop's URL: the key of its connections.
  private(set) var authority = ""
  /// The phase of the hop until it has a connection.
  var phase = Phase.awaitingAddress
  /// The time by which the hop must have a connection. It starts once its host has an address.
  var connectDeadline = Duration.zero
  /// True if other hops may wait for the address that this one is to find.
  var ownsLookup = false
  /// True if libcurl may delay the hop until the protocol of another connection is known.
  private(set) var mayMultiplex = false
  /// True if the hop's connection may negotiate HTTP/2.
  private(set) var mayUseHTTP2 = false
  /// The observations while the hop sets up a connection.
  var attempt = ConnectionAttempt()
  /// The connection that carries the hop.
  private(set) var connection: CurlSockets.Connection?
  /// True if that connection was opened for the hop.
  private var isConnectionNew = false
  /// The bytes received over that connection before the request; nil if the system does not count them.
  private(set) var receivedBefore: Int?
  /// The bytes received over it when it was closed or given to another hop.
  private(set) var receivedAtEnd: Int?
  /// True if libcurl purges expired addresses for the hop and at its end. The default of libcurl.
  var purgesAddresses = true
  /// True if libcurl closes the connection after the hop.
  private var forbidsReuse = false
  /// The request fields that libcurl was given last; nil if it has none.
  private(set) var currentFields: HeaderFields?
  private var fields: UnsafeMutablePointer<curl_slist>?
  private var proxyFields: UnsafeMutablePointer<curl_slist>?
  /// The buffer for libcurl's error messages.
  private let errorBuffer: UnsafeMutablePointer<CChar>

  /// The body while no hop runs. Shared, because two allocations per hop would cost a tenth of a microsecond
  /// each.
  private static let placeholderBody = StreamingBody()

  /// Creates a handle with all options set that do not change between exchanges; nil if this libcurl lacks a
  /// required feature.
  init?(
    _ configuration: CurlTransport.Configuration, _ addresses: AddressResolution, _ timeline: Timeline,
    _ nextDeadline: NextDeadline, _ sockets: CurlSockets
  ) {
    guard let handle = unsafe curl_easy_init() else { return nil }
    guard let parts = unsafe curl_url() else {
      unsafe curl_easy_cleanup(handle)
      return nil
    }
    unsafe (self.handle, self.parts) = (handle, parts)
    unsafe errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    rules = configuration.addresses
    self.addresses = addresses
    self.timeline = timeline
    self.nextDeadline = nextDeadline
    self.sockets = sockets
    guard setConstants(configuration), unsafe setCallbacks(errorBuffer) else { return nil }
  }

  deinit {
    unsafe curl_easy_cleanup(handle)
    unsafe curl_url_cleanup(parts)
    unsafe curl_slist_free_all(fields)
    unsafe curl_slist_free_all(proxyFields)
    unsafe errorBuffer.deallocate()
  }

  /// Prepares the handle for `hop`; false if libcurl is out of memory.
  func prepare(_ hop: RedirectPolicy.Hop, for exchange: CurlExchange) -> Bool {
    self.exchange = exchange
    self.hop = hop
    let limits = exchange.request.limits
    (isEncrypted, isFile) = (hop.url.hasPrefix("https:"), hop.url.hasPrefix("file:"))
    authority = hop.url == exchange.request.url ? exchange.authority : hop.url.authority
    mayUseHTTP2 = isEncrypted && sockets.mayUseHTTP2(authority, at: timeline.now)
    mayMultiplex = mayUseHTTP2
    phase = .awaitingAddress
    ownsLookup = false
    parser = ResponseParser(limits: limits, body: exchange.body, isEncrypted: isEncrypted)
    (responseDeadline, pageDeadline) = (nil, nil)
    attempt = ConnectionAttempt()
    forgetConnection()
    receivedBefore = nil
    unsafe errorBuffer.pointee = 0
    // A file has no head that would arrive.
    if isFile { parser.body.begin(head) }
    if forbidsReuse { forbidsReuse = !setForbidReuse(false) }
    return setHop(hop, mayUseHTTP2: mayUseHTTP2)
  }

  /// Prepares the handle for the hop of `other`, which sets up a connection that this handle need not wait
  /// for.
  func prepare(insteadOf other: CurlEasy, for exchange: CurlExchange) -> Bool {
    guard prepare(other.hop, for: exchange) else { return false }
    redirects = other.redirects
    earlierTimings = other.earlierTimings
    connectDeadline = other.connectDeadline
    ownsLookup = other.ownsLookup
    return true
  }

  /// Makes the hop set up its own connection even if it could share one in setup.
  func stopWaiting() -> Bool {
    mayMultiplex = false
    return setMultiplexWait(false)
  }

  /// Detaches the exchange and continues the handshakes without it.
  ///
  /// An option that ends the transfer after the handshakes is set while the transfer runs. libcurl's manual
  /// does not define this. From 7.85 to 8.22, libcurl reads the option once, when it would send a request. If
  /// it did not, the response to that request would be rejected.
  func continueWithoutExchange() -> Bool {
    reset()
    var limits = TransferLimits()
    limits.bodyBytes = 0
    parser = ResponseParser(limits: limits, body: StreamingBody(), isEncrypted: isEncrypted)
    return setConnectOnly(true)
  }

  func forgetConnection() {
    if let connection { sockets.leave(connection, by: self) }
    connection = nil
  }

  /// Takes ownership of the lists for `headers`, which libcurl reads until it gets others.
  func keep(
    _ list: UnsafeMutablePointer<curl_slist>?, _ proxyList: UnsafeMutablePointer<curl_slist>?,
    of headers: HeaderFields?
  ) {
    currentFields = headers
    unsafe curl_slist_free_all(fields)
    unsafe curl_slist_free_all(proxyFields)
    unsafe (fields, proxyFields) = (list, proxyList)
  }

  /// Detaches the exchange, for the pool.
  func reset() {
    exchange = nil
    responseDeadline = nil
    forgetConnection()
    redirects = []
    earlierTimings = TransferTimings()
    parser = ResponseParser(limits: TransferLimits(), body: Self.placeholderBody)
  }

  /// libcurl's message about the failure.
  var errorMessage: String { unsafe String(cString: errorBuffer) }

  func receiveHead(_ line: UnsafeRawBufferPointer) -> Bool {
    sockets.watchdog.noteDelivery(line.count)
    let line = unsafe line.assumingMemoryBound(to: UInt8.self).span
    switch parser.takeLine(line, cache: fieldCache, at: timeline.now, from: { origin }) {
    case .unchanged: return true
    case .failed: return false
    case .redirect: break
    case .response: guard parser.begin(head, from: { origin }) else { return false }
    }
    if parser.head.forbidsReuse { forbidsReuse = setForbidReuse(true) }
    if parser.hasStatusOnly {
      let now = timeline.now
      pageDeadline = now + ResponseParser.maxPageTime
      nextDeadline.lower(to: now + checkInterval)
    }
    return !parser.leavesPage
  }

  /// Completes a head that libcurl refused for its Content-Length, its Transfer-Encoding or a line that is no field, if
  /// its status is the whole result. The fields behind that line are lost.
  func endHead(refusedWith code: CURLcode) {
    guard
      code == CURLE_BAD_CONTENT_ENCODING
        || code == CURLE_WEIRD_SERVER_REPLY
          && (errorMessage.hasPrefix("Invalid Content-Length")
            || errorMessage.hasPrefix("Header without colon"))
    else { return }
    if parser.endRefusedHead(cache: fieldCache), !parser.head.isRedirect { parser.body.begin(head) }
  }

  func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    sockets.watchdog.noteDelivery(bytes.count)
    return unsafe parser.takeBody(bytes.assumingMemoryBound(to: UInt8.self).span, from: { origin })
  }

  /// Records that the request is sent between `endpoints`; false if it must not be sent.
  ///
  /// libcurl sends a request again, up to five times, if an HTTP/2 stream is refused or a reused connection
  /// ends before a response. Only the second case is allowed: the request may have crossed with the end of
  /// the connection.
  func noteRequestSent(between endpoints: CurlSockets.Endpoints) -> Bool {
    noteAddress()
    if let connection,
      isConnectionNew || sockets.wasBroken(connection)
        || connection.isOpen && connection.endpoints == endpoints
    {
      return false
    }
    forgetConnection()
    (connection, isConnectionNew) = sockets.use(endpoints, by: self, among: attempt.openedSockets)
    if let connection { attempt.usesProxy = connection.usesProxy }
    receivedAtEnd = nil
    // If this count included the end of the stream, nothing would arrive any more.
    receivedBefore = connection.flatMap { $0.receivedWhenIdle ?? $0.receivedAtMost }
    let now = timeline.now
    parser.sentAt = now
    guard let exchange else { return true }
    if redirects.isEmpty {
      parser.body.noteSent(afterConnecting: isConnectionNew ? handshakes : nil, over: connection?.number)
    }
    sockets.queues.leave(exchange, at: authority)
    let deadline = now + exchange.request.limits.firstByte
    responseDeadline = deadline
    nextDeadline.lower(to: min(deadline, now + checkInterval))
    return true
  }

  /// Records that `connection`, still open, is about to be closed or used by another hop; returns the bytes
  /// received over it.
  func noteReleased(_ connection: CurlSockets.Connection) -> Int? {
    guard self.connection === connection, receivedBefore != nil else { return nil }
    receivedAtEnd = received(over: connection)
    return receivedAtEnd
  }
}
