/// The part of the road that leads from place to place, as redirects do. At each the disk may answer, or the origin.
extension ByteLoader {
  /// What there is where `course` has led, or where it leads from there.
  ///
  /// - Parameter isRefresh: True when something stale has answered already, and only what is fresh is of use.
  nonisolated func answer(
    at course: Course, isRefresh: Bool = false, priority: LivePriority, to body: FlightBody
  ) async throws(LoadError) -> LoadedBytes {
    let errand = course.errand
    let stored = await stored(errand)
    let (freshness, now) = (stored?.freshness, timeline.secondsSince1970)
    if let stored, let freshness, errand.terms.accept(freshness, at: now) {
      if stored.target == nil { events.emit(.diskHit(course.start.key, bytes: stored.body.count)) }
      return try await give(stored, at: course, isRefresh: isRefresh, priority: priority, to: body)
    }
    guard errand.terms.mayAsk else { throw .notCached(course.start.key.url, stored: stored) }
    let isFirst = !course.isElsewhere && !isRefresh
    if isFirst, refreshesInBackground, let stored, let freshness, stored.target == nil,
      errand.terms.accept(freshness, whileAskingAt: now)
    {
      events.emit(.staleHit(errand.key, bytes: stored.body.count))
      return LoadedBytes(stored, source: .disk, isStale: true, refresh: refresh(errand))
    }
    do throws(LoadError) {
      return isFirst && refreshes[errand.flight] != nil
        ? try await refreshed(errand, priority: priority)
        : try await renew(stored, at: course, isRefresh: isRefresh, priority: priority, to: body)
    } catch {
      guard !isRefresh, let stored, covers(stored, error, of: errand) else { throw error }
      events.emit(.staleOnError(course.start.key, error, bytes: stored.body.count))
      return try await give(stored, at: course, priority: priority, to: body)
    }
  }

  /// What `stored`, which may be used, comes to.
  private nonisolated func give(
    _ stored: StoredResponse, at course: Course, isRefresh: Bool = false, priority: LivePriority,
    to body: FlightBody
  ) async throws(LoadError) -> LoadedBytes {
    let now = timeline.secondsSince1970
    if stored.target == nil {
      return course.end(
        with: LoadedBytes(stored, source: .disk, isStale: !stored.freshness.isFresh(at: now)))
    }
    var course = course
    try course.follow(stored, at: now, after: nil, limit: limits.redirects, namedBy: identity)
    return try await answer(at: course, isRefresh: isRefresh, priority: priority, to: body)
  }

  /// Asks the origin whether `stored` still holds, or for the whole, and keeps what it says. Not when it said before
  /// that it will fail again.
  private nonisolated func renew(
    _ stored: StoredResponse?, at course: Course, isRefresh: Bool, priority: LivePriority, to body: FlightBody
  ) async throws(LoadError) -> LoadedBytes {
    var course = course
    let errand = course.errand
    if errand.terms.mayUseMemory, let known = failures.failure(of: errand, at: timeline.now) {
      let error = course.isElsewhere ? known.known(behind: course) : known
      events.emit(.failureKnown(course.start.key, error))
      throw error
    }
    let number = landings.begin(errand.key)
    defer { landings.end(errand.key) }
    let reply: Reply
    do throws(LoadError) {
      // What a redirect said is not asked about: where it leads is all there is of it.
      let known = stored.flatMap { $0.target == nil ? $0 : nil }
      reply = try await fetch(&course, beside: known, priority: priority, to: body)
    } catch {
      // Not what another load of the same origin came to.
      if error.kind == .status, error.attempts > 0 {
        await landings.land(errand.key, number) {
          failures.remember(course.isElsewhere ? error.about(errand) : error, of: errand, at: timeline.now)
          if error.saysGone { await keep(nil, of: errand) }
        }
      }
      throw error
    }
    switch reply {
    case .answer(let answer):
      var loaded = LoadedBytes(answer.response, source: answer.source)
      await landings.land(errand.key, number) {
        failures.remember(nil, of: errand, at: timeline.now)
        loaded.diskLoss = await keep(answer.kept, of: errand)
      }
      (loaded.inquiry, loaded.redirectedUntil) = (answer.inquiry, answer.redirectedUntil)
      return course.end(with: loaded)
    case .redirect(let response, let target, let askedAt):
      let redirect = StoredResponse(response, to: target, askedAt: askedAt)
      await landings.land(errand.key, number) {
        failures.remember(nil, of: errand, at: timeline.now)
        await keep(redirect.isFreshRedirect ? redirect : nil, of: errand)
      }
      try course.follow(
        redirect, at: timeline.secondsSince1970, after: response.timings, limit: limits.redirects,
        namedBy: identity)
      return try await answer(at: course, isRefresh: isRefresh, priority: priority, to: body)
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
      "\(course.name) answered \(status.map(String.init) ?? "badly") and is to be asked again later",
      isRetryable: isRetryable, status: status, retryAfter: retryAfter)
  }
}
