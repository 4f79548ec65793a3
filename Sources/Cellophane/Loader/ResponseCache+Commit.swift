/// Commits of results: the result of the load that began last is stored, whatever its duration.
extension ResponseCache {
  /// Stores `response` as the newest of the target of `fetch`, unless a load with a higher `number` has committed.
  /// Returns it as the load gives it.
  func commit(_ response: FetchedResponse, for fetch: Fetch, load number: UInt64) async -> LoadedBytes {
    let target = fetch.target
    var loaded = LoadedBytes(response.response, source: response.source)
    await commits.commit(target.key, number) {
      failures.remember(nil, of: target, at: context.timeline.now)
      loaded.storeFailure = await store(response.storable, for: target)
    }
    if let storable = response.storable, target.isStorable, target.key.canonicalBytes != nil {
      loaded.mayBeOnDisk = !CacheControl(storable.headers).noStore
    } else {
      loaded.mayBeOnDisk = false
    }
    (loaded.fetchMetrics, loaded.redirectedUntil) = (response.metrics, response.redirectedUntil)
    loaded.url = response.url
    return loaded
  }

  /// Stores that `redirect`, the response to `source`, leads to `target`.
  func commit(
    _ redirect: StoredResponse, from source: ByteRequest, to target: ByteRequest, load number: UInt64
  ) async {
    // The same resource, perhaps with a new signature: its response is stored, and no redirect to another one.
    if target.key == source.key {
      await commits.commit(source.key, number) {
        if await self.response(to: source)?.redirectTarget != nil { await store(nil, for: source) }
      }
      return
    }
    // Without the cookie that it sets, the target would answer otherwise.
    let needsCookie = target.key.origin == source.key.origin && target.key.scope != source.key.scope
    // No signature is written to disk.
    let isStorable = redirect.isFreshRedirect && target.key.url == target.url && !needsCookie
    await commits.commit(source.key, number) {
      failures.remember(nil, of: source, at: context.timeline.now)
      await store(isStorable ? redirect : nil, for: source)
    }
  }

  /// Remembers `error`, the origin's response to `fetch`, for as long as it says that it lasts. Not inlined: the frames of
  /// each load would be 128 bytes larger.
  @inline(never)
  func commit(_ error: LoadError, for fetch: Fetch, load number: UInt64) async {
    let target = fetch.target
    let known = fetch.circuit.isRefused ? nil : fetch.isRedirected ? error.naming(target) : error
    // With another signature or other credentials, the origin may answer otherwise.
    let isGeneral = target.key.url == target.url && target.credentials.isEmpty
    let failure = isGeneral && known != nil ? fetch.lastingFailure : nil
    await commits.commit(target.key, number) {
      failures.remember(known, of: target, at: context.timeline.now)
      // A stored success stays, because it may answer later (`stale-if-error`), unless the resource is gone.
      let stored = await storedResponse(to: target, under: target.key)
      if error.saysGone || stored?.isFailure ?? (failure != nil) { await store(failure, for: target) }
    }
  }

  /// Checks that the origin has not said before how long it will fail.
  ///
  /// - Throws: That failure, unless the request bypasses caches.
  func requireNoKnownFailure(of fetch: Fetch) throws(LoadError) {
    guard fetch.target.terms.mayUseMemory,
      let known = failures.failure(of: fetch.target, at: context.timeline.now)
    else { return }
    let error = fetch.isRedirected ? known.asKnown(of: fetch.subject) : known
    fetch.fail(hasExchange: false)
    context.events.emit(.failureKnown(fetch.request.key, error))
    throw error
  }
}

extension LoadError {
  /// Returns this failure of a redirect's target for loads that request the target directly. Names no other URL.
  fileprivate func naming(_ target: ByteRequest) -> LoadError {
    LoadError(
      kind, "\(target.key.url) answered \(status.map(String.init) ?? "badly")", isRetryable: isRetryable,
      status: status, retryAfter: retryAfter)
  }

  /// Returns this known failure of a redirect's target without the target's URL.
  fileprivate func asKnown(of subject: String) -> LoadError {
    LoadError(
      kind,
      "\(subject) answered \(status.map(String.init) ?? "badly"), which lasts for"
        + " \(Int(((retryAfter ?? .zero) / .seconds(1)).rounded(.up))) s more",
      isRetryable: isRetryable, status: status, retryAfter: retryAfter)
  }
}
