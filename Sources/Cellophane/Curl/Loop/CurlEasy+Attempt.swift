internal import CCurl

/// What the way of one hop to a connection of its own has shown.
struct ConnectionAttempt {
  /// The sockets that were opened for it.
  var opened: [curl_socket_t] = []
  /// When its host, or the proxy before it, accepted a connection that was opened for it; nil before.
  var acceptedAt: Duration?
  /// Whether its host's name was looked up.
  var hasLookedUp = false
  /// True when the configuration forbade an address that its host has.
  var wasDenied = false
  /// True when the connection that was opened for it, or is used by it, leads elsewhere than to its origin.
  var isByProxy = false
  /// True when the system had no descriptor left for a socket.
  var lacksDescriptors = false
}

/// What libcurl tells of it, and asks.
extension CurlEasy {
  func noteLookUp() {
    attempt.hasLookedUp = true
    addresses.onLookUp()
  }

  /// Whether libcurl has looked for addresses that are too old at the end of the hop. Over a connection that another uses
  /// as well it does not (7.88).
  var hasAgedAddresses: Bool {
    guard agesAddresses else { return false }
    // A connection that was opened and came to nothing was its own.
    guard let connection else { return !attempt.opened.isEmpty }
    return reception.head.isTurnByTurn || connection.users == 1
  }

  /// Notes that something is awaited from `socket`, as it is once it is connected.
  func noteReading(from socket: curl_socket_t) {
    if attempt.acceptedAt == nil, attempt.opened.contains(socket) { attempt.acceptedAt = timeline.now }
  }

  /// Notes that its host has an address.
  func noteAddress() {
    guard looksUp, let ticket else { return }
    looksUp = false
    sockets.addressed.append((ticket, site))
  }

  func admits(_ address: [UInt8]) -> Bool {
    guard deniesPrivateAddresses, !addresses.isPublic(address) else { return true }
    attempt.wasDenied = true
    return false
  }

  func open(_ address: UnsafePointer<curl_sockaddr>) -> curl_socket_t {
    noteAddress()
    var isLast = false
    // A proxy on the port of the origin is told from it only by its name, which libcurl does not say.
    let port = unsafe cellophane_curl_port(address)
    if let (_, origin) = try? CanonicalURL.parse(hop.url), origin.port != port { attempt.isByProxy = true }
    let socket = unsafe cellophane_curl_open(address, &isLast)
    if isLast { attempt.lacksDescriptors = true }
    if socket != CURL_SOCKET_BAD {
      attempt.opened.append(socket)
      sockets.watch.open(socket)
    }
    return socket
  }
}
