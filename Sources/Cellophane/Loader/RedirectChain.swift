/// The redirects that a fetch has followed, and the request at their end.
///
/// Each target is a separate resource with its own freshness, validators, partial body, circuit and slots of the gate.
struct RedirectChain: Sendable {
  /// The request at the end of the chain, with the cookies of the chain.
  private(set) var target: ByteRequest
  /// The same request without them.
  private var bare: ByteRequest
  private var cookies = RedirectCookies()
  /// How many redirects lead to it.
  private(set) var count = 0
  /// Until when all of them are fresh, in seconds since 1970; nil without redirects.
  private(set) var freshUntil: Int64?
  /// True when one of them came from disk and was stale.
  private(set) var isStale = false
  /// The time that the redirects took which came from origins; nil when all came from disk.
  private(set) var timings: TransferTimings?
  /// The keys of the requests before the target.
  private var visited: Set<ResponseKey> = []

  init(_ request: ByteRequest) { (target, bare) = (request, request) }

  /// Returns the request that follows `redirect`, without cookies of the chain; nil when its target is an invalid URL.
  private func next(after redirect: StoredResponse, identity: URLIdentity?) -> ByteRequest? {
    redirect.redirectTarget.flatMap { try? bare.redirected(to: $0, identity: identity) }
  }

  /// Takes the cookies that the origin of the target sets with `headers`, its redirect that arrived at `now`.
  mutating func takeCookies(_ headers: HeaderFields, at now: Int64) {
    cookies.take(headers, from: target.url, at: target.key.origin, now: now)
  }

  /// True when `redirect`, from disk, leads to a valid URL and closes no loop.
  func mayFollow(_ redirect: StoredResponse, identity: URLIdentity?) -> Bool {
    next(after: redirect, identity: identity).map { $0.key != target.key && !visited.contains($0.key) }
      ?? false
  }

  /// Appends `redirect`, followed at `now`. `timings` is the time that it took; nil when it came from disk.
  ///
  /// - Throws: ``LoadError/Kind/malformedResponse`` when its target is an invalid URL.
  mutating func append(
    _ redirect: StoredResponse, at now: Int64, after timings: TransferTimings?, identity: URLIdentity?
  ) throws(LoadError) {
    guard let next = next(after: redirect, identity: identity) else {
      throw LoadError(.malformedResponse, "\(target.key.origin) redirects to something that is no usable URL")
    }
    let freshness = redirect.freshness
    let isFresh = freshness.isFresh(at: now) && !CacheControl(redirect.headers).noStore
    freshUntil = min(freshUntil ?? .max, isFresh ? now + freshness.remaining(at: now) : now)
    if let timings {
      if self.timings == nil { self.timings = TransferTimings() }
      self.timings? += timings
    } else if !isFresh {
      // A redirect that came from its origin just now is valid, even with a short lifetime.
      isStale = true
    }
    visited.insert(target.key)
    bare = next
    target = cookies.field(for: next.url, at: next.key.origin).map(next.with(cookies:)) ?? next
    count += 1
  }
}

/// Redirects are stored like other responses: with their freshness and without a body.
extension StoredResponse {
  /// Creates the redirect `response` to `target`, requested at `askedAt`.
  ///
  /// A permanent redirect without an explicit lifetime stays fresh for a day: caches may keep it for any time (RFC 9110,
  /// sections 15.4.2 and 15.4.9), but a mistake of an origin must not last. Any other keeps its own lifetime.
  init(redirect response: TransportResponse, to target: String, askedAt: Int64) {
    var headers = response.headers.storable
    headers["location"] = target
    let control = CacheControl(headers)
    let isPermanent = response.status == 301 || response.status == 308
    if isPermanent, !control.noCache, !control.noStore, control.maxAge == nil, headers["expires"] == nil {
      headers.append("cache-control", "max-age=86400")
    }
    self.init(status: response.status, headers: headers, body: [], storedAt: askedAt)
  }

  /// The absolute URL to which this redirects; nil when it is no redirect.
  var redirectTarget: String? { RedirectPolicy.isRedirect(status) ? headers["location"] : nil }

  /// True for a redirect that may be followed later without asking its origin. Others are not worth storing, because a
  /// redirect cannot be revalidated.
  var isFreshRedirect: Bool { freshness.isFresh(at: storedAt) && !CacheControl(headers).noStore }
}
