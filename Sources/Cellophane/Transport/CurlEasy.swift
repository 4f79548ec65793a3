internal import CCurl

/// One easy handle of libcurl, used for one hop after another. Lives on the loop's thread.
///
/// libcurl's callbacks get this object as their context, unretained: the loop keeps it as long as the handle
/// is in the multi handle, and callbacks run only there. All else it holds is freed in `deinit`.
@safe final class CurlEasy {
  let handle: UnsafeMutableRawPointer
  /// The exchange it works for, nil in the pool.
  var ticket: CurlTicket?
  /// The hop being made.
  private(set) var hop = RedirectPolicy.Hop(url: "", headers: [:])
  /// What was followed on the way to the hop.
  var redirects: [TransportResponse.Redirect] = []
  /// What has arrived of the hop.
  private(set) var reception = Reception(limits: TransferLimits(), body: ArrivingBody())
  /// When the answer's first byte must be there; nil until the request is sent, and after.
  private(set) var firstByteDeadline: Duration?
  /// True when the configuration forbade an address that the hop's host has.
  private(set) var wasDenied = false
  /// True when the system had no descriptor left for a socket of the hop.
  private(set) var lacksDescriptors = false
  private let deniesPrivateAddresses: Bool
  private let isPublic: ([UInt8]) -> Bool
  private let timeline: Timeline
  private let alarm: DeadlineAlarm
  let sockets: CurlSockets
  /// The sockets opened for the hop, and the ends of the connection that it goes over.
  private var opened: [curl_socket_t] = []
  private(set) var ends: CurlSockets.Ends?
  /// What had come over that connection before the hop.
  private(set) var receivedBefore: Int?
  /// What had come over it when it was closed or given to another.
  private(set) var receivedAtLast: Int?
  /// The lines of the head so far.
  private var lines: [UInt8] = []
  private var fields: UnsafeMutablePointer<curl_slist>?
  /// Where libcurl says in words what went wrong.
  private let words: UnsafeMutablePointer<CChar>

  /// How often a connection is asked what has come over it. 250 ms: a flood that is noticed so late has cost a
  /// quarter of a second.
  static let lookInterval = Duration.milliseconds(250)

  /// A handle with everything set that does not change between exchanges; nil when this libcurl cannot do
  /// what is needed.
  init?(
    _ configuration: CurlTransport.Configuration, _ isPublic: @escaping ([UInt8]) -> Bool,
    _ timeline: Timeline, _ alarm: DeadlineAlarm, _ sockets: CurlSockets
  ) {
    guard let handle = unsafe curl_easy_init() else { return nil }
    unsafe self.handle = handle
    unsafe words = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    deniesPrivateAddresses = configuration.deniesPrivateAddresses
    self.isPublic = isPublic
    self.timeline = timeline
    self.alarm = alarm
    self.sockets = sockets
    let protocols = configuration.allowsFiles ? "http,https,file" : "http,https"
    var isReady =
      set(CURLOPT_NOSIGNAL, 1)
      // A resolver that hangs must not hold up a cancellation.
      && set(CURLOPT_QUICK_EXIT, 1)
      && set(CURLOPT_SSL_VERIFYPEER, 1) && set(CURLOPT_SSL_VERIFYHOST, 2)
      && set(CURLOPT_FOLLOWLOCATION, 0) && set(CURLOPT_HTTP09_ALLOWED, 0)
      && set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
      && set(CURLOPT_PROTOCOLS_STR, protocols)
      // Bodies are decoded here, where one that ends too early is noticed.
      && set(CURLOPT_HTTP_CONTENT_DECODING, 0)
      // What a proxy says before the tunnel stands is no part of the answer.
      && set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
      && set(CURLOPT_USERAGENT, configuration.userAgent)
      // 64 KB: one read for most pictures, where the default of 16 KB needs two for 27 KB.
      && set(CURLOPT_BUFFERSIZE, 64 << 10)
    if let file = configuration.caFile {
      // The folder would be asked too.
      isReady = isReady && set(CURLOPT_CAINFO, file) && set(CURLOPT_CAPATH, nil)
    }
    // Behind a proxy only the proxy's address would be checked.
    let proxy = configuration.deniesPrivateAddresses ? "" : configuration.proxy
    if let proxy { isReady = isReady && set(CURLOPT_PROXY, proxy) }
    let callbacks = unsafe cellophane_curl_callbacks(
      context: Unmanaged.passUnretained(self).toOpaque(), head: onHead, body: onBody,
      words: words, sending: onSending, open: onOpen, close: onClose,
      sockets: Unmanaged.passUnretained(sockets).toOpaque())
    guard isReady, unsafe cellophane_curl_set_callbacks(handle, callbacks) == CURLE_OK else { return nil }
  }

  deinit {
    unsafe curl_easy_cleanup(handle)
    unsafe curl_slist_free_all(fields)
    unsafe words.deallocate()
  }

  /// Makes the handle ready for `hop`; false when libcurl is out of memory.
  func prepare(_ hop: RedirectPolicy.Hop, for ticket: CurlTicket) -> Bool {
    self.ticket = ticket
    self.hop = hop
    let limits = ticket.request.limits
    reception = Reception(limits: limits, body: ticket.body)
    lines.removeAll(keepingCapacity: true)
    firstByteDeadline = nil
    wasDenied = false
    lacksDescriptors = false
    opened = []
    ends = nil
    unsafe words.pointee = 0
    // A file has no head that would arrive.
    if hop.url.hasPrefix("file:") { reception.body.begin(head) }
    let isEncrypted = hop.url.hasPrefix("https:")
    // Zero would mean libcurl's own default; a day keeps the number within its range.
    let milliseconds = Int((min(limits.connect, .seconds(86_400)) / .milliseconds(1)).rounded(.up))
    return set(CURLOPT_URL, hop.url)
      && setFields(hop.headers)
      && set(CURLOPT_CONNECTTIMEOUT_MS, max(1, milliseconds))
      // HTTP/2 where TLS agrees on it; requests to a new host then wait for that, to share the connection.
      && set(CURLOPT_HTTP_VERSION, isEncrypted ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
      && set(CURLOPT_PIPEWAIT, isEncrypted ? 1 : 0)
  }

  /// Says that the hop is over, and its connection free for another when it is still there.
  func leaveConnection() {
    if let ends, reception.head.isTurnByTurn { sockets.rest(ends, by: self) }
    ends = nil
  }

  /// Takes what has arrived, leaving nothing behind.
  func takeReception() -> Reception {
    let taken = reception
    reception = Reception(limits: TransferLimits(), body: ArrivingBody())
    return taken
  }

  /// Forgets the exchange, for the pool.
  func rest() {
    ticket = nil
    firstByteDeadline = nil
    redirects = []
    _ = takeReception()
  }

  /// What libcurl says of the failure, in words of its own.
  var complaint: String { unsafe String(cString: words) }

  /// The body's bytes received of the hop, before content decoding.
  var receivedBytes: Int { Int(unsafe cellophane_curl_received(handle)) }

  /// Where the answer redirects to, absolute.
  var redirectTarget: String? {
    unsafe cellophane_curl_redirect(handle).map { unsafe String(cString: $0) }
  }

  /// The hop's origin, for sentences; never the path, which may hold a secret.
  var origin: String {
    if let (_, origin) = try? CanonicalURL.parse(hop.url) { return origin.description }
    return "the origin"
  }

  fileprivate func receiveHead(_ line: UnsafeRawBufferPointer) -> Bool {
    if reception.firstByteAt == nil {
      reception.firstByteAt = timeline.now
      firstByteDeadline = nil
    }
    guard reception.countLine(line.count, from: { origin }) else { return false }
    unsafe lines.append(contentsOf: line)
    // The empty line ends a head; libcurl hands over one line at a time.
    guard unsafe line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") else { return true }
    defer { lines.removeAll(keepingCapacity: true) }
    guard reception.takeHead(lines, from: { origin }) else { return false }
    // Neither what is said in the meantime (103, say) nor what points elsewhere is the answer.
    if reception.head.status >= 200, !reception.head.isRedirect { reception.body.begin(head) }
    return true
  }

  fileprivate func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe reception.takeBody(bytes.assumingMemoryBound(to: UInt8.self).span, from: { origin })
  }

  fileprivate func requestIsSent(between ends: CurlSockets.Ends) {
    sockets.use(ends, by: self, among: opened)
    self.ends = ends
    receivedAtLast = nil
    receivedBefore = sockets.received(over: ends)
    let now = timeline.now
    reception.sentAt = now
    guard let ticket else { return }
    let deadline = now + ticket.request.limits.firstByte
    firstByteDeadline = deadline
    alarm.lower(to: min(deadline, now + Self.lookInterval))
  }

  /// Notes that the connection between `ends` is no longer the hop's, if it was.
  func leaves(_ ends: CurlSockets.Ends, received: Int?) {
    if self.ends == ends { receivedAtLast = received }
  }

  fileprivate func admits(_ address: [UInt8]) -> Bool {
    guard deniesPrivateAddresses, !isPublic(address) else { return true }
    wasDenied = true
    return false
  }

  fileprivate func open(_ address: UnsafePointer<curl_sockaddr>) -> curl_socket_t {
    var isLast = false
    let socket = unsafe cellophane_curl_open(address, &isLast)
    if isLast { lacksDescriptors = true }
    if socket != CURL_SOCKET_BAD { opened.append(socket) }
    return socket
  }

  private func set(_ option: CURLoption, _ value: Int) -> Bool {
    unsafe cellophane_curl_set_long(handle, option, value) == CURLE_OK
  }

  private func set(_ option: CURLoption, _ value: String?) -> Bool {
    unsafe cellophane_curl_set_string(handle, option, value) == CURLE_OK
  }

  private func setFields(_ headers: HeaderFields) -> Bool {
    var list: UnsafeMutablePointer<curl_slist>?
    var headers = headers
    if headers["accept-encoding"] == nil {
      // A part of compressed data cannot be decoded.
      headers.append("accept-encoding", headers["range"] == nil ? "gzip, deflate" : "identity")
    }
    for field in headers.fields {
      // libcurl drops a field that ends with the colon; with a semicolon it sends it empty.
      let value = field.value.fieldBytes
      let line = Array(field.name.utf8) + (value.isEmpty ? Array(";".utf8) : Array(": ".utf8) + value) + [0]
      guard let longer = unsafe curl_slist_append(list, line.map(CChar.init(bitPattern:))) else {
        unsafe curl_slist_free_all(list)
        return false
      }
      unsafe list = longer
    }
    let isSet = unsafe cellophane_curl_set_list(handle, CURLOPT_HTTPHEADER, list) == CURLE_OK
    unsafe curl_slist_free_all(fields)
    unsafe fields = list
    return isSet
  }
}

private func easy(_ context: UnsafeMutableRawPointer) -> CurlEasy {
  unsafe Unmanaged<CurlEasy>.fromOpaque(context).takeUnretainedValue()
}

private let onHead: cellophane_curl_receive = { bytes, size, count, context in
  guard let context = unsafe context else { return 0 }
  return unsafe easy(context).receiveHead(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
}

private let onBody: cellophane_curl_receive = { bytes, size, count, context in
  guard let context = unsafe context else { return 0 }
  return unsafe easy(context).receiveBody(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
}

private let onSending: curl_prereq_callback = { context, remoteIP, localIP, remotePort, localPort in
  if let context = unsafe context, let remoteIP = unsafe remoteIP, let localIP = unsafe localIP {
    unsafe easy(context).requestIsSent(
      between: CurlSockets.Ends(
        local: .init(ip: String(cString: localIP), port: localPort),
        remote: .init(ip: String(cString: remoteIP), port: remotePort)))
  }
  return CURL_PREREQFUNC_OK
}

private let onClose: curl_closesocket_callback = { context, socket in
  if let context = unsafe context {
    unsafe Unmanaged<CurlSockets>.fromOpaque(context).takeUnretainedValue().forget(socket)
  }
  return cellophane_curl_close(socket)
}

private let onOpen: curl_opensocket_callback = { context, _, address in
  guard let context = unsafe context, let address = unsafe address else { return CURL_SOCKET_BAD }
  var ip = [UInt8](repeating: 0, count: 16)
  let length = Int(unsafe cellophane_curl_ip(address, &ip))
  guard unsafe easy(context).admits(Array(ip[..<length])) else { return CURL_SOCKET_BAD }
  return unsafe easy(context).open(address)
}
