internal import Cellophane
internal import CellophaneNetwork
internal import Synchronization

/// A transport to the origins behind a ``ModeledLink``, in the time of its timeline. A ``LinkNetwork`` models how
/// bodies share the link.
///
/// A new connection costs the round trips of its handshakes. Requests share the uplink in order. The first
/// byte of a response arrives one round trip and the origin's think time after its request was sent.
final class FlowTransport: Transport {
  let link: ModeledLink
  let timeline: Timeline
  let state: Mutex<LinkState>
  private let respond: @Sendable (TransportRequest) -> OriginResponse

  /// Creates a transport over `link` to origins that respond with `respond`.
  init(
    _ link: ModeledLink, timeline: Timeline,
    respond: @escaping @Sendable (TransportRequest) -> OriginResponse
  ) {
    self.link = link
    self.timeline = timeline
    self.respond = respond
    state = Mutex(LinkState(link))
  }

  func exchange(_ request: TransportRequest) async throws(LoadError) -> TransportResponse {
    let body = request.body.claim()
    let deadline = now + request.limits.total.wholeNanoseconds
    let awake = state.withLock { $0.radio.begin(at: now) }
    defer { state.withLock { $0.radio.end(at: now) } }
    try await pause(until: awake, atMost: request.limits.connect, by: deadline, request)
    let (assignment, isNew) = try await connection(for: request, by: deadline)
    var progress = Progress(assignment: assignment, order: StreamOrder(of: request))
    do throws(LoadError) {
      try await pause(until: assignment.ready, atMost: request.limits.connect, by: deadline, request)
      let sent = now
      body.noteSent(afterConnecting: isNew ? link.setup : nil, over: assignment.connection)
      let conditions = conditions(of: request)
      let answer = respond(request)
      let due = link.arrival(
        dueAt: sendRequest() + (link.profile.roundTrip + conditions.think + answer.delay).wholeNanoseconds)
      var response = TransportResponse(
        status: answer.status, headers: answer.headers, body: answer.body, url: request.url)
      if response.status != 304 { response.headers["Content-Length"] = "\(response.body.count)" }
      progress.pending = (due, response.body.count)
      try await pause(until: due, atMost: request.limits.firstByte, by: deadline, request)
      progress.pending = nil
      response.sharesConnection = link.sharing == .multiplexed
      response.timeToFirstByte = try await receive(
        response, sentAt: sent, over: &progress, lossDraw: conditions.lossDraw, into: body, by: deadline,
        of: request)
      finish(progress, isClear: true)
      return response
    } catch {
      finish(progress, isClear: false)
      throw error
    }
  }

  /// The state of one exchange.
  struct Progress {
    let assignment: ConnectionPool.Assignment
    let order: StreamOrder
    /// The time of its first byte and the size of its body, until that byte arrives.
    var pending: (due: Int64, size: Int)?
    /// Its stream, if that is drained after the end of the exchange.
    var drained: Int?
  }

  var now: Int64 { timeline.now.wholeNanoseconds }

  /// Returns the random conditions of the next attempt: the origin's think time and the draw for losses.
  private func conditions(of request: TransportRequest) -> (think: Duration, lossDraw: Double) {
    // Independent of the origin's address, which differs between a model and a socket, and of the number of origins.
    let target = request.target
    let attempt = state.withLock { $0.attempt(at: target) }
    return (
      link.think.time(for: target, attempt: attempt, seed: link.seed),
      link.lossDraw(of: target, attempt: attempt)
    )
  }

  /// Sends a request; returns the time at which its last bit leaves the uplink.
  private func sendRequest() -> Int64 {
    guard let rate = link.profile.upBitsPerSecond else { return now }
    return state.withLock { state in
      let bits = Int64(SimulationConfiguration.Network.requestSize) * FlowTerms.byte
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
    if duration > limit { throw .timedOut(request) }
  }

  /// Receives a response until its end, its deadline or its cancellation. Returns the time from its request to its first
  /// byte.
  private func receive(
    _ response: TransportResponse, sentAt sent: Int64, over progress: inout Progress, lossDraw: Double,
    into body: StreamingBody, by deadline: Int64, of request: TransportRequest
  ) async throws(LoadError) -> Duration {
    let (assignment, order) = (progress.assignment, progress.order)
    var exchange = LinkState.Exchange(response, sentAt: sent, into: body, deadline: deadline)
    let result = exchange.result
    // Otherwise it waits in the queue.
    if link.profile.queue == nil { exchange.begin(at: now) }
    let stream = state.withLock { state -> Int in
      deliver(&state)
      exchange.stream = state.network.begin(
        response.body.count, over: assignment.connection, order: order, lossDraw: lossDraw, at: now)
      state.exchanges.append(exchange)
      scheduleTimer(&state)
      return exchange.stream
    }
    let outcome = await withTaskCancellationHandler {
      await result.value
    } onCancel: {
      result.settle(.cancelled)
    }
    let (drained, timeToFirstByte) = state.withLock { end(stream, outcome, &$0) }
    progress.drained = drained
    switch outcome {
    case .complete: return timeToFirstByte
    case .cancelled: throw .cancelled
    case .timedOut: throw .timedOut(request)
    }
  }

  /// Removes an exchange. Returns its stream if that is drained, and the time from its request to its first byte.
  private func end(
    _ stream: Int, _ outcome: LinkState.Outcome, _ state: inout LinkState
  ) -> (drained: Int?, timeToFirstByte: Duration) {
    deliver(&state)
    let timeToFirstByte = state.exchanges.first { $0.stream == stream }?.timeToFirstByte ?? .zero
    state.exchanges.removeAll { $0.stream == stream }
    defer { scheduleTimer(&state) }
    if state.network.finish(stream, at: now) { return (nil, timeToFirstByte) }
    if case .http1 = link.sharing, let remaining = state.network.remaining(of: stream),
      remaining <= link.maxDrainedBytes
    {
      state.network.drain(stream)
      return (stream, timeToFirstByte)
    }
    _ = state.network.cancel(stream, at: now)
    return (nil, timeToFirstByte)
  }

  /// Releases the connection of an exchange, unless its stream is drained first.
  private func finish(_ progress: Progress, isClear: Bool) {
    state.withLock { state in
      if let stream = progress.drained {
        state.draining.append((stream, progress.assignment))
      } else {
        if let (due, size) = progress.pending {
          state.network.beginCancelled(
            size, over: progress.assignment.connection, order: progress.order, from: due, at: now)
        }
        state.release(progress.assignment, isClear: isClear, at: now)
      }
      processConnectionEvents(&state)
      scheduleTimer(&state)
    }
  }
}

extension LoadError {
  /// The error of a transfer that exceeded a time limit.
  static func timedOut(_ request: TransportRequest) -> LoadError {
    LoadError(.timeout, "\(request.url) did not arrive in time over the modeled link", isRetryable: true)
  }
}

extension TransportRequest {
  /// The path and query of the URL.
  var target: String { url.urlTarget }
}

extension String {
  /// The path and query of this URL.
  var urlTarget: String {
    // Works on bytes: a search for characters takes longer than the model of a request.
    let scheme = "://".utf8
    let end = utf8.firstIndex(of: UInt8(ascii: ":")).flatMap { colon in
      utf8[colon...].starts(with: scheme) ? utf8.index(colon, offsetBy: scheme.count) : nil
    }
    let rest = utf8[(end ?? startIndex)...]
    return String(self[(rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.startIndex)...])
  }

  /// The scheme and the authority of this URL: what is before ``urlTarget``.
  var urlOrigin: String { String(decoding: utf8.dropLast(urlTarget.utf8.count), as: UTF8.self) }
}

extension StreamOrder {
  /// Returns the priority that a client sends for `request`.
  init(of request: TransportRequest) {
    urgency =
      switch request.priority {
      // The urgencies that browsers give to visible images, to other resources, and to speculative loads.
      case .visible: 2
      case .normal: 3
      case .prefetch: 5
      }
  }
}
