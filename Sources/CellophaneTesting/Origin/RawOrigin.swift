internal import CMicroHTTPD
public import Cellophane
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// An origin on loopback that follows a script on every connection, byte by byte, in plain text or over TLS:
/// for what no HTTP library would do. Each connection has a thread of its own.
public final class RawOrigin: Sendable {
  /// What an origin does next on a connection. Behind the last step it says goodbye and closes; a step that
  /// fails, because the other side has gone, ends the connection.
  public enum Step: Sendable {
    /// Reads up to the empty line behind the head of a request, or the first record of TLS in plain text.
    case read
    /// Reads frames of HTTP/2 up to the head of a request.
    case readStream
    /// Reads what comes, at least a byte: a message that is no head. It is counted as a head.
    case take
    /// Hands on what either side says, as a proxy does that has made a connection to a port of loopback, until one of
    /// them ends. Not over TLS.
    case relay(port: Int)
    /// Sends bytes.
    case send([UInt8])
    /// Sends bytes again and again, for as long as they are taken.
    case flood([UInt8])
    /// Sends bytes, each so long after the one before.
    case drip([UInt8], every: Duration)
    /// Does nothing for a time.
    case pause(Duration)
    /// Does nothing until the other side closes.
    case hold
    /// Calls a function, to tell a test how far it is.
    case call(@Sendable () -> Void)
    /// Sends no more, and closes when the other side does.
    case halfClose
    /// Closes at once; over TLS without the goodbye that tells a whole body from one that was cut off.
    case cut
    /// Breaks the connection, so that the other side sees a reset.
    case reset

    /// Sends the UTF-8 of `text`.
    public static func send(_ text: String) -> Step { .send(Array(text.utf8)) }
  }

  /// What an origin has seen.
  public struct Counters: Equatable, Sendable {
    /// Connections accepted.
    public var connections = 0
    /// The heads of the requests that were read, in the order of their arrival; a character for each byte. Empty in
    /// HTTP/2.
    public var heads: [String] = []
    /// Requests read.
    public var requests: Int { heads.count }
  }

  private struct State {
    var counters = Counters()
    var sockets: Set<Int32> = []
    var threads: [WorkThread] = []
  }

  /// What its threads share.
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

    /// Closes under the lock, so that nobody shuts down a socket that is another's by then.
    func end(_ client: Int32) {
      state.withLock { state in
        state.sockets.remove(client)
        close(client)
      }
    }
  }

  /// The port it listens on.
  public let port: Int
  private let scheme: String
  private let socket: Int32
  private let shared: Shared
  private let thread: Mutex<WorkThread?>

  /// Starts listening.
  ///
  /// - Parameters:
  ///   - identity: For TLS; nil is plain text.
  ///   - applicationProtocol: What it speaks over TLS (ALPN), `h2` say; nil leaves that open.
  ///   - isHeld: Whether it does nothing on a connection, by its number, before ``admit()``, no handshake of TLS either.
  ///     Such a connection is accepted all the same.
  ///   - script: The steps of each connection, by its number, from 0.
  /// - Throws: ``LoadError/Kind/io`` when the system has no descriptor or thread left,
  ///   ``LoadError/Kind/invalidRequest`` for an identity that cannot be used.
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

  /// Starts an origin that reads one request on every connection, answers it with `answer` and closes.
  ///
  /// - Throws: ``LoadError/Kind/io`` when the system has no descriptor or thread left.
  public convenience init(answer: [UInt8]) throws(LoadError) {
    try self.init { _ in [.read, .send(answer)] }
  }

  deinit { stop() }

  /// Goes on with the connections that it holds, and holds no more.
  public func admit() { shared.gate.open() }

  /// Stops listening, breaks off what runs and ends the threads. May be called twice.
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

  /// The URL of `target` here, a path with its leading slash.
  public func url(_ target: String, scheme: String? = nil) -> String {
    "\(scheme ?? self.scheme)://127.0.0.1:\(port)\(target)"
  }

  /// What it has seen so far.
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
        play(shared.script(number), on: client, shared)
        shared.end(client)
      }
      if let thread { shared.state.withLock { $0.threads.append(thread) } } else { shared.end(client) }
    }
  }

  private static func play(_ steps: [Step], on socket: Int32, _ shared: Shared) {
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
        guard let bytes = connection.take() else { return }
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
    connection.sayGoodbye()
  }
}
