internal import CMicroHTTPD
public import Cellophane
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A listener on loopback that answers every connection with the same bytes, whatever they are, and closes
/// it: for answers that no HTTP library would write.
public final class RawOrigin: Sendable {
  /// The port it listens on.
  public let port: Int
  private let socket: Int32
  private let thread: Mutex<WorkThread?>

  /// Starts answering with `answer`.
  ///
  /// - Throws: ``LoadError/Kind/io`` when the system has no descriptor or thread left.
  public init(answer: [UInt8]) throws(LoadError) {
    var port: Int32 = 0
    let socket = unsafe cellophane_listen(&port)
    guard socket >= 0 else { throw Self.exhausted }
    guard let thread = WorkThread({ Self.serve(answer, on: socket) }) else {
      close(socket)
      throw Self.exhausted
    }
    self.socket = socket
    self.port = Int(port)
    self.thread = Mutex(thread)
  }

  deinit { stop() }

  /// Stops listening and ends the thread. May be called twice.
  public func stop() {
    guard let thread = thread.withLock({ $0.take() }) else { return }
    shutdown(socket, Int32(SHUT_RDWR))
    thread.join()
    close(socket)
  }

  /// The URL of `target` here, a path with its leading slash.
  public func url(_ target: String, scheme: String = "http") -> String {
    "\(scheme)://127.0.0.1:\(port)\(target)"
  }

  private static let exhausted = LoadError(
    .io, "the process has no file descriptor or thread left for the origin", isRetryable: true)

  private static func serve(_ answer: [UInt8], on socket: Int32) {
    while true {
      let client = accept(socket, nil, nil)
      if client < 0 { return }
      readRequest(from: client)
      var sent = 0
      while sent < answer.count {
        let count = unsafe answer.withUnsafeBytes { bytes in
          unsafe send(
            client, bytes.baseAddress?.advanced(by: sent), answer.count - sent, Int32(MSG_NOSIGNAL))
        }
        if count <= 0 { break }
        sent += count
      }
      close(client)
    }
  }

  /// Reads up to the empty line, to a TLS greeting's first record, or to the end.
  private static func readRequest(from client: Int32) {
    var head: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while head.suffix(4) != [0x0D, 0x0A, 0x0D, 0x0A], head.first != 0x16 {
      let count = unsafe read(client, &bytes, bytes.count)
      if count <= 0 { return }
      head += bytes[..<count]
    }
  }
}
