/// The part of the road that leads to the origin: how often it is asked, what, and what its answer means.
extension ByteLoader {
  /// What one turn at the gate came to.
  private enum Turn {
    case answered(Reply)
    /// An origin is held back since the load began to wait for its turn, or one to which a redirect leads.
    case heldBack(Origin)
    case failed(LoadError, FailureClass, pause: Duration)
  }

  /// Asks the origin to which `course` has led, for the rest when the beginning is there. What arrived of a transfer
  /// that did not come to its end is kept on disk in turn.
  nonisolated func fetch(
    _ course: inout Course, beside stored: StoredResponse?, priority: LivePriority, to body: SharedBody
  ) async throws(LoadError) -> Reply {
    let errand = course.errand
    let former = await prefix(for: errand)
    let departure = CancelledTransfers.CancelledTransfer()
    let (outcome, rest) = await withTaskCancellationHandler {
      () -> (Result<Reply, LoadError>, Resumption?) in
      var prefix = former
      do throws(LoadError) {
        let reply = try await fetch(
          &course, beside: stored, behind: &prefix, priority: priority, to: body)
        return (.success(reply), nil)
      } catch {
        return (.failure(error), error.saysGone ? nil : prefix)
      }
    } onCancel: {
      if errand.mayLeaveSomething { departures.announce(departure, of: errand.key) }
    }
    departures.end(departure, of: errand.key, leaving: rest)
    await keep(rest, insteadOf: former, for: errand, as: course.start.key)
    return try outcome.get()
  }

  /// Asks the origin, and again after failures that may pass. Whoever waits between two attempts, for itself or
  /// for the origin, has no place at the gate; who has something stale for that failure does not wait.
  private nonisolated func fetch(
    _ course: inout Course, beside stored: StoredResponse?, behind prefix: inout Resumption?,
    priority: LivePriority, to body: SharedBody
  ) async throws(LoadError) -> Reply {
    let (errand, origin) = (course.errand, course.origin)
    // What a redirect said is not asked about: where it leads is all there is of it.
    let validation = stored.flatMap { $0.target == nil ? Validation(of: $0, for: errand.headers) : nil }
    var failures = 0
    (course.isHeldBack, course.heldFor, course.asksForPause) = (false, nil, false)
    // Those of the places before this are the load's, too.
    let failedBefore = course.failedAttempts
    let mayWait = !course.isAskedAgain
    // How long the line is at another origin is no fault of the load either.
    var isFirstTurn = true
    var awaited = origin
    while true {
      let start = timeline.now
      do throws(LoadError) {
        try await holds.wait(for: awaited, failures: &failures, until: course.deadline) {
          mayWait && !covers(stored, $0, of: errand)
        }
      } catch {
        (course.isHeldBack, course.heldFor, course.asksForPause) = (true, holds.rest(of: awaited), false)
        // As often as this load asked, not who found out that the origin is to be left alone.
        throw course.end(with: error)
      }
      let queued = timeline.now
      let turn = try await gate.withPlace(for: origin, priority: priority, places: lines.places(at: origin)) {
        () throws(LoadError) -> Turn in
        let now = timeline.now
        course.queue += now - start
        if isFirstTurn, let deadline = course.deadline {
          course.deadline = deadline + (now - queued)
        }
        isFirstTurn = false
        if let deadline = course.deadline, now >= deadline {
          throw .late(origin, after: limits.total)
        }
        guard let pass = holds.enter(origin) else { return .heldBack(origin) }
        let end = course.deadline ?? now + limits.total
        course.deadline = end
        let attempt = Attempt(
          validation: validation, failures: failures, deadline: end, priority: priority)
        return await take(pass, &course, attempt, behind: &prefix, to: body)
      }
      switch turn {
      case .answered(.answer(var answer)):
        answer.inquiry.attempts = course.failedAttempts + 1
        return .answer(answer)
      case .answered(let reply): return reply
      case .heldBack(let origin): awaited = origin
      case .failed(let error, let trouble, let pause):
        failures += 1
        course.failedAttempts += 1
        if trouble.mayPass, course.isAtOwnHost { course.ownRefusals += 1 }
        (course.heldFor, course.asksForPause) = (holds.rest(of: origin), trouble.asksForPause)
        guard trouble.mayPass, retry.waitsForOrigins || course.heldFor == nil,
          failedBefore + failures <= retry.retries, pause <= retry.longestWait,
          course.deadline.map({ timeline.now + pause < $0 }) ?? true, !covers(stored, error, of: errand)
        else { throw course.end(with: error) }
        events.emit(.retrying(course.start.key, error, after: pause))
        try await timeline.pause(for: pause)
      }
    }
  }

  /// One turn: an exchange, and one more for the whole when the answer is not about what is stored, or when the origin
  /// does not go on behind it.
  private nonisolated func take(
    _ pass: CircuitBreaker.Pass, _ course: inout Course, _ attempt: Attempt, behind prefix: inout Resumption?,
    to body: SharedBody
  ) async -> Turn {
    var attempt = attempt
    let origin = course.origin
    while true {
      let askedAt = timeline.secondsSince1970
      let number = lines.expect(from: origin)
      var isWhole = false
      let arriving = arrivingBody(for: course.errand, behind: prefix, transfer: number, pass, of: body)
      defer {
        body.endExchange()
        lines.end(
          number, from: origin, received: arriving.count, isWhole: isWhole, isAwaited: body.isAwaited,
          at: timeline.now)
        gate.limit(origin, to: lines.places(at: origin))
      }
      do throws(LoadError) {
        let reply = try await transfer(course, attempt, into: arriving, of: body, askedAt: askedAt, pass)
        holds.answered(pass)
        // That something still holds, or is elsewhere, says nothing of how long a body takes.
        if case .answer(let answer) = reply { isWhole = answer.source == .network }
        return .answered(reply)
      } catch {
        if let turn = turn(
          after: error, pass, &course, &attempt, behind: &prefix, arriving, of: body, askedAt: askedAt)
        {
          return turn
        }
      }
    }
  }

  /// A body for the answer that transfer `number` over its line gets, behind `prefix` where that can be continued.
  private nonisolated func arrivingBody(
    for errand: Errand, behind prefix: Resumption?, transfer number: UInt64, _ pass: CircuitBreaker.Pass,
    of body: SharedBody
  ) -> StreamingBody {
    let origin = errand.key.origin
    return body.begin(
      errand.key,
      behind: prefix.flatMap { $0.isRefused || $0.coded != nil && !continuesCodings ? nil : $0 },
      keepsCoded: continuesCodings && !errand.headers.isConditional,
      onSent: { [roundTrips, timeline] handshakes in
        if let handshakes { roundTrips.note(handshakes: handshakes, of: origin) }
        return timeline.now
      },
      onHead: { [holds, roundTrips, lines, timeline] head in
        let now = timeline.now
        lines.begin(number, from: origin, at: now)
        if !FailureClass.isTemporary(head.status) { holds.answered(pass) }
        if head.redirects.isEmpty {
          roundTrips.note(head.timeToFirstByte, isShared: head.sharesConnection, of: origin)
        }
        return now
      })
  }

  /// What an exchange that ended with `error` makes of its turn; nil for one more exchange.
  @inline(never)
  private nonisolated func turn(
    after error: LoadError, _ pass: CircuitBreaker.Pass, _ course: inout Course, _ attempt: inout Attempt,
    behind prefix: inout Resumption?, _ arriving: StreamingBody, of body: SharedBody, askedAt: Int64
  ) -> Turn? {
    if let barrier = pass.barrier { return .heldBack(barrier) }
    let isOfOther = error == .otherVersion(course.name)
    if isOfOther && (attempt.validation != nil || prefix != nil)
      || error.kind == .malformedResponse && arriving.resumption != nil
    {
      if arriving.head?.status == 416 { course.knownEnd = prefix?.count }
      attempt.validation = nil
      prefix = nil
      return nil
    }
    let isResumable = leave(
      &prefix, of: arriving, in: body.running, after: error, at: course, attempt, askedAt: askedAt)
    let trouble = FailureClass(
      error, head: arriving.head, isResumable: isResumable, now: timeline.secondsSince1970)
    let pause = holds.ended(
      pass, about: course.errand.key, with: error, trouble, failures: attempt.failures + 1)
    if timeline.now < attempt.deadline,
      arriving.isRefused(with: error, trouble, isElsewhere: pass.origin != course.origin)
    {
      prefix?.isRefused = true
      return nil
    }
    return .failed(error, trouble, pause: pause)
  }
}

extension StreamingBody {
  /// True when this asked to continue something, and `error` was the answer. It may be one to that question alone:
  /// an origin that cannot be reached, wants a pause or has nothing there would say the same to any other.
  fileprivate func isRefused(with error: LoadError, _ trouble: FailureClass, isElsewhere: Bool) -> Bool {
    guard resumption != nil, version == nil, !error.saysGone else { return false }
    return switch trouble.reach {
    case .none, .resource: true
    case .origin: isElsewhere
    case .unknown: false
    }
  }
}
