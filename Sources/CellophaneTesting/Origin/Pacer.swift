internal import Cellophane
internal import Synchronization

/// Holds suspended connections back until their time, their turn on the line or their client's leaving, on a
/// thread of its own.
///
/// Watching for the client is its task because libmicrohttpd does not look at suspended connections.
final class Pacer: Sendable {
  /// What becomes of a connection that asks to go on.
  enum Passage { case granted, held, stopped }

  private struct State {
    var queue: PaceQueue<HeldConnection>
    var held: [HeldConnection] = []
    var isStopped = false
  }

  /// The largest piece to send at once; nil when the line has no limit.
  let piece: Int?
  private let clock = Timeline()
  private let state: Mutex<State>
  private let alarm: Alarm
  private let thread = Mutex<WorkThread?>(nil)

  init(line: LinkBucket?) throws(LoadError) {
    piece = line?.piece
    state = Mutex(State(queue: PaceQueue(line: line)))
    alarm = try Alarm()
    guard let thread = WorkThread({ self.run() }) else {
      throw LoadError(.io, "the system has no thread left for the origin", isRetryable: true)
    }
    self.thread.withLock { $0 = thread }
  }

  /// The time since the pacer was made.
  var now: Duration { clock.now }

  /// Suspends `connection` until `due`, for ever when that is nil, or until its client leaves.
  func hold(_ connection: HeldConnection, until due: Duration?) -> Passage {
    pass(connection) { queue in
      if let due { queue.wait(connection, until: due) }
      return false
    }
  }

  /// Sends `bytes` over the line at once, or suspends `connection` until its turn or its client's leaving.
  func send(_ bytes: Int, over connection: HeldConnection, isGoingOn: Bool) -> Passage {
    let now = clock.now
    return pass(connection) { $0.send(bytes, for: connection, isGoingOn: isGoingOn, at: now) }
  }

  /// Lets every connection go on and ends the thread.
  func stop() {
    state.withLock { $0.isStopped = true }
    alarm.ring()
    thread.withLock { $0.take() }?.join()
  }

  private func pass(
    _ connection: HeldConnection, _ isGranted: (inout PaceQueue<HeldConnection>) -> Bool
  ) -> Passage {
    let passage: Passage = state.withLock { state in
      if state.isStopped { return .stopped }
      if isGranted(&state.queue) { return .granted }
      // Under the lock, so that its resumption cannot come first.
      connection.suspend()
      state.held.append(connection)
      return .held
    }
    if passage == .held { alarm.ring() }
    return passage
  }

  private func run() {
    while true {
      let now = clock.now
      let (released, watched, next, isStopped) = state.withLock { state in
        let released = state.isStopped ? state.held : state.queue.due(at: now)
        state.held.removeAll { released.contains($0) }
        return (released, state.held, state.queue.next, state.isStopped)
      }
      for connection in released { connection.resume() }
      if isStopped { return }
      let left = alarm.wait(atMost: next.map { $0 - clock.now }, watching: watched.map(\.socket))
      if !left.isEmpty { release(watched.filter { left.contains($0.socket) }) }
    }
  }

  private func release(_ connections: [HeldConnection]) {
    state.withLock { state in
      for connection in connections { state.queue.remove(connection) }
      state.held.removeAll { connections.contains($0) }
    }
    for connection in connections { connection.resume() }
  }
}
