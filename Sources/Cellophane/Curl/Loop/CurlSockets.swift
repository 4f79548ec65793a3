internal import CCurl
internal import Synchronization

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

  /// One of them.
  final class Connection {
    let ends: Ends
    /// Its own in the process; a port is given again.
    let number = Connection.count.add(1, ordering: .relaxed).newValue
    private static let count = Atomic(0)
    fileprivate let socket: curl_socket_t
    /// What it was opened to; see ``CurlEasy/site``.
    fileprivate let site: String
    /// Whether it leads elsewhere than to that.
    let isByProxy: Bool
    /// Who sent the last request over it, and has no answer yet: as long as it is their connection. Not weak, which would
    /// have every count of references to them take its long way.
    fileprivate var user: CurlEasy?
    /// How many have sent a request over it and not gone yet: several in HTTP/2, and otherwise two for as long as nobody
    /// has told the end of the first.
    fileprivate(set) var users = 0
    fileprivate(set) var isOpen = true
    /// Whether one request goes over it beside another (HTTP/2).
    var isShared = false
    /// What had come over it when its last answer was there; nil for one without, or when nobody knows.
    fileprivate(set) var receivedAtRest: Int?
    /// Since when it is there and was never used.
    fileprivate var unusedSince: Duration?
    fileprivate var hadToBreak = false

    fileprivate init(_ ends: Ends, _ socket: curl_socket_t, openedBy user: CurlEasy) {
      (self.ends, self.socket, site, isByProxy) = (ends, socket, user.site, user.attempt.isByProxy)
    }

    /// The bytes that have come over it, whatever they are; nil when nobody knows.
    var received: Int? {
      guard isOpen, case let bytes = cellophane_curl_received_over(socket), bytes >= 0 else { return nil }
      return Int(bytes)
    }

    /// The same, or one more when its end has come, behind which nothing comes: in half the time.
    var receivedAtMost: Int? {
      guard isOpen, case let bytes = cellophane_curl_received_at_most(socket), bytes >= 0 else { return nil }
      return Int(bytes)
    }
  }

  /// How long an encrypted connection that was never used is kept. 10 s, as in Chromium: some servers send an error to
  /// a client that says nothing for 20 s, which would be taken for an answer, and encrypted it looks like what they may
  /// send (a ticket of TLS, the settings of HTTP/2).
  static let unusedLifetime = Duration.seconds(10)

  /// Who sees to it that libcurl comes back from them.
  let watch: CurlWatch
  /// Who waits for one.
  let queues: ConnectionQueues
  /// Who got an address that others wait for, and of which site, since the loop looked last.
  var addressed: [(ticket: CurlExchange, site: String)] = []
  private var connections: [Ends: Connection] = [:]
  private var connectionsOfSockets: [curl_socket_t: Connection] = [:]
  private var idle: [curl_socket_t] = []
  /// Those that were never used, and may say something nevertheless.
  private var unused: [Connection] = []

  init(_ watch: CurlWatch, _ queues: ConnectionQueues) { (self.watch, self.queues) = (watch, queues) }

  /// The connection of `ends`, over which a request of `user` goes from now on, and whether it is one of those just
  /// opened; nil for one that nobody knows.
  func use(
    _ ends: Ends, by user: CurlEasy, among opened: [curl_socket_t]
  ) -> (connection: Connection?, isNew: Bool) {
    if let socket = opened.first(where: ends.are(of:)) {
      let connection = Connection(ends, socket, openedBy: user)
      connection.user = user
      connection.users = 1
      connections[ends] = connection
      connectionsOfSockets[socket] = connection
      return (connection, true)
    }
    guard let connection = connections[ends] else { return (nil, false) }
    // libcurl may not have told yet that the former one has its answer.
    release(connection)
    connection.user = user
    connection.users += 1
    idle.removeAll { $0 == connection.socket }
    unused.removeAll { $0 === connection }
    return (connection, false)
  }

  /// Notes that `connection` has answered `user`, and must be silent until it is asked again; true when it is there for
  /// another. libcurl may have given it to one before it tells.
  func rest(_ connection: Connection, by user: CurlEasy) -> Bool {
    guard connection.isOpen, connection.user === user else { return false }
    release(connection)
    idle.append(connection.socket)
    return true
  }

  /// Notes that `user` has gone from `connection`, whatever became of it.
  func leave(_ connection: Connection, by user: CurlEasy) {
    connection.users -= 1
    if connection.user === user { release(connection) }
  }

  /// Takes `connection` from who used it, if anybody, who counts what has come over it.
  private func release(_ connection: Connection) {
    guard let user = connection.user else { return }
    connection.receivedAtRest = user.leaves(connection)
    connection.user = nil
  }

  /// Notes that `connection`, which `user` made, is there for another, and has not been asked anything.
  func restUnused(_ connection: Connection, by user: CurlEasy, at now: Duration) -> Bool {
    guard user.isEncrypted else { return rest(connection, by: user) }
    guard connection.isOpen, connection.user === user else { return false }
    connection.user = nil
    connection.unusedSince = now
    unused.append(connection)
    return true
  }

  /// Whether a request to `site` would go over a connection that is there.
  func hasFree(_ site: String) -> Bool {
    connections.values.contains { $0.site == site && ($0.user == nil || $0.isShared) }
  }

  /// Forgets a socket that is about to be closed.
  func forget(_ socket: curl_socket_t) {
    let hadToBreak = watch.close(socket)
    if let connection = connectionsOfSockets.removeValue(forKey: socket) {
      release(connection)
      (connection.isOpen, connection.hadToBreak) = (false, hadToBreak)
      if connections[connection.ends] === connection { connections[connection.ends] = nil }
    }
    idle.removeAll { $0 == socket }
    unused.removeAll { $0.socket == socket }
  }

  /// Whether `connection` had to be broken because libcurl did not come back from it.
  func hadToBreak(_ connection: Connection) -> Bool {
    connection.isOpen ? watch.hasBroken(connection.socket) : connection.hadToBreak
  }

  /// Breaks the idle connections that are not silent, or were not used in time; libcurl opens another then.
  func breakThoseThatSpeak(at now: Duration) {
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
