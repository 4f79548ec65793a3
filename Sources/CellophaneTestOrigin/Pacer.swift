internal import Cellophane
internal import Synchronization

/// Resumes suspended connections at a given time, when the link is free for them, or when their client closes. Runs on
/// a separate thread.
///
/// The pacer watches for closed clients, because libmicrohttpd does not watch suspended connections.
final class Pacer: Sendable {
  /// The result for a connection that requests to continue.
  enum Admission { case granted, held, stopped }

  private struct State {
    var queue: PaceQueue<HeldConnection>
    var held: [HeldConnection] = []
    var isStopped = false
  }

  /// The largest piece to send at once; nil when the link has no limit.
  let piece: Int?
  private let clock = Timeline()
  private let state: Mutex<State>
  private let wakeup: WakeupPipe
  private let thread = Mutex<WorkThread?>(nil)

  init(link: LinkBucket?) throws(LoadError) {
    piece = link?.piece
    state = Mutex(State(queue: PaceQueue(link: link)))
    wakeup = try WakeupPipe()
    guard let thread = WorkThread({ self.run() }) else {
      throw LoadError(.io, "the system has no thread left for the origin", isRetryable: true)
    }
    self.thread.withLock { $0 = thread }
  }

  /// The time since the pacer was created.
  var now: Duration { clock.now }

  /// Suspends `connection` until `due`, without limit when nil, or until its client closes.
  func hold(_ connection: HeldConnection, until due: Duration?) -> Admission {
    admit(connection) { queue in
      if let due { queue.wait(connection, until: due) }
      return false
    }
  }

  /// Reserves the link for `bytes`, which the caller then sends, or suspends `connection` until the link is free or its
  /// client closes.
  func send(_ bytes: Int, over connection: HeldConnection, isContinuous: Bool) -> Admission {
    let now = clock.now
    return admit(connection) { $0.send(bytes, for: connection, isContinuous: isContinuous, at: now) }
  }

  /// Resumes every connection and ends the thread.
  func stop() {
    state.withLock { $0.isStopped = true }
    wakeup.signal()
    thread.withLock { $0.take() }?.join()
  }

  private func admit(
    _ connection: HeldConnection, _ isGranted: (inout PaceQueue<HeldConnection>) -> Bool
  ) -> Admission {
    let admission: Admission = state.withLock { state in
      if state.isStopped { return .stopped }
      if isGranted(&state.queue) { return .granted }
      // Under the lock, so that the connection is suspended before it is resumed.
      connection.suspend()
      state.held.append(connection)
      return .held
    }
    if admission == .held { wakeup.signal() }
    return admission
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
      let closed = wakeup.wait(atMost: next.map { $0 - clock.now }, watching: watched.map(\.socket))
      if !closed.isEmpty { release(watched.filter { closed.contains($0.socket) }) }
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
