internal import Cellophane
internal import CellophaneTesting
internal import Synchronization

/// A transport over a ``ModelledLine`` to one origin, in the time of its timeline; see ``FlowNetwork`` for how bodies
/// share the line.
///
/// A new connection costs the round trips of its handshakes; a request goes up the line behind those before it; one
/// round trip and the origin's thinking later the first byte of the answer is there.
final class FlowTransport: Transport {
  let line: ModelledLine
  let timeline: Timeline
  let state: Mutex<LineState>
  private let answer: @Sendable (TransportRequest) -> OriginResponse

  /// A transport to an origin that answers by `answer` at the other end of `line`.
  init(
    _ line: ModelledLine, timeline: Timeline,
    answer: @escaping @Sendable (TransportRequest) -> OriginResponse
  ) {
    self.line = line
    self.timeline = timeline
    self.answer = answer
    state = Mutex(LineState(line))
  }

  func exchange(_ request: TransportRequest) async throws(LoadError) -> TransportResponse {
    let body = request.body.claim()
    let deadline = now + request.limits.total.wholeNanoseconds
    let (place, isNew) = try await place(request, by: deadline)
    var passage = Passage(place: place, order: StreamOrder(of: request))
    do throws(LoadError) {
      try await pause(until: place.ready, atMost: request.limits.connect, by: deadline, request)
      let sent = now
      body.noteSent(afterConnecting: isNew ? line.setup : nil, over: place.connection)
      let fate = fate(of: request)
      let answer = answer(request)
      let due = sendRequest() + (line.profile.roundTrip + fate.think + answer.delay).wholeNanoseconds
      var response = TransportResponse(
        status: answer.status, headers: answer.headers, body: answer.body, url: request.url)
      if response.status != 304 { response.headers["Content-Length"] = "\(response.body.count)" }
      passage.awaited = (due, response.body.count)
      try await pause(until: due, atMost: request.limits.firstByte, by: deadline, request)
      passage.awaited = nil
      response.timeToFirstByte = .nanoseconds(now - sent)
      response.sharesConnection = line.sharing == .http2
      var head = response
      head.body = []
      body.begin(head)
      body.reserve(response.body.count)
      try await receive(
        response.body, over: &passage, luck: fate.luck, into: body, by: deadline, of: request)
      leave(passage, isClear: true)
      return response
    } catch {
      leave(passage, isClear: false)
      throw error
    }
  }

  /// The way of one exchange.
  struct Passage {
    let place: ConnectionPool.Place
    let order: StreamOrder
    /// When its first byte arrives, and how much comes from then on; until then.
    var awaited: (due: Int64, size: Int)?
    /// Its stream, if that goes on without it until the connection is clear.
    var drained: Int?
  }

  var now: Int64 { timeline.now.wholeNanoseconds }

  /// What is decided for this attempt before it begins: how long the origin thinks, and what the line does to it.
  private func fate(of request: TransportRequest) -> (think: Duration, luck: Double) {
    // Not of the origin's address: that differs between a model and a socket.
    let target = request.target
    let attempt = state.withLock { $0.attempt(at: target) }
    return (
      line.think.time(for: target, attempt: attempt, seed: line.seed), line.luck(of: target, attempt: attempt)
    )
  }

  /// Sends a request; returns when it has gone up the line.
  private func sendRequest() -> Int64 {
    guard let rate = line.profile.upBitsPerSecond else { return now }
    return state.withLock { state in
      let bits = Int64(ModelledLine.requestSize) * FlowTerms.byte
      state.uplinkFree = max(state.uplinkFree, now) + (bits - 1) / Int64(rate) + 1
      return state.uplinkFree
    }
  }

  private func pause(
    until due: Int64, atMost limit: Duration, by deadline: Int64, _ request: TransportRequest
  ) async throws(LoadError) {
    let duration = Duration.nanoseconds(due - now)
    guard duration > .zero else { return }
    let limit = min(limit, .nanoseconds(deadline - now))
    do { try await timeline.sleep(for: min(duration, limit)) } catch { throw .cancelled }
    if duration > limit { throw .late(request) }
  }

  /// Receives a body.
  private func receive(
    _ content: [UInt8], over passage: inout Passage, luck: Double, into body: StreamingBody,
    by deadline: Int64,
    of request: TransportRequest
  ) async throws(LoadError) {
    let cell = OneShot<LineState.Ending>()
    let (place, order) = (passage.place, passage.order)
    let stream = state.withLock { state in
      deliver(&state)
      let stream = state.network.begin(
        content.count, over: place.connection, order: order, luck: luck, at: now)
      state.exchanges.append(
        LineState.Exchange(stream: stream, cell: cell, content: content, body: body, deadline: deadline))
      setAlarm(&state)
      return stream
    }
    let ending = await withTaskCancellationHandler {
      await cell.value
    } onCancel: {
      cell.settle(.cancelled)
    }
    passage.drained = state.withLock { end(stream, ending, &$0) }
    switch ending {
    case .whole: return
    case .cancelled: throw .cancelled
    case .late: throw .late(request)
    }
  }

  /// Takes an exchange out; returns its stream when that goes on.
  private func end(_ stream: Int, _ ending: LineState.Ending, _ state: inout LineState) -> Int? {
    deliver(&state)
    state.exchanges.removeAll { $0.stream == stream }
    defer { setAlarm(&state) }
    if state.network.finish(stream, at: now) { return nil }
    if case .http1 = line.sharing, let left = state.network.remaining(of: stream), left <= line.drainedBytes {
      state.network.drain(stream)
      return stream
    }
    _ = state.network.cancel(stream, at: now)
    return nil
  }

  /// Gives the place back; the next in line goes on.
  private func leave(_ passage: Passage, isClear: Bool) {
    state.withLock { state in
      if let stream = passage.drained {
        state.draining.append((stream, passage.place))
      } else {
        if let (due, size) = passage.awaited {
          state.network.beginUnwanted(
            size, over: passage.place.connection, order: passage.order, from: due, at: now)
        }
        state.giveBack(passage.place, isClear: isClear, at: now)
      }
      followUp(&state)
      setAlarm(&state)
    }
  }
}

extension LoadError {
  static func late(_ request: TransportRequest) -> LoadError {
    LoadError(.timeout, "\(request.url) did not arrive in time over the modelled line", isRetryable: true)
  }
}

extension TransportRequest {
  /// The path and query of the URL.
  var target: String { url.urlTarget }
}

extension String {
  /// The path and query of this URL.
  var urlTarget: String {
    // By bytes: to search for characters takes longer than what the line itself does for a request.
    let scheme = "://".utf8
    let end = utf8.firstIndex(of: UInt8(ascii: ":")).flatMap { colon in
      utf8[colon...].starts(with: scheme) ? utf8.index(colon, offsetBy: scheme.count) : nil
    }
    let rest = utf8[(end ?? startIndex)...]
    return String(self[(rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.startIndex)...])
  }
}

extension StreamOrder {
  /// What a client says of `request`.
  init(of request: TransportRequest) {
    urgency =
      switch request.priority {
      // What browsers give to images on screen, to what is neither, and to what may be wanted later.
      case .visible: 2
      case .normal: 3
      case .prefetch: 5
      }
  }
}
