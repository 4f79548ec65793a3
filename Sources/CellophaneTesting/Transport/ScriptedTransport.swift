public import Cellophane
internal import Synchronization

/// A transport that answers from a script, by the clock of its timeline, and counts its exchanges.
public final class ScriptedTransport: Transport {
  /// The answer to one request.
  public struct Answer: Sendable {
    /// The time until the response arrives.
    public var delay: Duration
    /// The response, or the error of the exchange.
    public var result: Result<TransportResponse, LoadError>
    /// The pieces in which the body arrives, the first one after `delay`.
    public var pieces: [Piece]
    /// The target of a redirect, which gives the response; nil without a redirect.
    public var redirect: Origin?
    /// The error that ends the exchange after the last piece; nil when the body arrives to its end.
    public var breaking: LoadError?
    /// The connection time that the transport reports. It is not part of `delay`, and no time passes for it.
    public var handshakes: Duration?

    /// A part of the body.
    public struct Piece: Sendable {
      /// The number of bytes.
      public var count: Int
      /// The time until the next piece, or until the end.
      public var pause: Duration

      /// A piece of `count` bytes, followed by `pause`.
      public init(_ count: Int, pause: Duration) {
        self.count = count
        self.pause = pause
      }
    }

    /// An answer after `delay`.
    ///
    /// The part of the body that `pieces` do not cover arrives at the end, unless `breaking` ends the exchange before.
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

  /// Numbers of exchanges.
  public struct Counters: Equatable, Sendable {
    /// Exchanges started.
    public var started = 0
    /// Exchanges that ended with a response or an error, without being cancelled.
    public var answered = 0
    /// Exchanges cancelled.
    public var cancelled = 0
    /// The peak of concurrent exchanges.
    public var mostAtOnce = 0
    /// Exchanges that started while another one for the same URL and header fields ran.
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

  /// A transport that calls `answer` for each request.
  public init(timeline: Timeline, _ answer: @escaping @Sendable (TransportRequest) -> Answer) {
    self.timeline = timeline
    self.answer = answer
  }

  /// The numbers of exchanges so far.
  public var counters: Counters { state.withLock { $0.counters } }
  /// The requested URLs, in order.
  public var order: [String] { state.withLock { $0.order } }
  /// The number of exchanges that run now.
  public var running: Int { state.withLock { $0.running.values.reduce(0, +) } }

  /// Answers `request` according to the script.
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
    var redirectError: LoadError?
    do {
      try await timeline.sleep(for: answer.delay)
      if let origin = answer.redirect {
        do throws(LoadError) { try request.onRedirect(origin) } catch { redirectError = error }
      }
      if redirectError == nil { try await deliver(answer, to: body) }
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
    if let redirectError { throw redirectError }
    if let breaking = answer.breaking { throw breaking }
    return try answer.result.get()
  }

  private func deliver(_ answer: Answer, to body: StreamingBody) async throws {
    guard case .success(let response) = answer.result else { return }
    var head = response
    head.body = []
    head.timeToFirstByte = answer.delay
    body.begin(head)
    // A 304 has no body (RFC 9110, section 15.4.5).
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
