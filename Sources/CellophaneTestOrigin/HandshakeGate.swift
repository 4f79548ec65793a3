internal import CMicroHTTPD
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A gate that blocks threads until it is opened. A pipe: opening the gate closes its writing end.
final class HandshakeGate: Sendable {
  private let reading: Int32
  private let writing: Mutex<Int32?>

  /// Creates a closed gate; nil when the system has no descriptor left.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    reading = ends[0]
    writing = Mutex(ends[1])
  }

  deinit {
    open()
    close(reading)
  }

  /// Opens the gate for all threads, now and in the future.
  func open() {
    writing.withLock { end in
      if let end { close(end) }
      end = nil
    }
  }

  /// Waits until the gate is open or the peer of `socket` has closed.
  func pass(_ socket: Int32) {
    var descriptors = [
      pollfd(fd: reading, events: 0, revents: 0),
      pollfd(fd: socket, events: Int16(CELLOPHANE_POLL_HANGUP), revents: 0),
    ]
    _ = unsafe cellophane_poll(&descriptors, 2, -1)
  }
}
