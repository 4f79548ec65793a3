internal import CCurl
internal import Synchronization

/// A watchdog that breaks connections from which libcurl does not return.
///
/// libcurl keeps reading within one call as long as an HTTP/2 connection delivers frames without content
/// (7.88 does). An origin could therefore block every other exchange and all deadlines. The watchdog breaks a
/// connection that makes progress within the same call at three consecutive checks; the call then returns. It
/// checks only while the loop has work.
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
    var read: [curl_socket_t: Int] = [:]
    /// The sockets that were read since the previous check, within the same call.
    var suspects: Set<curl_socket_t> = []
  }

  /// The time between two checks. 1 s: a busy iteration takes a tenth of it, and one connection only a part
  /// of that.
  static let interval = Duration.seconds(1)

  private let timeline: Timeline
  /// The number of entries into and exits from libcurl; odd while libcurl runs.
  private let calls = Atomic<UInt>(0)
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

  /// Records an opened socket.
  func open(_ socket: curl_socket_t) { state.withLock { _ = $0.open.insert(socket) } }

  /// Records that a socket is about to be closed; returns true if the watchdog broke it.
  func close(_ socket: curl_socket_t) -> Bool {
    state.withLock { state in
      state.open.remove(socket)
      return state.broken.remove(socket) != nil
    }
  }

  /// Returns whether the watchdog broke an open socket.
  func hasBroken(_ socket: curl_socket_t) -> Bool { state.withLock { $0.broken.contains(socket) } }

  private func begin() {
    guard !isChecking.exchange(true, ordering: .sequentiallyConsistent) else { return }
    timeline.spawn { [self] in await check() }
  }

  /// Checks until the loop was idle since the previous check.
  private func check() async {
    var last = Check(calls: calls.load(ordering: .sequentiallyConsistent))
    while true {
      guard (try? await timeline.sleep(for: Self.interval)) != nil else { break }
      let current = calls.load(ordering: .sequentiallyConsistent)
      if current & 1 == 1 {
        last = check(after: last, in: current)
      } else if current == last.calls {
        break
      } else {
        last = Check(calls: current)
      }
    }
    isChecking.store(false, ordering: .sequentiallyConsistent)
    // A call that started in between saw that checks were still running.
    if calls.load(ordering: .sequentiallyConsistent) != last.calls { begin() }
  }

  private func check(after last: Check, in calls: UInt) -> Check {
    state.withLock { state in
      var check = Check(calls: calls)
      for socket in state.open { check.read[socket] = Int(cellophane_curl_read_from(socket)) }
      guard calls == last.calls else { return check }
      check.suspects = state.open.filter { last.read[$0] != nil && last.read[$0] != check.read[$0] }
      for socket in check.suspects.intersection(last.suspects) {
        cellophane_curl_break(socket)
        state.broken.insert(socket)
      }
      return check
    }
  }
}
