/// The part of the road that leads from place to place, as redirects do. At each the disk may answer, or the origin.
///
/// The frame of an asynchronous function is allocated for each load, and has room for all values of what is inlined into
/// it. So what has many values is not inlined here, nor on the parts of the road that follow.
extension ByteLoader {
  /// What there is where `course` has led, or where it leads from there.
  ///
  /// - Parameter isRefresh: True when something stale has answered already, and only what is fresh is of use.
  nonisolated func answer(
    at course: inout Course, isRefresh: Bool = false, priority: LivePriority, to body: SharedBody
  ) async throws(LoadError) -> LoadedBytes {
    let errand = course.errand
    var stored = await stored(errand)
    // Whoever leads back is asked whether that is so.
    if let redirect = stored, redirect.target != nil, !course.isLed(on: redirect, namedBy: identity) {
      stored = nil
    }
    let (freshness, now) = (stored?.freshness, timeline.secondsSince1970)
    if let stored, let freshness, errand.terms.accept(freshness, at: now) {
      if stored.target == nil { events.emit(.diskHit(course.start.key, bytes: stored.body.count)) }
      return try await give(stored, at: &course, isRefresh: isRefresh, priority: priority, to: body)
    }
    guard errand.terms.mayAsk else { throw .notCached(errand, named: course.start.key.url, stored: stored) }
    // Who has asked an origin already asks the next one, too.
    if !isRefresh, course.spent == nil, !course.isStale, refreshesInBackground, let stored, let freshness,
      stored.target == nil, errand.terms.accept(freshness, whileAskingAt: now)
    {
      events.emit(.staleHit(course.start.key, bytes: stored.body.count))
      return course.end(
        with: LoadedBytes(
          stored, source: .disk, isStale: true, refresh: refresh(course.start, isOfLoad: true)))
    }
    if !isRefresh, !course.isElsewhere, refreshes[errand.flight] != nil {
      do throws(LoadError) { return try await refreshed(errand, priority: priority) } catch {
        guard let stored, covers(stored, error, of: errand) else { throw error }
        return try await give(stored, at: &course, because: error, priority: priority, to: body)
      }
    }
    return try await ask(
      beside: stored, at: &course, isRefresh: isRefresh, priority: priority, to: body)
  }

  /// What `stored`, which may be used, comes to, in place of `error` if there was one.
  @inline(never)
  private nonisolated func give(
    _ stored: StoredResponse, at course: inout Course, because error: LoadError? = nil,
    isRefresh: Bool = false, priority: LivePriority, to body: SharedBody
  ) async throws(LoadError) -> LoadedBytes {
    let now = timeline.secondsSince1970
    if stored.target == nil {
      if let error { events.emit(.staleOnError(course.start.key, error, bytes: stored.body.count)) }
      return course.end(
        with: LoadedBytes(stored, source: .disk, isStale: !stored.freshness.isFresh(at: now)))
    }
    var next = course
    try next.follow(stored, at: now, after: nil, limit: limits.redirects, namedBy: identity)
    let former = next.errand
    do throws(LoadError) {
      return try await answer(at: &next, isRefresh: isRefresh, priority: priority, to: body)
    } catch let failure {
      // What an origin said before of how long it will fail, holds for its redirects, too.
      let isKnown = failure.kind == .status && next.failedAttempts == course.failedAttempts
      let failure = next.located(failure)
      course.goBack(from: next)
      // An origin that has moved its pictures since must not wait until the end of the day. The last redirect is asked
      // for first, and each once.
      guard failure.kind != .cancelled, !isKnown, error == nil,
        course.followed < Course.mostFollowed(limits.redirects),
        course.errand.terms.mayAsk, next.deadline.map({ timeline.now < $0 }) ?? true, !body.giveUp()
      else { throw failure }
      return try await ask(
        beside: nil, at: &course, isRefresh: isRefresh, unlessItLeadsTo: (former, failure),
        priority: priority, to: body)
    }
  }

  /// Asks the origin whether `stored` still holds, or for the whole, and goes on where it leads, unless that is where it
  /// came to nothing.
  private nonisolated func ask(
    beside stored: StoredResponse?, at course: inout Course, isRefresh: Bool,
    unlessItLeadsTo former: (errand: Errand, failure: LoadError)? = nil, priority: LivePriority,
    to body: SharedBody
  ) async throws(LoadError) -> LoadedBytes {
    let attemptsBefore = course.failedAttempts
    do throws(LoadError) {
      if let loaded = try await renew(stored, at: &course, priority: priority, to: body) {
        return course.end(with: loaded)
      }
    } catch {
      // Nobody was asked.
      if let former, error.kind != .cancelled, course.failedAttempts == attemptsBefore {
        throw former.failure
      }
      guard !isRefresh, let stored, covers(stored, error, of: course.errand) else { throw error }
      return try await give(stored, at: &course, because: error, priority: priority, to: body)
    }
    if let former, former.errand.key == course.errand.key, former.errand.url == course.errand.url {
      throw former.failure
    }
    // Everybody may have left while it was the redirect that was about to end.
    if body.giveUp() { throw .cancelled }
    return try await answer(at: &course, isRefresh: isRefresh, priority: priority, to: body)
  }

  /// Asks the origin, and keeps what it says. Not when it said before that it will fail again. Nil when `course` leads on.
  private nonisolated func renew(
    _ stored: StoredResponse?, at course: inout Course, priority: LivePriority, to body: SharedBody
  ) async throws(LoadError) -> LoadedBytes? {
    let errand = course.errand
    if let error = knownFailure(of: course) {
      events.emit(.failureKnown(course.start.key, error))
      throw error
    }
    let number = landings.begin(errand.key)
    defer { landings.end(errand.key) }
    let attemptsBefore = course.failedAttempts
    let reply: Reply
    do throws(LoadError) {
      reply = try await fetch(&course, beside: stored, priority: priority, to: body)
    } catch {
      // Not what another load of the same origin came to.
      if error.kind == .status, course.failedAttempts > attemptsBefore {
        await remember(error, of: course, load: number)
      }
      throw error
    }
    switch reply {
    case .answer(let answer):
      var loaded = LoadedBytes(answer.response, source: answer.source)
      await landings.land(errand.key, number) {
        failures.remember(nil, of: errand, at: timeline.now)
        loaded.storeFailure = await keep(answer.kept, of: errand)
      }
      (loaded.inquiry, loaded.redirectedUntil) = (answer.inquiry, answer.redirectedUntil)
      return loaded
    case .redirect(let response, let target, let askedAt):
      try await follow(response, to: target, askedAt: askedAt, at: &course, load: number)
      return nil
    }
  }

  /// What the origin said before that it will answer for as long; nil when it did not, or is to be asked nevertheless.
  private nonisolated func knownFailure(of course: Course) -> LoadError? {
    guard course.errand.terms.mayUseMemory,
      let known = failures.failure(of: course.errand, at: timeline.now)
    else { return nil }
    var error = course.isElsewhere ? known.known(behind: course) : known
    error.attempts = course.failedAttempts
    return error
  }

  /// Lands `error`, which the origin answered to load `number`.
  @inline(never)
  private nonisolated func remember(_ error: LoadError, of course: Course, load number: UInt64) async {
    let errand = course.errand
    let told = course.isHeldBack ? nil : course.isElsewhere ? error.about(errand) : error
    await landings.land(errand.key, number) {
      failures.remember(told, of: errand, at: timeline.now)
      if error.saysGone { await keep(nil, of: errand) }
    }
  }

  /// Goes where `response`, which load `number` got, redirects to, and keeps that it leads there.
  @inline(never)
  private nonisolated func follow(
    _ response: TransportResponse, to target: String, askedAt: Int64, at course: inout Course,
    load number: UInt64
  ) async throws(LoadError) {
    let errand = course.errand
    let redirect = StoredResponse(response, to: target, askedAt: askedAt)
    do throws(LoadError) {
      try course.follow(
        redirect, at: timeline.secondsSince1970, after: response.timings, limit: limits.redirects,
        namedBy: identity)
    } catch {
      var exchange = LoadError.Exchange(response)
      exchange.timings += course.spent ?? TransferTimings()
      throw error.of(exchange)
    }
    // The same, perhaps under another signature: what is kept is what it leads to, and nothing that led elsewhere.
    if course.errand.key == errand.key {
      await landings.land(errand.key, number) {
        if await self.stored(errand)?.target != nil { await keep(nil, of: errand) }
      }
      return
    }
    // No signature goes into a file.
    let isKept = redirect.isFreshRedirect && course.errand.key.url == course.errand.url
    await landings.land(errand.key, number) {
      failures.remember(nil, of: errand, at: timeline.now)
      await keep(isKept ? redirect : nil, of: errand)
    }
  }

  /// True when `stored`, stale, may answer in place of `error` (`stale-if-error`).
  nonisolated func covers(_ stored: StoredResponse?, _ error: LoadError, of errand: Errand) -> Bool {
    guard let stored else { return false }
    return errand.terms.accept(stored.freshness, at: timeline.secondsSince1970, after: error)
  }
}

extension LoadError {
  /// This, an answer to who was led to `errand`, as it is told to whoever asks there. It names no other load's URL.
  fileprivate func about(_ errand: Errand) -> LoadError {
    LoadError(
      kind, "\(errand.key.url) answered \(status.map(String.init) ?? "badly")", isRetryable: isRetryable,
      status: status, retryAfter: retryAfter)
  }

  /// This, known of where `course` has led, without what is asked for there.
  fileprivate func known(behind course: Course) -> LoadError {
    LoadError(
      kind,
      "\(course.name) answered \(status.map(String.init) ?? "badly"), which lasts for"
        + " \(Int(((retryAfter ?? .zero) / .seconds(1)).rounded(.up))) s more",
      isRetryable: isRetryable, status: status, retryAfter: retryAfter)
  }
}
