internal import CCurl
internal import Synchronization

/// The connections that libcurl keeps. Confined to the loop's thread.
///
/// libcurl before 8.1 takes unsolicited data on an idle connection for the response to the next request. Idle
/// connections are therefore checked before one of them is reused.
final class CurlSockets {
  /// The endpoints of a connection. The local one is not sufficient: Linux assigns one port to connections
  /// with different remote endpoints.
  struct Endpoints: Hashable {
    struct Endpoint: Hashable {
      let ip: String
      let port: Int32
    }

    let local: Endpoint
    let remote: Endpoint

    /// Returns whether these are the endpoints of `socket`.
    fileprivate func match(_ socket: curl_socket_t) -> Bool {
      unsafe cellophane_curl_is_end(local.ip, local.port, socket, getsockname)
        && cellophane_curl_is_end(remote.ip, remote.port, socket, getpeername)
    }
  }

  /// A connection.
  final class Connection {
    let endpoints: Endpoints
    /// A number that is unique in the process; ports are reused.
    let number = Connection.count.add(1, ordering: .relaxed).newValue
    private static let count = Atomic(0)
    fileprivate let socket: curl_socket_t
    /// The authority that it was opened for; see ``CurlEasy/authority``.
    fileprivate let authority: String
    /// True if it leads to a proxy instead.
    let usesProxy: Bool
    /// The hop that sent the last request over the connection, until its response is complete. Not weak,
    /// because a weak reference would make every reference count of the object slower.
    fileprivate var user: CurlEasy?
    /// The number of hops that have sent a request over the connection and have not ended: several in HTTP/2.
    /// In HTTP/1 it is two until the end of the first hop is reported.
    fileprivate(set) var users = 0
    fileprivate(set) var isOpen = true
    /// True if it carries several requests at a time (HTTP/2).
    var isShared = false
    /// The bytes received when the last response was complete; nil without a response, or if the system does
    /// not count them.
    fileprivate(set) var receivedWhenIdle: Int?
    /// The time since which the connection is open without a request.
    fileprivate var unusedSince: Duration?
    fileprivate var wasBroken = false
    /// The bytes that may arrive; nil if the system does not count them.
    var allowance: ConnectionAllowance?

    fileprivate init(_ endpoints: Endpoints, _ socket: curl_socket_t, openedBy user: CurlEasy) {
      (self.endpoints, self.socket, authority, usesProxy) = (
        endpoints, socket, user.authority, user.attempt.usesProxy
      )
      allowance = receivedAtMost.map(ConnectionAllowance.init)
    }

    /// True if more bytes were received than all responses over the connection may take.
    var isFlooded: Bool {
      guard let allowance, let receivedAtMost else { return false }
      return receivedAtMost > allowance.bytes
    }

    /// The bytes received over the connection, of any kind; nil if the system does not count them.
    var received: Int? {
      guard isOpen, case let bytes = cellophane_curl_received_over(socket), bytes >= 0 else { return nil }
      return Int(bytes)
    }

    /// The same number in half the time, or one more if the end of the stream has arrived.
    var receivedAtMost: Int? {
      guard isOpen, case let bytes = cellophane_curl_received_at_most(socket), bytes >= 0 else { return nil }
      return Int(bytes)
    }
  }

  /// The lifetime of an encrypted connection that was never used. 10 s, as in Chromium: some servers send an
  /// error to a client that is silent for 20 s. It would count as a response, and encrypted it cannot be
  /// distinguished from permitted data (a TLS ticket, HTTP/2 settings).
  static let unusedLifetime = Duration.seconds(10)
  /// The time without HTTP/2 after an origin's flood. 10 minutes: HTTP/1.1 costs only round trips, and each
  /// flood delays other origins.
  static let plainTime = Duration.seconds(600)

  /// The watchdog for calls of libcurl.
  let watchdog: CurlWatchdog
  /// The queues for connections.
  let queues: ConnectionQueues
  /// The exchanges that found an address for others since the loop checked last, with the authority.
  var resolved: [(exchange: CurlExchange, authority: String)] = []
  private var connections: [Endpoints: Connection] = [:]
  private var connectionsOfSockets: [curl_socket_t: Connection] = [:]
  private var idle: [curl_socket_t] = []
  /// The encrypted connections that were never used, on which data may still arrive.
  private var unused: [Connection] = []
  /// The authorities that are requested with HTTP/1.1 because a connection to them was broken, and until when.
  private var plainUntil: [String: Duration] = [:]

  init(_ watchdog: CurlWatchdog, _ queues: ConnectionQueues) {
    (self.watchdog, self.queues) = (watchdog, queues)
  }

  /// Assigns the connection of `endpoints` to a request of `user`.
  ///
  /// - Returns: The connection and whether it is one of those just opened; nil for an unknown connection.
  func use(
    _ endpoints: Endpoints, by user: CurlEasy, among opened: [curl_socket_t]
  ) -> (connection: Connection?, isNew: Bool) {
    if let socket = opened.first(where: endpoints.match(_:)) {
      let connection = Connection(endpoints, socket, openedBy: user)
      connection.allowance?.begin(limit: user.bodyLimit)
      connection.user = user
      connection.users = 1
      connections[endpoints] = connection
      connectionsOfSockets[socket] = connection
      return (connection, true)
    }
    guard let connection = connections[endpoints] else { return (nil, false) }
    // libcurl may not have reported yet that the previous response is complete.
    release(connection)
    connection.allowance?.begin(limit: user.bodyLimit)
    connection.user = user
    connection.users += 1
    idle.removeAll { $0 == connection.socket }
    unused.removeAll { $0 === connection }
    return (connection, false)
  }

  /// Makes `connection` idle after its response to `user`; returns true if another hop can use it. libcurl
  /// may have reused it before this call.
  func makeIdle(_ connection: Connection, by user: CurlEasy) -> Bool {
    guard connection.isOpen, connection.user === user else { return false }
    release(connection)
    idle.append(connection.socket)
    return true
  }

  /// Records that `user` no longer uses `connection`.
  func leave(_ connection: Connection, by user: CurlEasy) {
    connection.users -= 1
    if connection.user === user { release(connection) }
  }

  /// Ends the assignment of `connection`, if any; its user records the bytes received.
  private func release(_ connection: Connection) {
    guard let user = connection.user else { return }
    connection.receivedWhenIdle = user.noteReleased(connection)
    connection.user = nil
  }

  /// Makes `connection`, which `user` set up without sending a request, available to another hop.
  func makeUnused(_ connection: Connection, by user: CurlEasy, at now: Duration) -> Bool {
    guard user.isEncrypted else { return makeIdle(connection, by: user) }
    guard connection.isOpen, connection.user === user else { return false }
    connection.user = nil
    connection.unusedSince = now
    unused.append(connection)
    return true
  }

  /// Returns whether a request to `authority` could use an existing connection.
  func hasFree(_ authority: String) -> Bool {
    connections.values.contains { $0.authority == authority && ($0.user == nil || $0.isShared) }
  }

  /// Forgets a socket that is about to be closed.
  func forget(_ socket: curl_socket_t) {
    let wasBroken = watchdog.close(socket)
    if let connection = connectionsOfSockets.removeValue(forKey: socket) {
      release(connection)
      (connection.isOpen, connection.wasBroken) = (false, wasBroken)
      if connections[connection.endpoints] === connection { connections[connection.endpoints] = nil }
    }
    idle.removeAll { $0 == socket }
    unused.removeAll { $0.socket == socket }
  }

  /// Breaks `connection`, whose responses then fail.
  func breakConnection(_ connection: Connection) {
    if connection.isOpen { watchdog.breakConnection(connection.socket) }
  }

  /// Requests `authority` with HTTP/1.1 for a while, where each byte belongs to a response.
  func avoidHTTP2(_ authority: String, at now: Duration) {
    plainUntil = plainUntil.filter { $0.value > now }
    plainUntil[authority] = now + Self.plainTime
  }

  /// Returns whether `authority` may be requested with HTTP/2.
  func mayUseHTTP2(_ authority: String, at now: Duration) -> Bool {
    plainUntil[authority].map { $0 <= now } ?? true
  }

  /// Returns whether `connection` was broken for a flood.
  func wasBroken(_ connection: Connection) -> Bool {
    connection.isOpen ? watchdog.hasBroken(connection.socket) : connection.wasBroken
  }

  /// Breaks idle connections with unsolicited data and unused connections past their lifetime. libcurl then
  /// opens others.
  func breakStaleConnections(at now: Duration) {
    if let oldest = unused.first?.unusedSince, now - oldest > Self.unusedLifetime {
      for connection in unused where now - (connection.unusedSince ?? now) > Self.unusedLifetime {
        cellophane_curl_break(connection.socket)
      }
    }
    guard unsafe cellophane_curl_any_readable(idle, Int32(idle.count)) != 0 else { return }
    for socket in idle where unsafe cellophane_curl_any_readable([socket], 1) != 0 {
      cellophane_curl_break(socket)
    }
  }
}
