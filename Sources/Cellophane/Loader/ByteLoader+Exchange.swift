/// The part of the road that is one exchange with an origin.
extension ByteLoader {
  /// What an attempt of a load begins with.
  struct Attempt {
    /// The question whether something stored still holds, when it is asked.
    var validation: Validation?
    /// How many attempts have failed before, at this place.
    let failures: Int
    /// When the load must be over.
    let deadline: Duration
    let priority: LivePriority
  }

  /// What an origin said.
  enum Reply {
    case answer(Answer)
    /// What is asked for is elsewhere: what said so was asked for at `askedAt`, in seconds since 1970.
    case redirect(TransportResponse, to: String, askedAt: Int64)
  }

  /// An exchange about that to which `course` has led.
  nonisolated func transfer(
    _ course: Course, _ attempt: Attempt, into arriving: StreamingBody, of body: SharedBody, askedAt: Int64,
    _ pass: CircuitBreaker.Pass
  ) async throws(LoadError) -> Reply {
    // Cancelled after its turn had come: nothing has begun that could be called a transfer.
    if Task.isCancelled { throw .cancelled }
    let (key, start) = (course.start.key, timeline.now)
    var limits = limits
    limits.total = max(.zero, attempt.deadline - start)
    // An origin that does not answer when it is asked for the rest must leave time to be asked for the whole, which
    // takes longer.
    if arriving.resumption != nil { limits.firstByte = min(limits.firstByte, limits.total / 3) }
    events.emit(.transferStarted(key))
    do throws(LoadError) {
      let response = try await transport.exchange(
        request(course, attempt, limits: limits, into: arriving, pass))
      if let target = response.target {
        events.emit(.transferFinished(key, bytes: 0, duration: timeline.now - start))
        return .redirect(response, to: target, askedAt: askedAt)
      }
      return .answer(
        try accept(response, at: course, attempt, arriving, of: body, askedAt: askedAt, begun: start))
    } catch {
      let error = truthful(error, of: course.origin, at: attempt.deadline, given: limits.total)
      events.emit(
        error.kind == .cancelled
          ? .transferAborted(key, bytes: arriving.count) : .transferFailed(key, error, bytes: arriving.count))
      throw error
    }
  }

  /// What is sent about that to which `course` has led.
  private nonisolated func request(
    _ course: Course, _ attempt: Attempt, limits: TransferLimits, into arriving: StreamingBody,
    _ pass: CircuitBreaker.Pass
  ) -> TransportRequest {
    var fields = course.errand.headers
    if let validation = attempt.validation { fields.append(validation.fields) }
    if let prefix = arriving.resumption { fields.append(prefix.fields(with: fields)) }
    var request = TransportRequest(
      url: course.errand.url, headers: fields, limits: limits, body: arriving,
      priority: attempt.priority.current
    ) { [holds] origin throws(LoadError) in try holds.follow(pass, to: origin) }
    // Each place has a schedule, a line and perhaps something on disk of its own.
    request.followsRedirects = false
    request.redirects = course.redirects
    return request
  }

  /// What `response` comes to, which is told; its transfer was begun at `start`.
  @inline(never)
  private nonisolated func accept(
    _ response: TransportResponse, at course: Course, _ attempt: Attempt, _ arriving: StreamingBody,
    of body: SharedBody, askedAt: Int64, begun start: Duration
  ) throws(LoadError) -> Answer {
    let answer: Answer
    do throws(LoadError) {
      answer = try Answer(
        response, to: course.errand.key, called: course.name, validation: attempt.validation,
        arriving: arriving, askedAt: askedAt, now: timeline.secondsSince1970)
    } catch {
      throw error.of(LoadError.Exchange(response))
    }
    let key = course.start.key
    // A transport that did not hand over the body as it arrived gave it at the end.
    let isWhole = answer.source == .network && arriving.count == response.body.count
    body.end(isWhole ? .whole : .useless)
    let saved = body.endExchange()
    let received = answer.source == .network ? response.body.count : 0
    events.emit(.transferFinished(key, bytes: received, duration: timeline.now - start))
    if let saved { events.emit(.finishedUnawaited(key, saved: saved)) }
    if let prefix = arriving.resumption, response.status == 206 {
      events.emit(.resumed(key, bytes: prefix.bytes.count))
    }
    if answer.source == .disk { events.emit(.revalidated(key, bytes: answer.response.body.count)) }
    return answer
  }

  /// `error`, of a transfer that got the time `given` of its load, as an error of that load: the transport names the
  /// time that earlier attempts had left it.
  private nonisolated func truthful(
    _ error: LoadError, of origin: Origin, at deadline: Duration, given: Duration
  ) -> LoadError {
    guard error.kind == .timeout, given < limits.total, timeline.now >= deadline else { return error }
    return .late(origin, after: limits.total).of(error.exchange)
  }
}
