/// What a request allows caches to do for it: its policy, and its own `Cache-Control` (RFC 9111, section 5.2.1).
struct RequestTerms: Hashable, Sendable {
  /// The origin may be asked; `only-if-cached` forbids it.
  let mayAsk: Bool
  /// A stored response may answer; `no-cache` forbids it, and `no-store`, which leaves the disk alone altogether.
  let mayUseStored: Bool
  /// The answer may be stored; `no-store` forbids it.
  let mayStore: Bool
  /// Seconds by which a response may be stale to answer when the origin has an error; nil leaves it to the response.
  private let staleIfError: Int64?
  private let takesAnyAge: Bool
  private let maxAge: Int64?
  /// By how many seconds a response may be stale; below zero, for how many it must stay fresh.
  private let allowance: Int64

  init(_ policy: CachePolicy, _ directives: CacheControl) {
    mayAsk = policy != .offline && !directives.onlyIfCached
    mayUseStored = policy != .reload && !directives.noCache && !directives.noStore
    mayStore = !directives.noStore
    staleIfError = directives.staleIfError
    maxAge = directives.maxAge
    allowance = directives.minFresh.map { -$0 } ?? directives.maxStale ?? 0
    takesAnyAge = allowance == CacheControl.largestDelta
  }

  /// True when what is in memory may answer, which is known by no age.
  var mayUseMemory: Bool { mayUseStored && maxAge == nil && allowance >= 0 }

  /// True when a response may answer at `now` without asking its origin.
  func accept(_ freshness: Freshness, at now: Int64) -> Bool {
    guard mayUseStored else { return false }
    // Whole seconds that have begun count: what was stored within this second is older than 0.
    if let maxAge, freshness.age(at: now) >= maxAge { return false }
    // Also of an age that nobody knows, after a clock was set back.
    if takesAnyAge, !freshness.requiresValidation, !freshness.forbidsStale { return true }
    return freshness.isUsable(at: now, staleFor: allowance)
  }

  /// True when only its age keeps a response from answering, and the request could allow that.
  func wouldTakeStale(_ freshness: Freshness) -> Bool {
    maxAge == nil && allowance == 0 && !freshness.requiresValidation && !freshness.forbidsStale
  }

  /// True when a response may answer at `now` while the origin is asked in the background (RFC 5861, section 3).
  func accept(_ freshness: Freshness, whileAskingAt now: Int64) -> Bool {
    let window = freshness.staleWhileRevalidate
    return mayUseMemory && window > 0 && freshness.isUsable(at: now, staleFor: window)
  }

  /// True when a response may answer at `now` although the origin was asked and gave `error` (RFC 5861, section 4).
  func accept(_ freshness: Freshness, at now: Int64, after error: LoadError) -> Bool {
    let window = staleIfError ?? freshness.staleIfError
    return mayUseStored && window > 0 && error.isOfOrigin && freshness.isUsable(at: now, staleFor: window)
  }
}

extension LoadError {
  /// True when the origin cannot answer, and says nothing about what it was asked for: it cannot be reached, or
  /// a gateway before it says so (RFC 5861, section 4).
  fileprivate var isOfOrigin: Bool {
    switch kind {
    case .dns, .connect, .timeout, .connectionLost: true
    case .status: [500, 502, 503, 504].contains(status)
    default: false
    }
  }
}

extension Request {
  /// What caches may do for it.
  var terms: RequestTerms { RequestTerms(cachePolicy, CacheControl(unkeyedHeaders)) }
}
