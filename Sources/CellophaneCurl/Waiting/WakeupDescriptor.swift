internal import CCurl

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A pipe that wakes the loop from other threads: they write to one end, and the loop polls the other.
final class WakeupDescriptor: Sendable {
  /// The end that is readable after ``signal()``.
  let descriptor: Int32
  private let writer: Int32

  /// Creates a pipe; nil if no file descriptor is available.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard unsafe cellophane_curl_pipe(&ends) == 0 else { return nil }
    (descriptor, writer) = (ends[0], ends[1])
  }

  /// Wakes the loop, or keeps it from its next sleep. If the pipe is full, the loop is awake already.
  func signal() { unsafe _ = write(writer, [1], 1) }

  /// Discards the signals.
  func clear() {
    var signals: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
    while unsafe read(descriptor, &signals, signals.count) == signals.count {}
  }

  deinit {
    close(descriptor)
    close(writer)
  }
}
