public import Cellophane
internal import Synchronization

/// A transport that answers from scripts, by the clock of its timeline, and records its exchanges.
public final class ScriptedTransport: Transport {
  /// Numbers of exchanges.
  public struct Counters: Equatable, Sendable {
    /// Exchanges started.
    package var started = 0
    /// Exchanges that ended with a response or an error, without being cancelled.
    package var answered = 0
    /// Exchanges cancelled.
    public var cancelled = 0
    /// The peak of concurrent exchanges.
    public var mostAtOnce = 0
    /// Exchanges that started while another one for the same URL and header fields ran.
    public var duplicates = 0
  }

  /// A request that arrived.
  public struct ReceivedRequest: Sendable, CustomStringConvertible {
    /// The absolute URL.
    public let url: String
    /// The header fields.
    public let headers: HeaderFields
    /// The time of the request, by the clock of the timeline.
    public let time: Duration
    /// The limits of the exchange.
    package let limits: TransferLimits

    /// The URL and the header fields: `http://h/a if-none-match: "1"`.
    public var description: String {
      url + headers.fields.map { " \($0.name): \($0.value)" }.joined()
    }
  }

  private struct Running: Hashable {
    let url: String
    let headers: HeaderFields
  }

  private struct State {
    var counters = Counters()
    var running: [Running: Int] = [:]
    var requests: [ReceivedRequest] = []
    var scripts = OriginScripts()
  }

  private let state = Mutex(State())
  package let timeline: Timeline
  private let fallback: @Sendable (TransportRequest) -> Answer

  /// Creates a transport that calls `answer` for each request to a URL without a script. By default it refuses such
  /// requests.
  public init(
    timeline: Timeline,
    _ answer: @escaping @Sendable (TransportRequest) -> Answer = { _ in .failure(.connect) }
  ) {
    self.timeline = timeline
    fallback = answer
  }

  /// Answers the requests to `url` from now on: the n-th with the n-th of `answers`, all further ones with the last.
  ///
  /// A `url` that ends in `*` matches each URL with this beginning; each has its own count. The longest script that
  /// matches a URL applies, and a new script replaces an earlier one for the same `url`.
  public func script(_ url: String, _ answers: Answer...) { script(url, answers) }

  /// Answers the requests to `url` from now on with what `answer` returns. A `url`
  /// that ends in `*` matches each URL with this beginning.
  public func script(_ url: String, _ answer: @escaping @Sendable (TransportRequest) -> Answer) {
    state.withLock { $0.scripts.set(url, .closure(answer)) }
  }

  /// Answers the requests to `url` from now on: the n-th with the n-th of `answers`, all further ones with the last.
  package func script(_ url: String, _ answers: [Answer]) {
    state.withLock { $0.scripts.set(url, .answers(answers)) }
  }

  /// The numbers of exchanges so far.
  public var counters: Counters { state.withLock { $0.counters } }
  /// The requests so far, in order.
  public var requests: [ReceivedRequest] { state.withLock { $0.requests } }
  /// The number of exchanges that run now.
  public var running: Int { state.withLock { $0.running.values.reduce(0, +) } }
  /// The requested URLs, in order.
  package var order: [String] { requests.map(\.url) }

  /// Answers `request` according to the scripts.
  public func exchange(_ request: TransportRequest) async throws(LoadError) -> TransportResponse {
    let key = Running(url: request.url, headers: request.headers)
    let received = ReceivedRequest(
      url: request.url, headers: request.headers, time: timeline.now, limits: request.limits)
    let scripted = state.withLock { state in
      state.counters.started += 1
      if state.running[key] != nil { state.counters.duplicates += 1 }
      state.running[key, default: 0] += 1
      state.requests.append(received)
      state.counters.mostAtOnce = max(state.counters.mostAtOnce, state.running.values.reduce(0, +))
      return state.scripts.next(for: request.url)
    }
    let answer = (scripted ?? fallback)(request).completed(for: request)
    let body = request.body.claim()
    body.noteSent(afterConnecting: answer.handshakes)
    let isCancelled: Bool
    var refusal: LoadError?
    do {
      try await timeline.sleep(for: answer.delay)
      if let origin = answer.redirect {
        do throws(LoadError) { try request.onRedirect(origin) } catch { refusal = error }
      }
      if refusal == nil, try await !deliver(answer, to: body) { refusal = .noMemoryForBody }
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
    if let refusal { throw refusal }
    if let breaking = answer.breaking { throw breaking }
    return try answer.result.get()
  }

  /// Delivers the response of `answer`; false if the memory for its body is lacking.
  private func deliver(_ answer: Answer, to body: StreamingBody) async throws -> Bool {
    guard case .success(let response) = answer.result else { return true }
    var head = response
    head.body = []
    head.timeToFirstByte = answer.delay
    body.begin(head)
    if body.allowance?.lacking != nil { return false }
    // A 304 has no body (RFC 9110, section 15.4.5).
    if response.status == 304 { return true }
    var rest = response.body[...]
    for piece in answer.pieces {
      let next = rest.prefix(piece.count)
      guard body.receive(next.span) else { return false }
      rest = rest.dropFirst(piece.count)
      try await timeline.sleep(for: piece.pause)
    }
    return answer.breaking == nil ? body.receive(rest.span) : true
  }
}
