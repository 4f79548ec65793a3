public import Cellophane
internal import Synchronization

/// A transport that answers from a script, in the time of its timeline, and keeps count.
public final class ScriptedTransport: Transport {
  /// One answer.
  public struct Answer: Sendable {
    /// How long until it is there.
    public var delay: Duration
    /// What it is.
    public var result: Result<TransportResponse, LoadError>
    /// How its body arrives: the first piece after `delay`.
    public var pieces: [Piece]
    /// The origin that a redirect leads to, which gives the answer; nil without one.
    public var redirect: Origin?
    /// How it breaks behind its pieces, before it is whole; nil when it does not.
    public var breaking: LoadError?
    /// What it says of how long its connection took to be made; `delay` does not contain it, and no time passes for it.
    public var handshakes: Duration?

    /// A part of the body.
    public struct Piece: Sendable {
      /// How many bytes.
      public var count: Int
      /// How long until the next piece, or the end.
      public var pause: Duration

      /// A part of `count` bytes, followed by `pause`.
      public init(_ count: Int, pause: Duration) {
        self.count = count
        self.pause = pause
      }
    }

    /// An answer after `delay`, of the origin that `redirect` leads to if it does; what `pieces` do not cover of its body comes at the end, unless it breaks.
    public init(
      after delay: Duration = .zero, pieces: [Piece] = [], _ result: Result<TransportResponse, LoadError>,
      redirect: Origin? = nil, breaking: LoadError? = nil, handshakes: Duration? = nil
    ) {
      self.delay = delay
      self.result = result
      self.pieces = pieces
      self.redirect = redirect
      self.breaking = breaking
      self.handshakes = handshakes
    }
  }

  /// What it saw so far.
  public struct Counters: Equatable, Sendable {
    /// Exchanges begun.
    public var started = 0
    /// Exchanges answered.
    public var answered = 0
    /// Exchanges cancelled.
    public var cancelled = 0
    /// The most at once.
    public var mostAtOnce = 0
    /// How often an exchange began while another for the same URL and headers ran.
    public var duplicates = 0
  }

  private struct Running: Hashable {
    let url: String
    let headers: HeaderFields
  }

  private struct State {
    var counters = Counters()
    var running: [Running: Int] = [:]
    var order: [String] = []
  }

  private let state = Mutex(State())
  private let timeline: Timeline
  private let answer: @Sendable (TransportRequest) -> Answer

  /// A transport whose answers `answer` writes.
  public init(timeline: Timeline, _ answer: @escaping @Sendable (TransportRequest) -> Answer) {
    self.timeline = timeline
    self.answer = answer
  }

  /// What it saw so far.
  public var counters: Counters { state.withLock { $0.counters } }
  /// The URLs asked for, in order.
  public var order: [String] { state.withLock { $0.order } }
  /// How many exchanges run.
  public var running: Int { state.withLock { $0.running.values.reduce(0, +) } }

  /// Answers as the script says.
  public func exchange(_ request: TransportRequest) async throws(LoadError) -> TransportResponse {
    let key = Running(url: request.url, headers: request.headers)
    state.withLock { state in
      state.counters.started += 1
      if state.running[key] != nil { state.counters.duplicates += 1 }
      state.running[key, default: 0] += 1
      state.order.append(request.url)
      state.counters.mostAtOnce = max(state.counters.mostAtOnce, state.running.values.reduce(0, +))
    }
    let answer = answer(request)
    let body = request.body.claim()
    body.noteSent(afterConnecting: answer.handshakes)
    let isCancelled: Bool
    var barrier: LoadError?
    do {
      try await timeline.sleep(for: answer.delay)
      if let origin = answer.redirect {
        do throws(LoadError) { try request.onRedirect(origin) } catch { barrier = error }
      }
      if barrier == nil { try await deliver(answer, to: body) }
      isCancelled = Task.isCancelled
    } catch {
      isCancelled = true
    }
    state.withLock { state in
      let left = state.running[key, default: 1] - 1
      state.running[key] = left == 0 ? nil : left
      if isCancelled { state.counters.cancelled += 1 } else { state.counters.answered += 1 }
    }
    if isCancelled { throw .cancelled }
    if let barrier { throw barrier }
    if let breaking = answer.breaking { throw breaking }
    return try answer.result.get()
  }

  private func deliver(_ answer: Answer, to body: ArrivingBody) async throws {
    guard case .success(let response) = answer.result else { return }
    var head = response
    head.body = []
    head.timeToFirstByte = answer.delay
    body.begin(head)
    // On a wire nothing that follows the head of a 304 is its body.
    if response.status == 304 { return }
    var rest = response.body[...]
    for piece in answer.pieces {
      let next = rest.prefix(piece.count)
      body.append(next.span)
      rest = rest.dropFirst(piece.count)
      try await timeline.sleep(for: piece.pause)
    }
    if answer.breaking == nil { body.append(rest.span) }
  }
}
