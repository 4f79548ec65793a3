internal import CCurl
internal import Synchronization

/// Sees to it that libcurl comes back.
///
/// It reads on within one call for as long as a connection of HTTP/2 brings frames that hold nothing (7.88 does), so
/// that an origin could hold up every other exchange, and all deadlines. A connection that is read in one call at three
/// looks is broken; the call ends then. Looks happen only while there is something to look at.
final class CurlWatch: Sendable {
  private struct State {
    /// The sockets that are open. One that is about to be closed is taken out before, so that none is broken whose
    /// number is another's by then.
    var open: Set<curl_socket_t> = []
    var broken: Set<curl_socket_t> = []
  }

  /// What was seen at one look.
  private struct Look {
    let turn: UInt
    var read: [curl_socket_t: Int] = [:]
    /// Those that were being read in the same turn.
    var suspects: Set<curl_socket_t> = []
  }

  /// Between two looks. 1 s: a turn with much to do takes a tenth of it, and a connection its part of that.
  static let interval = Duration.seconds(1)

  private let timeline: Timeline
  /// Odd while libcurl works.
  private let turn = Atomic<UInt>(0)
  private let isLooking = Atomic(false)
  private let state = Mutex(State())

  init(_ timeline: Timeline) { self.timeline = timeline }

  /// Runs `work`, which may call what never comes back by itself.
  func during(_ work: () -> Void) {
    turn.add(1, ordering: .sequentiallyConsistent)
    if !isLooking.load(ordering: .sequentiallyConsistent) { begin() }
    work()
    turn.add(1, ordering: .sequentiallyConsistent)
  }

  /// Notes a socket that was opened.
  func open(_ socket: curl_socket_t) { state.withLock { _ = $0.open.insert(socket) } }

  /// Notes that a socket is about to be closed; true when it was broken from here.
  func close(_ socket: curl_socket_t) -> Bool {
    state.withLock { state in
      state.open.remove(socket)
      return state.broken.remove(socket) != nil
    }
  }

  /// Whether a socket that is open was broken from here.
  func hasBroken(_ socket: curl_socket_t) -> Bool { state.withLock { $0.broken.contains(socket) } }

  private func begin() {
    guard !isLooking.exchange(true, ordering: .sequentiallyConsistent) else { return }
    timeline.spawn { [self] in await look() }
  }

  /// Looks until nothing has happened since the last time.
  private func look() async {
    var last = Look(turn: turn.load(ordering: .sequentiallyConsistent))
    while true {
      guard (try? await timeline.sleep(for: Self.interval)) != nil else { break }
      let now = turn.load(ordering: .sequentiallyConsistent)
      if now & 1 == 1 {
        last = look(after: last, in: now)
      } else if now == last.turn {
        break
      } else {
        last = Look(turn: now)
      }
    }
    isLooking.store(false, ordering: .sequentiallyConsistent)
    // Work that began meanwhile saw that somebody looked.
    if turn.load(ordering: .sequentiallyConsistent) != last.turn { begin() }
  }

  private func look(after last: Look, in turn: UInt) -> Look {
    state.withLock { state in
      var look = Look(turn: turn)
      for socket in state.open { look.read[socket] = Int(cellophane_curl_read_from(socket)) }
      guard turn == last.turn else { return look }
      look.suspects = state.open.filter { last.read[$0] != nil && last.read[$0] != look.read[$0] }
      for socket in look.suspects.intersection(last.suspects) {
        cellophane_curl_break(socket)
        state.broken.insert(socket)
      }
      return look
    }
  }
}
