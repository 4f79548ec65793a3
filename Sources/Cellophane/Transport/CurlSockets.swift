internal import CCurl

/// The connections that libcurl keeps. Lives on the loop's thread.
///
/// What an origin sends while nobody has asked, libcurl before 8.1 takes for the answer to the next request on
/// that connection. So those that are idle are looked at before one of them is used again.
final class CurlSockets {
  /// Our end of a connection, which no two connections share.
  struct LocalEnd: Hashable {
    let ip: String
    let port: Int
  }

  private struct Connection {
    let socket: curl_socket_t
    /// Who sent the last request over it.
    var user: ObjectIdentifier
  }

  private var connections: [LocalEnd: Connection] = [:]
  private var ends: [curl_socket_t: LocalEnd] = [:]
  private var idle: [curl_socket_t] = []

  /// Notes that a request of `user` goes over the connection of `end`, which is one of those just opened, or a kept
  /// one.
  func use(_ end: LocalEnd, by user: CurlEasy, among opened: [curl_socket_t]) {
    let user = ObjectIdentifier(user)
    if let socket = opened.first(where: { Int(cellophane_curl_local_port($0)) == end.port }) {
      connections[end] = Connection(socket: socket, user: user)
      ends[socket] = end
    } else if let socket = connections[end]?.socket {
      connections[end]?.user = user
      idle.removeAll { $0 == socket }
    }
  }

  /// The bytes that have come over the connection of `end`, whatever they are; nil when nobody knows.
  func received(over end: LocalEnd) -> Int? {
    guard let socket = connections[end]?.socket else { return nil }
    let bytes = cellophane_curl_received_over(socket)
    return bytes < 0 ? nil : Int(bytes)
  }

  /// Notes that the connection of `end` has answered `user`, and must be silent until it is asked again. libcurl may
  /// have given it to another before it tells.
  func rest(_ end: LocalEnd, by user: CurlEasy) {
    if let connection = connections[end], connection.user == ObjectIdentifier(user) {
      idle.append(connection.socket)
    }
  }

  /// Forgets a socket that is about to be closed.
  func forget(_ socket: curl_socket_t) {
    if let end = ends.removeValue(forKey: socket) { connections[end] = nil }
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
