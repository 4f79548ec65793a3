internal import CMicroHTTPD
public import Cellophane
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// An origin server on loopback that follows a script on every connection, byte by byte, in plain text or over TLS. Use
/// it for behavior that no HTTP library has. Each connection has a separate thread.
public final class RawOrigin: Sendable {
  /// The next action on a connection. After the last step the origin ends TLS, if any, and closes. A step that fails,
  /// because the peer has closed, ends the connection.
  public enum Step: Sendable {
    /// Reads up to the empty line after the head of a request, or up to the first TLS record on a plain connection.
    case read
    /// Reads frames of HTTP/2 up to the head of a request.
    case readStream
    /// Reads at least one byte, of a message that has no head. Counts as a head.
    case take
    /// Forwards bytes in both directions between the client and a port on loopback, as a proxy does, until one side
    /// closes. Not over TLS.
    case relay(port: Int)
    /// Sends bytes.
    case send([UInt8])
    /// Sends bytes repeatedly until the peer closes.
    case flood([UInt8])
    /// Sends bytes one by one, with a pause after each.
    case drip([UInt8], every: Duration)
    /// Waits for a time.
    case pause(Duration)
    /// Waits until the peer closes.
    case hold
    /// Calls a function, which reports progress to the test.
    case call(@Sendable () -> Void)
    /// Closes the sending side, and closes the connection when the peer does.
    case halfClose
    /// Closes at once. Over TLS it omits the close notification, which distinguishes a complete body from a truncated
    /// one.
    case cut
    /// Resets the connection.
    case reset

    /// Sends the UTF-8 of `text`.
    public static func send(_ text: String) -> Step { .send(Array(text.utf8)) }
  }

  /// The connections and requests of an origin.
  public struct Counters: Equatable, Sendable {
    /// Connections accepted.
    public var connections = 0
    /// The heads of the requests, in the order of their arrival, with one character per byte. Empty strings for
    /// HTTP/2.
    public var heads: [String] = []
    /// The number of requests.
    public var requests: Int { heads.count }
  }

  private struct State {
    var counters = Counters()
    var sockets: Set<Int32> = []
    var threads: [WorkThread] = []
  }

  /// The state that the threads share.
  private final class Shared: Sendable {
    let script: @Sendable (Int) -> [Step]
    let identity: ServerCredentials?
    let gate: HandshakeGate
    let isHeld: @Sendable (Int) -> Bool
    let state = Mutex(State())

    init(
      script: @escaping @Sendable (Int) -> [Step], identity: ServerCredentials?, gate: HandshakeGate,
      isHeld: @escaping @Sendable (Int) -> Bool
    ) {
      self.script = script
      self.identity = identity
      self.gate = gate
      self.isHeld = isHeld
    }

    /// Closes a socket under the lock. Otherwise ``RawOrigin/stop()`` could shut down a new socket with the same
    /// number.
    func end(_ client: Int32) {
      state.withLock { state in
        state.sockets.remove(client)
        close(client)
      }
    }
  }

  /// The port on which the origin listens.
  public let port: Int
  private let scheme: String
  private let socket: Int32
  private let shared: Shared
  private let thread: Mutex<WorkThread?>

  /// Starts listening.
  ///
  /// - Parameters:
  ///   - identity: The certificate for TLS; nil for plain text.
  ///   - applicationProtocol: The protocol to offer over TLS (ALPN), such as `h2`; nil for none.
  ///   - isHeld: Returns true for the number of a connection on which the origin waits for ``admit()`` before it does
  ///     anything, including the TLS handshake. The connection is accepted nevertheless.
  ///   - script: Returns the steps of a connection, by its number from 0.
  /// - Throws: ``LoadError/Kind/io`` when the system has no descriptor or thread left,
  ///   ``LoadError/Kind/invalidRequest`` for an invalid identity.
  public init(
    identity: TLSIdentity? = nil, speaking applicationProtocol: String? = nil,
    holding isHeld: @escaping @Sendable (_ connection: Int) -> Bool = { _ in false },
    script: @escaping @Sendable (_ connection: Int) -> [Step]
  ) throws(LoadError) {
    let credentials = try identity.map { (identity) throws(LoadError) in
      try ServerCredentials(identity, speaking: applicationProtocol)
    }
    guard let gate = HandshakeGate() else { throw Self.exhausted }
    let shared = Shared(script: script, identity: credentials, gate: gate, isHeld: isHeld)
    var port: Int32 = 0
    let socket = unsafe cellophane_listen(&port)
    guard socket >= 0 else { throw Self.exhausted }
    guard let thread = WorkThread({ Self.serve(socket, shared) }) else {
      close(socket)
      throw Self.exhausted
    }
    self.socket = socket
    self.port = Int(port)
    self.shared = shared
    self.thread = Mutex(thread)
    scheme = identity == nil ? "http" : "https"
  }

  /// Starts an origin that reads one request on every connection, sends `answer` and closes.
  ///
  /// - Throws: ``LoadError/Kind/io`` when the system has no descriptor or thread left.
  public convenience init(answer: [UInt8]) throws(LoadError) {
    try self.init { _ in [.read, .send(answer)] }
  }

  deinit { stop() }

  /// Continues with the held connections, and holds no later ones.
  public func admit() { shared.gate.open() }

  /// Stops listening, ends the running connections and joins the threads. Safe to call twice.
  public func stop() {
    guard let thread = thread.withLock({ $0.take() }) else { return }
    shutdown(socket, Int32(SHUT_RDWR))
    thread.join()
    close(socket)
    let threads = shared.state.withLock { state in
      for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
      defer { state.threads = [] }
      return state.threads
    }
    for thread in threads { thread.join() }
  }

  /// Returns the URL of `target`, a path that begins with a slash.
  public func url(_ target: String, scheme: String? = nil) -> String {
    "\(scheme ?? self.scheme)://127.0.0.1:\(port)\(target)"
  }

  /// The connections and requests so far.
  public var counters: Counters { shared.state.withLock { $0.counters } }

  private static let exhausted = LoadError(
    .io, "the process has no file descriptor or thread left for the origin", isRetryable: true)

  private static func serve(_ socket: Int32, _ shared: Shared) {
    while true {
      let client = accept(socket, nil, nil)
      if client < 0 { return }
      let number = shared.state.withLock { state in
        state.sockets.insert(client)
        state.counters.connections += 1
        return state.counters.connections - 1
      }
      let thread = WorkThread {
        if shared.isHeld(number) { shared.gate.pass(client) }
        perform(shared.script(number), on: client, shared)
        shared.end(client)
      }
      if let thread { shared.state.withLock { $0.threads.append(thread) } } else { shared.end(client) }
    }
  }

  private static func perform(_ steps: [Step], on socket: Int32, _ shared: Shared) {
    guard var connection = RawConnection(socket, shared.identity) else { return }
    for step in steps {
      switch step {
      case .read:
        guard let head = connection.readHead() else { return }
        shared.state.withLock { $0.counters.heads.append(String(fieldBytes: head.span)) }
      case .readStream:
        guard connection.readStream() else { return }
        shared.state.withLock { $0.counters.heads.append("") }
      case .take:
        guard let bytes = connection.readBytes() else { return }
        shared.state.withLock { $0.counters.heads.append(String(fieldBytes: bytes.span)) }
      case .relay(let port): return connection.relay(to: port)
      case .send(let bytes): guard connection.write(bytes) else { return }
      case .flood(let bytes):
        while connection.write(bytes) {}
        return
      case .drip(let bytes, let time):
        for byte in bytes { guard connection.write([byte]), !connection.waitsForHangUp(time) else { return } }
      case .pause(let time): if connection.waitsForHangUp(time) { return }
      case .hold:
        _ = connection.waitsForHangUp(nil)
        return
      case .call(let function): function()
      case .halfClose:
        connection.halfClose()
        _ = connection.waitsForHangUp(nil)
        return
      case .cut: return
      case .reset: return connection.setReset()
      }
    }
    connection.sendCloseNotify()
  }
}
