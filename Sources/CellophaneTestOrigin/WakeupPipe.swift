internal import CMicroHTTPD
internal import Cellophane

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A wait that ends at a time, when the peer of a socket closes, or when another thread calls ``signal()``.
final class WakeupPipe: Sendable {
  private let reader: Int32
  private let writer: Int32

  init() throws(LoadError) {
    var ends: (Int32, Int32) = (-1, -1)
    let status = unsafe withUnsafeMutableBytes(of: &ends) {
      unsafe pipe($0.baseAddress?.assumingMemoryBound(to: Int32.self))
    }
    guard status == 0 else {
      throw LoadError(.io, "the process has no file descriptor left for the origin", isRetryable: true)
    }
    (reader, writer) = ends
    for end in [reader, writer] {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
  }

  deinit {
    close(reader)
    close(writer)
  }

  /// Ends the current wait, or the next one when none is in progress.
  func signal() {
    var byte: UInt8 = 0
    // A full pipe already ends the wait.
    _ = unsafe write(writer, &byte, 1)
  }

  /// Waits for at most `time`, without limit when nil. Returns the sockets whose peer has closed.
  func wait(atMost time: Duration?, watching sockets: [Int32]) -> [Int32] {
    var descriptors = [pollfd(fd: reader, events: Int16(POLLIN), revents: 0)]
    descriptors += sockets.map { pollfd(fd: $0, events: Int16(CELLOPHANE_POLL_HANGUP), revents: 0) }
    let nanoseconds = time.map { max(0, Int64($0 / .nanoseconds(1))) } ?? -1
    let ready = unsafe cellophane_poll(&descriptors, Int32(descriptors.count), nanoseconds)
    guard ready > 0 else { return [] }
    if descriptors[0].revents != 0 {
      var bytes = [UInt8](repeating: 0, count: 64)
      while unsafe read(reader, &bytes, bytes.count) == bytes.count {}
    }
    return descriptors.dropFirst().filter { $0.revents != 0 }.map(\.fd)
  }
}
