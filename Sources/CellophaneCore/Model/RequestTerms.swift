/// The caching rules of a request: its policy and its own `Cache-Control` (RFC 9111, section 5.2.1).
package struct RequestTerms: Hashable, Sendable {
  /// False with `only-if-cached`, which forbids a request to the origin.
  package let mayAsk: Bool
  /// True if a stored response may answer; false with `no-cache` and `no-store`. `no-store` also forbids any
  /// disk access.
  package let mayUseStored: Bool
  /// True if the response may be stored; false with `no-store`.
  package let mayStore: Bool
  /// The accepted staleness in seconds if the origin fails; nil to use the response's value.
  private let staleIfError: Int64?
  private let acceptsAnyAge: Bool
  private let maxAge: Int64?
  /// The accepted staleness in seconds (`max-stale`). A negative value requires remaining freshness
  /// (`min-fresh`).
  private let allowance: Int64

  package init(_ policy: CachePolicy, _ directives: CacheControl) {
    mayAsk = policy != .offline && !directives.onlyIfCached
    mayUseStored = policy != .reload && !directives.noCache && !directives.noStore
    mayStore = !directives.noStore
    staleIfError = directives.staleIfError
    maxAge = directives.maxAge
    allowance = directives.minFresh.map { -$0 } ?? directives.maxStale ?? 0
    acceptsAnyAge = allowance == CacheControl.largestDelta
  }

  /// True if a value in memory may answer. Memory does not record ages.
  package var mayUseMemory: Bool { mayUseStored && maxAge == nil && allowance >= 0 }

  /// Returns whether a response may answer at `now` without validation.
  package func accept(_ freshness: Freshness, at now: Int64) -> Bool {
    guard mayUseStored else { return false }
    // Ages are rounded up: a response stored within the current second is older than 0 s.
    if let maxAge, freshness.age(at: now) >= maxAge { return false }
    // True even if the age is unknown because the clock was set back.
    if acceptsAnyAge, !freshness.requiresValidation, !freshness.forbidsStale { return true }
    return freshness.isUsable(at: now, staleFor: allowance)
  }

  /// Returns whether only its age prevents a response from answering, so that `max-stale` would allow it.
  package func wouldTakeStale(_ freshness: Freshness) -> Bool {
    maxAge == nil && allowance == 0 && !freshness.requiresValidation && !freshness.forbidsStale
  }

  /// Returns whether a response may answer at `now` while it is revalidated in the background (RFC 5861,
  /// section 3).
  package func accept(_ freshness: Freshness, whileAskingAt now: Int64) -> Bool {
    let window = freshness.staleWhileRevalidate
    return mayUseMemory && window > 0 && freshness.isUsable(at: now, staleFor: window)
  }

  /// Returns whether a response may answer at `now` after the origin failed with `error` (RFC 5861, section
  /// 4).
  package func accept(_ freshness: Freshness, at now: Int64, after error: LoadError) -> Bool {
    let window = staleIfError ?? freshness.staleIfError
    return mayUseStored && window > 0 && error.isOfOrigin && freshness.isUsable(at: now, staleFor: window)
  }
}

extension LoadError {
  /// True if the origin is unreachable or a gateway reports that. Such an error says nothing about the
  /// requested resource (RFC 5861, section 4).
  fileprivate var isOfOrigin: Bool {
    switch kind {
    case .dns, .connect, .timeout, .connectionLost: true
    case .status: [500, 502, 503, 504].contains(status)
    default: false
    }
  }
}

extension Request {
  /// The caching rules of the request.
  package var terms: RequestTerms { RequestTerms(cachePolicy, CacheControl(unkeyedHeaders)) }
}
