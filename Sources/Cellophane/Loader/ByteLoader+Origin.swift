/// The part of the road that leads to the origin: how often it is asked, what, and what its answer means.
extension ByteLoader {
  /// What one turn at the gate came to.
  private enum Turn {
    case answered(Answer)
    /// An origin is held back since the load began to wait for its turn, or one to which a redirect leads.
    case heldBack(Origin)
    case failed(LoadError, Trouble, pause: Duration)
  }

  /// Asks the origin, for the rest when the beginning is there. What arrived of a transfer that did not come to its
  /// end is kept on disk in turn.
  nonisolated func fetch(
    _ errand: Errand, beside stored: StoredResponse?, priority: LivePriority, to body: FlightBody
  ) async throws(LoadError) -> Answer {
    let former = await prefix(for: errand)
    let departure = Departures.Departure()
    let (outcome, rest) = await withTaskCancellationHandler {
      () -> (Result<Answer, LoadError>, Resumption?) in
      var prefix = former
      do throws(LoadError) {
        let answer = try await fetch(
          errand, beside: stored, behind: &prefix, priority: priority, to: body)
        return (.success(answer), nil)
      } catch {
        return (.failure(error), error.saysGone ? nil : prefix)
      }
    } onCancel: {
      if errand.mayLeaveSomething { departures.announce(departure, of: errand.key) }
    }
    departures.end(departure, of: errand.key, leaving: rest)
    await keep(rest, insteadOf: former, for: errand)
    return try outcome.get()
  }

  /// Asks the origin, and again after failures that may pass. Whoever waits between two attempts, for itself or
  /// for the origin, has no place at the gate; who has something stale for that failure does not wait.
  private nonisolated func fetch(
    _ errand: Errand, beside stored: StoredResponse?, behind prefix: inout Resumption?,
    priority: LivePriority, to body: FlightBody
  ) async throws(LoadError) -> Answer {
    let validation = stored.flatMap { Validation(of: $0, for: errand.key.headers) }
    var failures = 0
    var attempts = 0
    var queue = Duration.zero
    var awaited = errand.key.origin
    // From the first turn on: how long the line is, is no fault of the load.
    var deadline: Duration?
    while true {
      let start = timeline.now
      do throws(LoadError) {
        try await holds.wait(for: awaited, failures: &failures, until: deadline) {
          !covers(stored, $0, of: errand)
        }
      } catch {
        // As often as this load asked, not who found out that the origin is to be left alone.
        var last = error
        last.attempts = attempts
        throw last
      }
      let turn = try await gate.withPlace(
        for: errand.key.origin, priority: priority, places: lines.places(at: errand.key.origin)
      ) {
        () throws(LoadError) -> Turn in
        queue += timeline.now - start
        if let deadline, timeline.now >= deadline { throw .late(errand.key.origin, after: limits.total) }
        guard let pass = holds.enter(errand.key.origin) else { return .heldBack(errand.key.origin) }
        let end = deadline ?? timeline.now + limits.total
        deadline = end
        let attempt = Attempt(
          validation: validation, failures: failures, deadline: end, priority: priority)
        return await take(pass, errand, attempt, behind: &prefix, to: body)
      }
      switch turn {
      case .answered(var answer):
        (answer.inquiry.attempts, answer.inquiry.queue) = (attempts + 1, queue)
        return answer
      case .heldBack(let origin): awaited = origin
      case .failed(let error, let trouble, let pause):
        failures += 1
        attempts += 1
        guard trouble.mayPass, failures <= retry.retries, pause <= retry.longestWait,
          deadline.map({ timeline.now + pause < $0 }) ?? true, !covers(stored, error, of: errand)
        else {
          var last = error
          last.attempts = attempts
          throw last
        }
        events.emit(.retrying(errand.key, error, after: pause))
        try await timeline.pause(for: pause)
      }
    }
  }

  /// True when `stored`, stale, may answer in place of `error` (`stale-if-error`).
  nonisolated func covers(_ stored: StoredResponse?, _ error: LoadError, of errand: Errand) -> Bool {
    guard let stored else { return false }
    return errand.terms.accept(stored.freshness, at: timeline.secondsSince1970, after: error)
  }

  /// One turn: an exchange, one more for each redirect, and one more for the whole when the answer is not about what is
  /// stored, or when the origin does not go on behind it.
  private nonisolated func take(
    _ pass: OriginHolds.Pass, _ errand: Errand, _ attempt: Attempt, behind prefix: inout Resumption?,
    to body: FlightBody
  ) async -> Turn {
    var attempt = attempt
    var course = Course(errand)
    // What is kept of where redirects led, and lands after what was begun before.
    var known: StoredResponse?
    var landing: UInt64?
    defer { if landing != nil { landings.end(course.errand.key) } }
    while true {
      let askedAt = timeline.secondsSince1970
      let origin = errand.key.origin
      let number = lines.expect(from: origin)
      var isWhole = false
      let isElsewhere = course.isElsewhere
      let arriving = body.begin(
        behind: prefix.flatMap { $0.isRefused || isElsewhere ? nil : $0 },
        onSent: { [roundTrips, timeline] handshakes in
          if let handshakes, !isElsewhere { roundTrips.note(handshakes: handshakes, of: origin) }
          return timeline.now
        },
        onHead: { [holds, roundTrips, lines, timeline] head in
          lines.begin(number, from: origin, at: timeline.now)
          if !Trouble.isTemporary(head.status) { holds.answered(pass) }
          if head.redirects.isEmpty {
            roundTrips.note(head.timeToFirstByte, isShared: head.sharesConnection, of: origin)
          }
          return timeline.now
        })
      defer {
        body.endExchange()
        lines.end(
          number, from: origin, received: arriving.count, isWhole: isWhole, isAwaited: body.isAwaited,
          at: timeline.now)
        gate.limit(origin, to: lines.places(at: origin))
      }
      do throws(LoadError) {
        try holds.follow(pass, to: course.errand.key.origin)
        let reply = try await transfer(
          errand, on: course, attempt, into: arriving, of: body, askedAt: askedAt, pass)
        switch reply {
        case .answer(var answer):
          holds.answered(pass)
          // That something still holds says nothing of how long a body takes.
          isWhole = answer.source == .network
          if landing != nil { answer.there = course.errand }
          (answer.landing, landing) = (landing, nil)
          return .answered(answer)
        case .redirect(let response, let target):
          if landing != nil { landings.end(course.errand.key) }
          landing = nil
          try course.follow(response, to: target, namedBy: identity, askedAt: askedAt)
          known = await stored(course.errand)
          if let known, errand.terms.accept(known.freshness, at: timeline.secondsSince1970) {
            holds.answered(pass)
            events.emit(.diskHit(errand.key, bytes: known.body.count))
            return .answered(answer(from: known, on: course))
          }
          attempt.validation = known.flatMap {
            Validation(of: $0, for: errand.headers, behind: course.redirects.count)
          }
          landing = landings.begin(course.errand.key)
        }
      } catch {
        if error.saysGone, let landing {
          await landings.land(course.errand.key, landing) { await keep(nil, of: course.errand) }
        }
        if let barrier = pass.barrier { return .heldBack(barrier) }
        if error == .otherVersion(errand.key.url),
          attempt.validation != nil || prefix != nil && !course.isElsewhere
        {
          attempt.validation = nil
          if !course.isElsewhere { prefix = nil }
          continue
        }
        let rest = errand.headers.isConditional ? nil : Resumption(arriving, askedAt: askedAt)
        // What was there before is void as soon as the origin sends another version.
        if arriving.snapshot.version != nil { prefix = rest }
        // So is what the origin says to go on behind, and then does not.
        if arriving.isEmptyContinuation, error.kind != .cancelled { prefix = nil }
        let trouble = Trouble(
          error, head: arriving.head, isResumable: rest != nil, now: timeline.secondsSince1970)
        let pause = holds.ended(pass, about: errand.key, with: error, trouble, failures: attempt.failures + 1)
        if timeline.now < attempt.deadline,
          arriving.isRefused(with: error, trouble, isElsewhere: pass.origin != origin)
        {
          prefix?.isRefused = true
          continue
        }
        if let known, covers(known, error, of: errand) {
          events.emit(.staleOnError(errand.key, error, bytes: known.body.count))
          return .answered(answer(from: known, on: course))
        }
        return .failed(error, trouble, pause: pause)
      }
    }
  }
}

extension ArrivingBody {
  /// True when the answer says that it goes on behind what was there, and brought nothing.
  fileprivate var isEmptyContinuation: Bool {
    guard let resumption else { return false }
    let (_, bytes, version) = snapshot
    return version === resumption.version && bytes.isEmpty
  }

  /// True when this asked to continue something, and `error` was the answer. It may be one to that question alone:
  /// an origin that cannot be reached, wants a pause or has nothing there would say the same to any other.
  fileprivate func isRefused(with error: LoadError, _ trouble: Trouble, isElsewhere: Bool) -> Bool {
    guard resumption != nil, snapshot.version == nil, !error.saysGone else { return false }
    return switch trouble.reach {
    case .none, .resource: true
    case .origin: isElsewhere
    case .unknown: false
    }
  }
}
