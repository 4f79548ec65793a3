internal import CCurl
internal import Synchronization

/// A watchdog that breaks connections from which libcurl does not return.
///
/// libcurl keeps reading within one call as long as an HTTP/2 connection delivers frames without content
/// (7.88 does). An origin could therefore block every other exchange and all deadlines. The watchdog breaks a
/// connection on which libcurl reads within the same call at three consecutive checks, and reads far more than
/// it delivers; the call then returns. It checks only while the loop has work.
final class CurlWatchdog: Sendable {
  private struct State {
    /// The open sockets. A socket is removed before it is closed, so the watchdog never breaks another
    /// connection that received the same number.
    var open: Set<curl_socket_t> = []
    var broken: Set<curl_socket_t> = []
  }

  /// The observations of one check.
  private struct Check {
    let calls: UInt
    /// The bytes of heads and bodies delivered before.
    let delivered: Int
    var read: [curl_socket_t: Int] = [:]
    /// The sockets that were read since the previous check, within the same call, mostly without delivery.
    var suspects: Set<curl_socket_t> = []
  }

  /// The time between two checks. 100 ms: a flood then delays other exchanges by at most three tenths of a
  /// second.
  static let interval = Duration.milliseconds(100)
  /// The bytes that libcurl may read between two checks without delivery, in addition to the delivered ones.
  /// 64 KB: a flood that keeps libcurl busy is at least ten times as fast.
  private static let tolerance = 64 << 10

  private let timeline: Timeline
  /// The number of entries into and exits from libcurl; odd while libcurl runs.
  private let calls = Atomic<UInt>(0)
  /// The bytes of heads and bodies that libcurl has delivered.
  private let delivered = Atomic(0)
  private let isChecking = Atomic(false)
  private let state = Mutex(State())

  init(_ timeline: Timeline) { self.timeline = timeline }

  /// Runs `work`, a call of libcurl that might not return by itself.
  func run(_ work: () -> Void) {
    calls.add(1, ordering: .sequentiallyConsistent)
    if !isChecking.load(ordering: .sequentiallyConsistent) { begin() }
    work()
    calls.add(1, ordering: .sequentiallyConsistent)
  }

  /// Records the delivery of `bytes` bytes of a head or body. The loop's thread is the only one that calls this.
  func noteDelivery(_ bytes: Int) {
    delivered.store(delivered.load(ordering: .relaxed) &+ bytes, ordering: .relaxed)
  }

  /// Records an opened socket.
  func open(_ socket: curl_socket_t) { state.withLock { _ = $0.open.insert(socket) } }

  /// Records that a socket is about to be closed; returns true if it was broken.
  func close(_ socket: curl_socket_t) -> Bool {
    state.withLock { state in
      state.open.remove(socket)
      return state.broken.remove(socket) != nil
    }
  }

  /// Breaks the connection of an open socket.
  func breakConnection(_ socket: curl_socket_t) {
    state.withLock { state in
      guard state.open.contains(socket), state.broken.insert(socket).inserted else { return }
      cellophane_curl_break(socket)
    }
  }

  /// Returns whether an open socket was broken.
  func hasBroken(_ socket: curl_socket_t) -> Bool { state.withLock { $0.broken.contains(socket) } }

  private func begin() {
    guard !isChecking.exchange(true, ordering: .sequentiallyConsistent) else { return }
    timeline.spawn { [self] in await check() }
  }

  /// Checks until the loop was idle since the previous check.
  private func check() async {
    var last = Check(calls: calls.load(ordering: .sequentiallyConsistent), delivered: 0)
    while true {
      guard (try? await timeline.sleep(for: Self.interval)) != nil else { break }
      let current = calls.load(ordering: .sequentiallyConsistent)
      if current & 1 == 1 {
        last = check(after: last, in: current)
      } else if current == last.calls {
        break
      } else {
        last = Check(calls: current, delivered: 0)
      }
    }
    isChecking.store(false, ordering: .sequentiallyConsistent)
    // A call that started in between saw that checks were still running.
    if calls.load(ordering: .sequentiallyConsistent) != last.calls { begin() }
  }

  private func check(after last: Check, in calls: UInt) -> Check {
    state.withLock { state in
      var check = Check(calls: calls, delivered: delivered.load(ordering: .relaxed))
      for socket in state.open { check.read[socket] = Int(cellophane_curl_read_from(socket)) }
      guard calls == last.calls else { return check }
      let most = 2 * (check.delivered - last.delivered) + Self.tolerance
      check.suspects = state.open.filter { socket in
        guard let before = last.read[socket], let read = check.read[socket] else { return false }
        return read - before > most
      }
      for socket in check.suspects.intersection(last.suspects) {
        cellophane_curl_break(socket)
        state.broken.insert(socket)
      }
      return check
    }
  }
}
