/// Decisions about stored responses, and the result of the load.
extension Fetch {
  /// True when `stored` may answer without asking the origin.
  func accepts(_ stored: StoredResponse) -> Bool {
    target.terms.accept(stored.freshness, at: context.timeline.secondsSince1970)
  }

  /// True when `failure`, from disk, still answers. A request that forbids asking the origin gets no failure. A failure
  /// lasts for a day at most, as in memory.
  func accepts(failure stored: StoredResponse) -> Bool {
    let now = context.timeline.secondsSince1970
    return target.terms.mayAsk && stored.isFresh(at: now) && accepts(stored)
      && Freshness.difference(now, stored.storedAt) < KnownFailures.longestSeconds
  }

  /// Records that the load fails with `stored`, a failure from disk, and returns its error.
  @inline(never)
  private func failure(from stored: StoredResponse) -> LoadError {
    let freshness = stored.freshness
    let age = Freshness.difference(context.timeline.secondsSince1970, stored.storedAt)
    let left = min(freshness.remaining(at: stored.storedAt), KnownFailures.longestSeconds) - age
    let error = LoadError(
      .status,
      "\(subject) answered \(stored.status) \(age) s ago, which lasts for \(left) s more; a reload asks again before",
      isRetryable: FailureClass.isTemporary(stored.status), status: stored.status, retryAfter: .seconds(left))
    fail(hasExchange: false)
    context.events.emit(.failureKnown(request.key, error))
    return error
  }

  /// True when `stored`, stale, may answer while the origin is asked in the background (`stale-while-revalidate`). Not
  /// after a redirect that came from an origin: a load that has waited for one origin also waits for the next.
  func accepts(whileRevalidating stored: StoredResponse) -> Bool {
    !isRefresh && chain.timings == nil && !chain.isStale && context.refreshesInBackground
      && stored.redirectTarget == nil && judge(stored.headers) == nil
      && target.terms.accept(stored.freshness, whileAskingAt: context.timeline.secondsSince1970)
  }

  /// True when `stored`, stale, may answer after `error` (`stale-if-error`).
  func accepts(_ stored: StoredResponse?, after error: LoadError) -> Bool {
    guard let stored else { return false }
    return target.terms.accept(stored.freshness, at: context.timeline.secondsSince1970, after: error)
  }

  /// True when the load waits for a background refresh that runs. The origin of a redirect is asked by the load itself.
  var joinsRefresh: Bool { !isRefresh && !isRedirected && failedBranch == nil }

  /// Checks that the request permits asking the origin.
  ///
  /// - Parameter stored: The stored response, which must not answer.
  /// - Throws: ``LoadError/Kind/notCached``.
  func requireNetwork(_ stored: StoredResponse?) throws(LoadError) {
    if target.terms.mayAsk { return }
    let why =
      if !target.terms.mayUseStored {
        "may not be answered by a cache, nor by the origin: the request forbids both"
      } else if let stored {
        "is cached, but must not be used without asking the origin, which the request forbids"
          + (target.terms.wouldTakeStale(stored.freshness)
            ? " (with 'Cache-Control: max-stale' it would take what is stale)" : "")
      } else {
        "is not cached, and the request forbids asking the origin"
      }
    throw LoadError(.notCached, "\(request.key.url) \(why)")
  }

  /// Uses `stored`, which may answer: returns the result of the load, or nil after following a redirect.
  ///
  /// - Parameter error: The error of the origin that `stored` replaces, if any.
  /// - Throws: The failure that `stored` is, or ``follow(cached:mayReturn:)``'s error.
  func use(_ stored: StoredResponse, insteadOf error: LoadError? = nil) throws(LoadError) -> LoadedBytes? {
    if stored.isFailure { throw failure(from: stored) }
    if stored.redirectTarget != nil {
      try follow(cached: stored, mayReturn: error == nil)
      return nil
    }
    if let refusal = judge(stored.headers) {
      fail(hasExchange: false)
      throw refusal
    }
    let (key, bytes) = (request.key, stored.body.count)
    context.events.emit(
      error.map { .staleOnError(key, $0, bytes: bytes) } ?? .diskHit(key, bytes: bytes))
    let isFresh = stored.freshness.isFresh(at: context.timeline.secondsSince1970)
    return finish(LoadedBytes(stored, source: .disk, isStale: !isFresh))
  }

  /// Returns `loaded`, the response of the target, as the result of the load.
  func finish(_ loaded: LoadedBytes) -> LoadedBytes {
    var loaded = loaded
    if loaded.url.isEmpty { loaded.url = target.url }
    if isRedirected {
      loaded.targetKey = target.key
      loaded.redirectedUntil = min(loaded.redirectedUntil ?? .max, chain.freshUntil ?? .max)
      loaded.isStale = loaded.isStale || chain.isStale
    }
    if loaded.fetchMetrics == nil, chain.timings != nil { loaded.fetchMetrics = FetchMetrics() }
    if let timings = chain.timings { loaded.fetchMetrics?.timings += timings }
    loaded.fetchMetrics?.queue = queueTime
    loaded.ownRefusals += ownRefusals
    if let memory {
      memory.shrink(to: loaded.bytes.capacity)
      loaded.memory = memory
    }
    return loaded
  }
}
