internal import Cellophane
internal import CellophaneTesting
internal import Synchronization

/// A transport over a modelled access line to one origin, in the time of its timeline; see ``FlowNetwork`` for how
/// bodies share the line.
///
/// A new connection costs the round trip of TCP's handshake; a request goes up the line behind those before it; one
/// round trip later the first byte of the answer is there. Nothing is lost, and the origin answers at once.
final class FlowTransport: Transport {
  /// What a request takes on its way up, in bytes: its line and the few fields of a picture's (assumed).
  static let requestSize = 150

  /// How an exchange over a connection ended.
  private enum Ending { case whole, cancelled, late }

  /// An exchange whose body is on its way.
  private struct Exchange {
    /// Of its flow.
    let number: Int
    let cell: OneShot<Ending>
    let content: [UInt8]
    let body: ArrivingBody
    let deadline: Int64
    var delivered = 0

    /// Hands over what has arrived.
    mutating func deliver(_ received: Int) {
      guard received > delivered else { return }
      body.append(content.span.extracting(delivered..<received))
      delivered = received
    }
  }

  private struct State {
    var network: FlowNetwork
    var connections: ConnectionPool
    var queue: [OneShot<ConnectionPool.Connection?>] = []
    var uplinkFree: Int64 = 0
    /// In the order in which their bodies began.
    var exchanges: [Exchange] = []
    var alarm: (due: Int64, task: Task<Void, Never>)?
  }

  private let state: Mutex<State>
  private let profile: NetworkProfile
  private let timeline: Timeline
  private let answer: @Sendable (TransportRequest) -> TransportResponse

  /// A transport that answers at once at the other end of a line of `profile`.
  ///
  /// - Parameter connections: The most connections at once; nil for as many as there are exchanges.
  init(
    _ profile: NetworkProfile, connections: Int? = nil, timeline: Timeline,
    answer: @escaping @Sendable (TransportRequest) -> TransportResponse
  ) {
    self.profile = profile
    self.timeline = timeline
    self.answer = answer
    state = Mutex(
      State(
        network: FlowNetwork(bitsPerSecond: profile.downBitsPerSecond, roundTrip: profile.roundTrip),
        connections: ConnectionPool(limit: connections)))
  }

  /// The most connections that were open at once.
  var mostConnections: Int { state.withLock { $0.connections.mostOpen } }

  /// How many connections were opened.
  var connectionsOpened: Int { state.withLock { $0.connections.opened } }

  func exchange(_ request: TransportRequest) async throws(LoadError) -> TransportResponse {
    let body = request.body.claim()
    let connection = try await connection()
    let start = now
    do throws(LoadError) {
      if connection.isNew { try await pause(profile.roundTrip, atMost: request.limits.connect, request) }
      let sent = now
      try await pause(
        .nanoseconds(sendRequest() - now) + profile.roundTrip, atMost: request.limits.firstByte, request)
      var response = answer(request)
      response.timeToFirstByte = .nanoseconds(now - sent)
      let deadline = start + request.limits.total.wholeNanoseconds
      var head = response
      head.body = []
      body.begin(head)
      let window = try await receive(
        response.body, of: request, into: body, by: deadline, window: connection.window)
      leave(keeping: window)
      return response
    } catch {
      leave(keeping: nil)
      throw error
    }
  }

  /// Hands over what has arrived of bodies that are still on their way, which otherwise happens when anything changes
  /// on the line: when a body begins or ends, or a window grows.
  func catchUp() { state.withLock { deliver(&$0) } }

  private func deliver(_ state: inout State) {
    state.network.advance(to: now)
    for index in state.exchanges.indices {
      state.exchanges[index].deliver(state.network.received(of: state.exchanges[index].number) ?? 0)
    }
  }

  private var now: Int64 { timeline.now.wholeNanoseconds }

  /// A connection, when one is free.
  private func connection() async throws(LoadError) -> ConnectionPool.Connection {
    let turn = OneShot<ConnectionPool.Connection?>()
    state.withLock { state in
      if let connection = state.connections.take(at: now) {
        turn.settle(connection)
      } else {
        state.queue.append(turn)
      }
    }
    let connection = await withTaskCancellationHandler {
      await turn.value
    } onCancel: {
      if turn.settle(nil) { state.withLock { $0.queue.removeAll { $0 === turn } } }
    }
    guard let connection else { throw .cancelled }
    return connection
  }

  /// Gives the connection back with its window, or closes it; the next in line goes on.
  private func leave(keeping window: Int?) {
    state.withLock { state in
      if let window { state.connections.giveBack(window: window, at: now) } else { state.connections.close() }
      while !state.queue.isEmpty, let connection = state.connections.take(at: now) {
        // One who was cancelled in this very moment does not take it.
        if !state.queue.removeFirst().settle(connection) { state.connections.close() }
      }
    }
  }

  /// Sends a request; returns when it has gone up the line.
  private func sendRequest() -> Int64 {
    guard let rate = profile.upBitsPerSecond else { return now }
    return state.withLock { state in
      let bits = Int64(Self.requestSize) * 8 * 1_000_000_000
      state.uplinkFree = max(state.uplinkFree, now) + (bits - 1) / Int64(rate) + 1
      return state.uplinkFree
    }
  }

  private func pause(
    _ duration: Duration, atMost limit: Duration, _ request: TransportRequest
  ) async throws(LoadError) {
    do { try await timeline.sleep(for: min(duration, limit)) } catch { throw .cancelled }
    if duration > limit { throw .late(request) }
  }

  /// Receives a body; returns the connection's window then.
  private func receive(
    _ content: [UInt8], of request: TransportRequest, into body: ArrivingBody, by deadline: Int64, window: Int
  ) async throws(LoadError) -> Int {
    let cell = OneShot<Ending>()
    let number = state.withLock { state in
      deliver(&state)
      let number = state.network.begin(content.count, window: window, at: now)
      state.exchanges.append(
        Exchange(number: number, cell: cell, content: content, body: body, deadline: deadline))
      setAlarm(&state)
      return number
    }
    let ending = await withTaskCancellationHandler {
      await cell.value
    } onCancel: {
      cell.settle(.cancelled)
    }
    let grown = state.withLock { state in
      let (received, window) = state.network.end(number, at: now) ?? (0, FlowNetwork.initialWindow)
      if let index = state.exchanges.firstIndex(where: { $0.number == number }) {
        state.exchanges[index].deliver(received)
        state.exchanges.remove(at: index)
      }
      setAlarm(&state)
      return window
    }
    switch ending {
    case .whole: return grown
    case .cancelled: throw .cancelled
    case .late: throw .late(request)
    }
  }

  /// Wakes when the next body is whole, the next window grows or the next deadline passes.
  private func setAlarm(_ state: inout State) {
    var due = state.network.next
    for exchange in state.exchanges where !exchange.cell.isSettled {
      // Nothing of it may be left already, when something else happened in the moment of its end.
      let isWhole = state.network.received(of: exchange.number) == exchange.content.count
      due = min(due ?? .max, isWhole ? now : exchange.deadline)
    }
    guard due != state.alarm?.due else { return }
    state.alarm?.task.cancel()
    state.alarm = due.map { due in
      let task = timeline.spawn { [timeline] in
        do {
          try await timeline.sleep(for: .nanoseconds(due) - timeline.now)
          self.wake(due)
        } catch {}
      }
      return (due, task)
    }
  }

  private func wake(_ due: Int64) {
    let over = state.withLock { state -> [(OneShot<Ending>, Ending)] in
      // An alarm that was replaced after it had gone off.
      guard state.alarm?.due == due else { return [] }
      state.alarm = nil
      deliver(&state)
      let whole = state.network.whole
      let over = state.exchanges.compactMap { exchange -> (OneShot<Ending>, Ending)? in
        if exchange.cell.isSettled { return nil }
        if whole.contains(exchange.number) { return (exchange.cell, .whole) }
        return exchange.deadline <= due ? (exchange.cell, .late) : nil
      }
      if over.isEmpty { setAlarm(&state) }
      return over
    }
    // Whoever ends sets the next alarm when he has left the network.
    for (cell, ending) in over { cell.settle(ending) }
  }
}

extension LoadError {
  fileprivate static func late(_ request: TransportRequest) -> LoadError {
    LoadError(.timeout, "\(request.url) did not arrive in time over the modelled line", isRetryable: true)
  }
}
