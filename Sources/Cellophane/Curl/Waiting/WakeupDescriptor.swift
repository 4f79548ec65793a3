internal import CCurl

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Wakes the loop from other threads: what they write at one end, it polls at the other.
final class WakeupDescriptor: Sendable {
  /// The end that is readable once the bell was rung.
  let descriptor: Int32
  private let rope: Int32

  /// Nil when the process has no descriptor left.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard unsafe cellophane_curl_pipe(&ends) == 0 else { return nil }
    (descriptor, rope) = (ends[0], ends[1])
  }

  /// Wakes the loop, now or when it next wants to sleep. A pipe that is full has woken it already.
  func ring() { unsafe _ = write(rope, [1], 1) }

  /// Takes back what was rung.
  func silence() {
    var rings: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
    while unsafe read(descriptor, &rings, rings.count) == rings.count {}
  }

  deinit {
    close(descriptor)
    close(rope)
  }
}
