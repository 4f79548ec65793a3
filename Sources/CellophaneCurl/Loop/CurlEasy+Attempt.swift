internal import CCurl

/// The observations while one hop sets up a connection.
struct ConnectionAttempt {
  /// The sockets opened for the hop.
  var openedSockets: [curl_socket_t] = []
  /// The time at which the host or its proxy accepted one of these connections; nil before.
  var acceptedAt: Duration?
  /// True if the name of the host was looked up.
  var hasLookedUp = false
  /// True if the configuration denied an address of the host.
  var isDenied = false
  /// True if the connection opened for or used by the hop leads to a proxy.
  var usesProxy = false
  /// True if the system had no descriptor left for a socket.
  var lacksDescriptors = false
}

/// The reports and questions of libcurl about the setup of a connection.
extension CurlEasy {
  func noteLookUp() {
    attempt.hasLookedUp = true
    addresses.onLookUp()
  }

  /// True if libcurl has purged expired addresses at the end of the hop. libcurl 7.88 does not if other
  /// transfers use the connection as well.
  var hasPurgedAddresses: Bool {
    guard purgesAddresses else { return false }
    // A connection that failed was not shared.
    guard let connection else { return !attempt.openedSockets.isEmpty }
    return parser.head.isHTTP1 || connection.users == 1
  }

  /// Records that libcurl waits for input from `socket`, which it does once the socket is connected.
  func noteReading(from socket: curl_socket_t) {
    if attempt.acceptedAt == nil, attempt.openedSockets.contains(socket) { attempt.acceptedAt = timeline.now }
  }

  /// Records that the host has an address.
  func noteAddress() {
    guard ownsLookup, let exchange else { return }
    ownsLookup = false
    sockets.resolved.append((exchange, authority))
  }

  func allows(_ address: [UInt8]) -> Bool {
    if rules.permit(address, isPublic: addresses.isPublic) { return true }
    attempt.isDenied = true
    return false
  }

  func open(_ address: UnsafePointer<curl_sockaddr>) -> curl_socket_t {
    noteAddress()
    var lacksDescriptors = false
    // A proxy on the origin's port could be recognized only by its name, which libcurl does not report.
    let port = unsafe cellophane_curl_port(address)
    if let (_, origin) = try? CanonicalURL.parse(hop.url), origin.port != port { attempt.usesProxy = true }
    let socket = unsafe cellophane_curl_open(address, &lacksDescriptors)
    if lacksDescriptors { attempt.lacksDescriptors = true }
    if socket != CURL_SOCKET_BAD {
      attempt.openedSockets.append(socket)
      sockets.watchdog.open(socket)
    }
    return socket
  }
}

/// The end of the use of a connection.
extension CurlEasy {
  /// Releases the connection of an orphaned handshake; returns true if another hop can use it.
  func releaseUnusedConnection() -> Bool {
    defer { forgetConnection() }
    return connection.map { sockets.makeUnused($0, by: self, at: timeline.now) } ?? false
  }

  /// Releases the connection of a finished hop; returns true if another hop can use it.
  func releaseConnection() -> Bool {
    guard let connection else { return false }
    defer { forgetConnection() }
    guard parser.head.isHTTP1 else {
      connection.isShared = true
      return false
    }
    return sockets.makeIdle(connection, by: self)
  }
}
