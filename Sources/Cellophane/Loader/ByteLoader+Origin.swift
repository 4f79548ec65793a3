/// The part of the road that leads to the origin: how often it is asked, what, and what its answer means.
extension ByteLoader {
  /// What one turn at the gate came to.
  private enum Turn {
    case answered(Answer)
    /// The origin is held back since the load began to wait for its turn.
    case heldBack
    case failed(LoadError, Trouble, pause: Duration)
  }

  /// Asks the origin, and again after failures that may pass. Whoever waits between two attempts, for itself or
  /// for the origin, has no place at the gate.
  nonisolated func fetch(
    _ errand: Errand, _ validation: Validation?, priority: LivePriority, to body: FlightBody
  ) async throws(LoadError) -> Answer {
    var failures = 0
    while true {
      try await holds.wait(for: errand.key.origin, failures: &failures)
      let turn = try await gate.withPlace(for: errand.key.origin, priority: priority) {
        () throws(LoadError) -> Turn in
        guard let pass = holds.enter(errand.key.origin) else { return .heldBack }
        return await take(pass, errand, validation, failures: failures, to: body)
      }
      switch turn {
      case .answered(let answer): return answer
      case .heldBack: continue
      case .failed(let error, let trouble, let pause):
        failures += 1
        guard trouble.mayPass, failures <= retry.retries, pause <= retry.longestWait else { throw error }
        events.emit(.retrying(errand.key, error, after: pause))
        try await timeline.pause(for: pause)
      }
    }
  }

  /// One turn: an exchange, and another one when the answer to the first is about something that was not asked.
  private nonisolated func take(
    _ pass: OriginHolds.Pass, _ errand: Errand, _ validation: Validation?, failures: Int, to body: FlightBody
  ) async -> Turn {
    var validation = validation
    while true {
      let arriving = body.begin { [holds] head in
        if !Trouble.isTemporary(head.status) { holds.answered(pass) }
      }
      do throws(LoadError) {
        let answer = try await transfer(errand, validation, into: arriving, of: body)
        holds.answered(pass)
        return .answered(answer)
      } catch {
        if error == .otherVersion(errand.key.url), validation != nil {
          validation = nil
          continue
        }
        let trouble = Trouble(error, head: arriving.head, now: timeline.secondsSince1970)
        let pause = holds.ended(pass, about: errand.key, with: error, trouble, failures: failures + 1)
        return .failed(error, trouble, pause: pause)
      }
    }
  }

  private nonisolated func transfer(
    _ errand: Errand, _ validation: Validation?, into arriving: ArrivingBody, of body: FlightBody
  ) async throws(LoadError) -> Answer {
    // Cancelled after its turn had come: nothing has begun that could be called a transfer.
    if Task.isCancelled { throw .cancelled }
    let (key, start, askedAt) = (errand.key, timeline.now, timeline.secondsSince1970)
    events.emit(.transferStarted(key))
    do throws(LoadError) {
      var fields = errand.headers
      if let validation { fields.append(validation.fields) }
      let response = try await transport.exchange(
        TransportRequest(url: key.url, headers: fields, limits: limits, body: arriving))
      let answer = try Answer(response, to: key, validation: validation, askedAt: askedAt)
      // A transport that did not hand over the body as it arrived gave it at the end.
      let isWhole = answer.source == .network && arriving.count == response.body.count
      body.end(isWhole ? .whole : .useless)
      let received = answer.source == .network ? response.body.count : 0
      events.emit(.transferFinished(key, bytes: received, duration: timeline.now - start))
      if answer.source == .disk { events.emit(.revalidated(key, bytes: answer.response.body.count)) }
      return answer
    } catch {
      events.emit(
        error.kind == .cancelled
          ? .transferAborted(key, bytes: arriving.count) : .transferFailed(key, error, bytes: arriving.count))
      throw error
    }
  }
}
