internal import CCurl

/// The connections that libcurl keeps. Lives on the loop's thread.
///
/// What an origin sends while nobody has asked, libcurl before 8.1 takes for the answer to the next request on
/// that connection. So those that are idle are looked at before one of them is used again.
final class CurlSockets {
  /// Both ends of a connection. Our own alone does not name it: Linux gives one port to connections that lead
  /// elsewhere.
  struct Ends: Hashable {
    struct End: Hashable {
      let ip: String
      let port: Int32
    }

    let local: End
    let remote: End

    /// Whether these are the ends of `socket`.
    fileprivate func are(of socket: curl_socket_t) -> Bool {
      unsafe cellophane_curl_is_end(local.ip, local.port, socket, getsockname)
        && cellophane_curl_is_end(remote.ip, remote.port, socket, getpeername)
    }
  }

  private struct Connection {
    let socket: curl_socket_t
    /// Who sent the last request over it.
    weak var user: CurlEasy?
  }

  private var connections: [Ends: Connection] = [:]
  private var endsOfSockets: [curl_socket_t: Ends] = [:]
  private var idle: [curl_socket_t] = []

  /// Notes that a request of `user` goes over the connection of `ends`, which is one of those just opened, or a kept
  /// one.
  func use(_ ends: Ends, by user: CurlEasy, among opened: [curl_socket_t]) {
    if let socket = opened.first(where: ends.are(of:)) {
      connections[ends] = Connection(socket: socket, user: user)
      endsOfSockets[socket] = ends
    } else if let socket = connections[ends]?.socket {
      // libcurl may not have told yet that the former one has its answer.
      connections[ends]?.user?.leaves(ends, received: received(over: ends))
      connections[ends]?.user = user
      idle.removeAll { $0 == socket }
    }
  }

  /// The bytes that have come over the connection of `ends`, whatever they are; nil when nobody knows.
  func received(over ends: Ends) -> Int? {
    guard let socket = connections[ends]?.socket else { return nil }
    let bytes = cellophane_curl_received_over(socket)
    return bytes < 0 ? nil : Int(bytes)
  }

  /// Notes that the connection of `ends` has answered `user`, and must be silent until it is asked again. libcurl may
  /// have given it to another before it tells.
  func rest(_ ends: Ends, by user: CurlEasy) {
    if let connection = connections[ends], connection.user === user {
      idle.append(connection.socket)
    }
  }

  /// Forgets a socket that is about to be closed.
  func forget(_ socket: curl_socket_t) {
    if let ends = endsOfSockets.removeValue(forKey: socket) {
      connections[ends]?.user?.leaves(ends, received: received(over: ends))
      connections[ends] = nil
    }
    idle.removeAll { $0 == socket }
  }

  /// Breaks the idle connections that are not silent; libcurl opens another then.
  func breakThoseThatSpeak() {
    guard unsafe cellophane_curl_any_readable(idle, Int32(idle.count)) != 0 else { return }
    for socket in idle where unsafe cellophane_curl_any_readable([socket], 1) != 0 {
      cellophane_curl_break(socket)
    }
  }
}
