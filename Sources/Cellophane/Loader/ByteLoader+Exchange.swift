/// The part of the road that is one exchange with an origin.
extension ByteLoader {
  /// What an attempt of a load begins with.
  struct Attempt {
    /// The question whether something stored still holds, when it is asked.
    var validation: Validation?
    /// How many attempts have failed before.
    let failures: Int
    /// When the load must be over.
    let deadline: Duration
    let priority: LivePriority
  }

  /// What one exchange came to.
  enum Reply {
    case answer(Answer)
    case redirect(TransportResponse, to: String)
  }

  /// An exchange for `errand`, about that to which it was led.
  nonisolated func transfer(
    _ errand: Errand, on course: Course, _ attempt: Attempt, into arriving: ArrivingBody, of body: FlightBody,
    askedAt: Int64, _ pass: OriginHolds.Pass
  ) async throws(LoadError) -> Reply {
    // Cancelled after its turn had come: nothing has begun that could be called a transfer.
    if Task.isCancelled { throw .cancelled }
    let (key, start) = (errand.key, timeline.now)
    var limits = limits
    limits.total = max(.zero, attempt.deadline - start)
    // An origin that does not answer when it is asked for the rest must leave time to be asked for the whole, which
    // takes longer.
    if arriving.resumption != nil { limits.firstByte = min(limits.firstByte, limits.total / 3) }
    events.emit(.transferStarted(key))
    do throws(LoadError) {
      var fields = course.errand.headers
      if let validation = attempt.validation { fields.append(validation.fields) }
      if let prefix = arriving.resumption { fields.append(prefix.fields(with: fields)) }
      var request = TransportRequest(
        url: course.errand.url, headers: fields, limits: limits, body: arriving,
        priority: attempt.priority.current
      ) { [holds] origin throws(LoadError) in try holds.follow(pass, to: origin) }
      // What is stored of where they lead may answer, and what is there may be stored.
      request.followsRedirects = disk == nil
      request.redirects = course.redirects
      let response = try await transport.exchange(request)
      if let target = response.target {
        events.emit(.transferFinished(key, bytes: 0, duration: timeline.now - start))
        return .redirect(response, to: target)
      }
      var answer = try Answer(
        response, to: key, validation: attempt.validation, resumption: arriving.resumption, askedAt: askedAt,
        ledAt: course.begunAt ?? askedAt, now: timeline.secondsSince1970)
      answer.inquiry.timings += course.spent
      // A transport that did not hand over the body as it arrived gave it at the end.
      let isWhole = answer.source == .network && arriving.count == response.body.count
      body.end(isWhole ? .whole : .useless)
      let received = answer.source == .network ? response.body.count : 0
      events.emit(.transferFinished(key, bytes: received, duration: timeline.now - start))
      if let saved = body.saved { events.emit(.finishedUnawaited(key, saved: saved)) }
      if let prefix = arriving.resumption, response.status == 206 {
        events.emit(.resumed(key, bytes: prefix.bytes.count))
      }
      if answer.source == .disk { events.emit(.revalidated(key, bytes: answer.response.body.count)) }
      return .answer(answer)
    } catch {
      let error = truthful(error, of: key, at: attempt.deadline, given: limits.total)
      events.emit(
        error.kind == .cancelled
          ? .transferAborted(key, bytes: arriving.count) : .transferFailed(key, error, bytes: arriving.count))
      throw error
    }
  }

  /// What `stored`, on disk where `course` led, comes to.
  nonisolated func answer(from stored: StoredResponse, on course: Course) -> Answer {
    let now = timeline.secondsSince1970
    var answer = Answer(stored, behind: course.redirects, ledAt: course.begunAt ?? now, now: now)
    answer.there = course.errand
    answer.inquiry.timings = course.spent
    return answer
  }

  /// `error`, of a transfer that got the time `given` of its load, as an error of that load: the transport names the
  /// time that earlier attempts had left it.
  private nonisolated func truthful(
    _ error: LoadError, of key: ResponseKey, at deadline: Duration, given: Duration
  ) -> LoadError {
    guard error.kind == .timeout, given < limits.total, timeline.now >= deadline else { return error }
    return .late(key.origin, after: limits.total).at(error.stage)
  }
}
