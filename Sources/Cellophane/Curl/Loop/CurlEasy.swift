internal import CCurl

/// One easy handle of libcurl, used for one hop after another. Lives on the loop's thread.
///
/// libcurl's callbacks get this object as their context, unretained: the loop keeps it as long as the handle
/// is in the multi handle, and callbacks run only there. All else it holds is freed in `deinit`.
@safe final class CurlEasy {
  let handle: UnsafeMutableRawPointer
  /// The hop's URL in its parts.
  let parts: OpaquePointer
  /// The exchange it works for, nil in the pool.
  var ticket: CurlExchange?
  /// The hop being made.
  private(set) var hop = RedirectPolicy.Hop(url: "", headers: [:])
  /// What was followed on the way to the hop.
  var redirects: [TransportResponse.Redirect] = []
  /// What that took.
  var spent = TransferTimings()
  /// What has arrived of the hop.
  private(set) var reception = ResponseParser(limits: TransferLimits(), body: CurlEasy.nobodys)
  private let knownFields = KnownFields()
  /// When the answer's first byte must be there; nil until the request is sent, and behind that byte.
  var firstByteDeadline: Duration? { reception.firstByteAt == nil ? answerDeadline : nil }
  /// The same, also behind that byte.
  private var answerDeadline: Duration?
  let deniesPrivateAddresses: Bool
  let addresses: AddressBook
  let timeline: Timeline
  private let alarm: DeadlineAlarm
  let sockets: CurlSockets
  /// Whether the hop's URL asks for TLS.
  private(set) var isEncrypted = false
  /// Whether it asks for a file of this machine.
  private(set) var isFile = false
  /// The scheme, host and port of the hop, as its URL has them: what it has connections in common with.
  private(set) var site = ""
  /// Where the hop is on its way to a connection.
  var place = Place.names
  /// When the hop must have a connection; the time before its host had an address does not count.
  var connectDeadline = Duration.zero
  /// Whether others may wait for the address that it is to find.
  var looksUp = false
  /// Whether libcurl may have it wait for what another's connection will speak.
  private(set) var mayShare = false
  /// How it gets a connection of its own.
  var attempt = ConnectionAttempt()
  /// The connection that it goes over.
  private(set) var connection: CurlSockets.Connection?
  /// True when that one was opened for it.
  private var isOverNew = false
  /// What had come over that connection before the request; nil when the system does not tell.
  private(set) var receivedBefore: Int?
  /// What had come over it when it was closed or given to another.
  private(set) var receivedAtLast: Int?
  /// Whether libcurl looks for addresses that are too old, for the hop and at its end. It does until it is told otherwise.
  var agesAddresses = true
  /// The request's fields that libcurl was given last; nil when it has none.
  private(set) var fieldsSet: HeaderFields?
  private var fields: UnsafeMutablePointer<curl_slist>?
  private var proxyFields: UnsafeMutablePointer<curl_slist>?
  /// Where libcurl says in words what went wrong.
  private let words: UnsafeMutablePointer<CChar>

  /// How often a connection is asked what has come over it. 250 ms: a flood that is noticed so late has cost a
  /// quarter of a second. 10 ms behind a redirect, whose body nobody wants.
  var lookInterval: Duration { .milliseconds(reception.head.isRedirect ? 10 : 250) }

  /// The body while nothing arrives: one for all, because one for each hop would cost a tenth of a microsecond twice.
  private static let nobodys = StreamingBody()

  /// A handle with everything set that does not change between exchanges; nil when this libcurl cannot do
  /// what is needed.
  init?(
    _ configuration: CurlTransport.Configuration, _ addresses: AddressBook, _ timeline: Timeline,
    _ alarm: DeadlineAlarm, _ sockets: CurlSockets
  ) {
    guard let handle = unsafe curl_easy_init() else { return nil }
    guard let parts = unsafe curl_url() else {
      unsafe curl_easy_cleanup(handle)
      return nil
    }
    unsafe (self.handle, self.parts) = (handle, parts)
    unsafe words = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    deniesPrivateAddresses = configuration.deniesPrivateAddresses
    self.addresses = addresses
    self.timeline = timeline
    self.alarm = alarm
    self.sockets = sockets
    guard setConstants(configuration), unsafe setCallbacks(words) else { return nil }
  }

  deinit {
    unsafe curl_easy_cleanup(handle)
    unsafe curl_url_cleanup(parts)
    unsafe curl_slist_free_all(fields)
    unsafe curl_slist_free_all(proxyFields)
    unsafe words.deallocate()
  }

  /// Makes the handle ready for `hop`; false when libcurl is out of memory.
  func prepare(_ hop: RedirectPolicy.Hop, for ticket: CurlExchange) -> Bool {
    self.ticket = ticket
    self.hop = hop
    let limits = ticket.request.limits
    (isEncrypted, isFile) = (hop.url.hasPrefix("https:"), hop.url.hasPrefix("file:"))
    mayShare = isEncrypted
    site = hop.url == ticket.request.url ? ticket.site : hop.url.site
    place = .names
    looksUp = false
    reception = ResponseParser(limits: limits, body: ticket.body, isEncrypted: isEncrypted)
    answerDeadline = nil
    attempt = ConnectionAttempt()
    forgetConnection()
    receivedBefore = nil
    unsafe words.pointee = 0
    // A file has no head that would arrive.
    if isFile { reception.body.begin(head) }
    return setHop(hop, isEncrypted: isEncrypted)
  }

  /// Makes the handle ready for the hop of `other`, which makes a connection that this one need not wait for.
  func prepare(insteadOf other: CurlEasy, for ticket: CurlExchange) -> Bool {
    guard prepare(other.hop, for: ticket) else { return false }
    redirects = other.redirects
    spent = other.spent
    connectDeadline = other.connectDeadline
    looksUp = other.looksUp
    return true
  }

  /// Has the hop make a connection of its own although one is being made that it might share.
  func waitForNobody() -> Bool {
    mayShare = false
    return setWait(false)
  }

  /// Forgets the exchange, and goes on until the connection is there, for nobody.
  ///
  /// An option that stops it there is set while it runs, which libcurl's manual leaves open. It is read once, when a
  /// request would be sent (so from 7.85 to 8.22). Were it not, the answer to that request would be refused.
  func goOnForNobody() -> Bool {
    rest()
    var limits = TransferLimits()
    limits.bodyBytes = 0
    reception = ResponseParser(limits: limits, body: StreamingBody(), isEncrypted: isEncrypted)
    return setConnectOnly(true)
  }

  /// Says that the connection that was made for nobody is there; true when it is free for another.
  func leaveUnusedConnection() -> Bool {
    defer { forgetConnection() }
    return connection.map { sockets.restUnused($0, by: self, at: timeline.now) } ?? false
  }

  private func forgetConnection() {
    if let connection { sockets.leave(connection, by: self) }
    connection = nil
  }

  /// Says that the hop is over; true when its connection is free for another.
  func leaveConnection() -> Bool {
    guard let connection else { return false }
    defer { forgetConnection() }
    guard reception.head.isTurnByTurn else {
      connection.isShared = true
      return false
    }
    return sockets.rest(connection, by: self)
  }

  /// Takes what has arrived, leaving nothing behind.
  func takeReception() -> ResponseParser {
    var taken = ResponseParser(limits: TransferLimits(), body: Self.nobodys)
    swap(&taken, &reception)
    return taken
  }

  /// Keeps the lists that libcurl was given, `headers`, which reads them until it is given others.
  func keep(
    _ list: UnsafeMutablePointer<curl_slist>?, _ proxyList: UnsafeMutablePointer<curl_slist>?,
    of headers: HeaderFields?
  ) {
    fieldsSet = headers
    unsafe curl_slist_free_all(fields)
    unsafe curl_slist_free_all(proxyFields)
    unsafe (fields, proxyFields) = (list, proxyList)
  }

  /// Forgets the exchange, for the pool.
  func rest() {
    ticket = nil
    answerDeadline = nil
    forgetConnection()
    redirects = []
    spent = TransferTimings()
    _ = takeReception()
  }

  /// What libcurl says of the failure, in words of its own.
  var complaint: String { unsafe String(cString: words) }

  /// The body's bytes received of the hop, before content decoding.
  var receivedBytes: Int { Int(unsafe cellophane_curl_received(handle)) }

  /// Where the answer redirects to, absolute.
  var redirectTarget: String? {
    // libcurl takes a mere fragment for a path; it is the same resource (RFC 3986, section 5.2.2).
    if reception.head.fields["location"]?.hasPrefix("#") == true { return hop.url }
    return unsafe cellophane_curl_redirect(handle).map { unsafe String(cString: $0) }
  }

  /// The hop's origin, for sentences; never the path, which may hold a secret.
  var origin: String {
    if let (_, origin) = try? CanonicalURL.parse(hop.url) { return origin.description }
    return "the origin"
  }

  func receiveHead(_ line: UnsafeRawBufferPointer) -> Bool {
    let line = unsafe line.assumingMemoryBound(to: UInt8.self).span
    switch reception.takeLine(line, known: knownFields, at: timeline.now, from: { origin }) {
    case .within: return true
    case .refused: return false
    case .redirect:
      alarm.lower(to: timeline.now + lookInterval)
      return true
    case .answer: return reception.begin(head, from: { origin })
    }
  }

  func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe reception.takeBody(bytes.assumingMemoryBound(to: UInt8.self).span, from: { origin })
  }

  /// Notes that the request goes out between `ends`; false when it must not.
  ///
  /// libcurl sends it again, up to five times, when a stream of HTTP/2 is refused, or when a kept connection has ended
  /// before an answer. Only the second is no second try: the request may have crossed with that end.
  func requestIsSent(between ends: CurlSockets.Ends) -> Bool {
    noteAddress()
    if let connection, isOverNew || connection.isOpen && connection.ends == ends { return false }
    forgetConnection()
    (connection, isOverNew) = sockets.use(ends, by: self, among: attempt.opened)
    if let connection { attempt.isByProxy = connection.isByProxy }
    receivedAtLast = nil
    // Were its end among that, nothing would come any more.
    receivedBefore = connection.flatMap { $0.receivedAtRest ?? $0.receivedAtMost }
    let now = timeline.now
    reception.sentAt = now
    guard let ticket else { return true }
    if redirects.isEmpty {
      reception.body.noteSent(afterConnecting: isOverNew ? handshakes : nil, over: connection?.number)
    }
    sockets.queues.leave(ticket, at: site)
    let deadline = now + ticket.request.limits.firstByte
    answerDeadline = deadline
    alarm.lower(to: min(deadline, now + lookInterval))
    return true
  }

  /// Notes that `connection`, which is still open, is about to be another's or nobody's; returns what has come over it.
  func leaves(_ connection: CurlSockets.Connection) -> Int? {
    guard self.connection === connection, receivedBefore != nil else { return nil }
    receivedAtLast = received(over: connection)
    return receivedAtLast
  }
}
