/// An origin's response to a request.
enum OriginResult {
  case resource(FetchedResponse)
  /// The resource is at another URL. The request for this was sent at `askedAt`, in seconds since 1970.
  case redirect(TransportResponse, to: String, askedAt: Int64)

  /// Returns the response with the number of attempts that it took.
  func counted(attempts: Int) -> OriginResult {
    guard case .resource(var resource) = self else { return self }
    resource.metrics.attempts = attempts
    return .resource(resource)
  }
}

/// The interpretation of an origin's response: the response to return and the one to store.
struct FetchedResponse: Sendable {
  /// The response that the load returns.
  let response: StoredResponse
  /// The response to store instead of the present one; nil when none may be stored.
  let storable: StoredResponse?
  /// Until when the redirects that the transport followed lead here, in seconds since 1970; nil without redirects that
  /// may change.
  let redirectedUntil: Int64?
  /// The URL of the response if the transport followed redirects; otherwise empty.
  let url: String
  /// The source of the bytes: the origin, or the disk after a 304.
  let source: Source
  /// The time and the attempts that it took.
  var metrics = FetchMetrics()

  /// Interprets `response` to the current request of `fetch`, sent at `askedAt` and complete at `now`, in seconds since
  /// 1970.
  ///
  /// - Parameter arriving: The body of the response, with the partial body that it resumes, if any.
  /// - Throws: ``LoadError/Kind/status`` unless the complete resource is here or on disk;
  ///   ``LoadError/Kind/malformedResponse`` for a response that does not match the request.
  init(
    _ response: TransportResponse, to fetch: Fetch, arriving: StreamingBody, askedAt: Int64, now: Int64
  ) throws(LoadError) {
    let redirects = response.redirects
    metrics.timings = response.timings
    metrics.isCloseDelimited = response.isCloseDelimited && !response.sharesConnection
    url = redirects.isEmpty ? "" : response.url
    let isPlain = arriving.resumption == nil && fetch.target.key.headers["range"] == nil
    let response = isPlain ? response.withoutRange : response
    if response.status == 304, let validation = fetch.validation {
      guard let renewed = validation.renewed(by: response, askedAt: askedAt) else {
        throw .otherVersion(fetch.subject)
      }
      self.response = renewed
      storable = renewed
      source = .disk
    } else if arriving.resumption != nil, [206, 304, 412, 416].contains(response.status) {
      guard let joined = arriving.joined(with: response, askedAt: askedAt) else {
        throw .otherVersion(fetch.subject)
      }
      self.response = joined
      storable = joined
      source = .network
    } else {
      try response.requireSuccess(to: fetch.target.key, called: fetch.subject, askedAt: askedAt, now: now)
      self.response = StoredResponse(
        status: response.status, headers: response.headers.storable, body: response.body,
        storedAt: askedAt)
      let isStorable = self.response.isWorthStoring && !response.isCloseDelimited
      storable = isStorable ? self.response.storable(behind: redirects) : nil
      source = .network
    }
    redirectedUntil = redirects.freshness(at: askedAt).map { $0 + askedAt }
  }
}

extension StoredResponse {
  /// False for a part, and for an empty body unless the status declares it (204): these are mistakes more often than
  /// values, and requesting them again is cheaper than storing a mistake.
  fileprivate var isWorthStoring: Bool { body.isEmpty ? status == 204 : status != 206 }

  /// True for a failure of the origin, which is stored without its body.
  var isFailure: Bool { !(200..<300).contains(status) && redirectTarget == nil && !isVaryMarker }

  /// Returns the response to store under the URL of the request when the transport followed `redirects`.
  ///
  /// Nil when a redirect expires before the response: each has its own freshness (RFC 9111, section 4.2), and an entry
  /// has one. The `Vary` fields of the redirects apply to the response as well. A response behind a redirect that may
  /// change must not be used stale: the target allows stale use only for itself. The entry has no validators, because
  /// those belong to the target's URL.
  fileprivate func storable(behind redirects: [TransportResponse.Redirect]) -> StoredResponse? {
    if redirects.isEmpty { return self }
    var stored = self
    stored.headers["etag"] = nil
    stored.headers["last-modified"] = nil
    for redirect in redirects {
      for names in redirect.headers.values(of: "vary") { stored.headers.append("vary", names) }
    }
    guard let lifetime = redirects.freshness(at: storedAt) else { return stored }
    guard lifetime > 0, lifetime >= freshness.remaining(at: storedAt) else { return nil }
    stored.headers.append("cache-control", "must-revalidate")
    return stored
  }
}

extension [TransportResponse.Redirect] {
  /// Returns for how many seconds all of them, requested at `askedAt`, are fresh; 0 when one is stale, nil when all are
  /// permanent.
  fileprivate func freshness(at askedAt: Int64) -> Int64? {
    filter { !$0.isPermanent }.map { hop in
      let freshness = Freshness(status: hop.status, headers: hop.headers, storedAt: askedAt)
      let isFresh = !CacheControl(hop.headers).noStore && freshness.isFresh(at: askedAt)
      return isFresh ? freshness.remaining(at: askedAt) : 0
    }.min()
  }
}

extension TransportResponse.Redirect {
  /// True for a permanent redirect (RFC 9110, sections 15.4.2 and 15.4.9) without an explicit lifetime.
  fileprivate var isPermanent: Bool {
    let control = CacheControl(headers)
    return (status == 301 || status == 308) && !control.noStore && !control.noCache && control.maxAge == nil
      && headers["expires"] == nil
  }
}

extension TransportResponse {
  /// The response as a 200 if it is a 206 whose range is the complete body; otherwise the response itself. Some servers
  /// answer a request without a range like this.
  fileprivate var withoutRange: TransportResponse {
    let ranges = headers.values(of: "content-range")
    guard status == 206, !ranges.isEmpty, let received,
      ranges.allSatisfy({ ContentRange.isComplete($0, of: received) })
    else { return self }
    var response = self
    response.status = 200
    response.headers["content-range"] = nil
    return response
  }

  /// The size of the body before content decoding; nil if it is unknown.
  private var received: Int? {
    headers.contentCodings.isEmpty
      ? body.count : headers["content-length"].flatMap { ContentRange.number($0.utf8) }
  }

  /// Checks that the response has the resource.
  ///
  /// - Throws: ``LoadError/Kind/status`` for a failure; ``LoadError/Kind/malformedResponse`` for a 206 or 304 that the
  ///   request did not ask for.
  fileprivate func requireSuccess(
    to key: ResponseKey, called name: String, askedAt: Int64, now: Int64
  ) throws(LoadError) {
    switch status {
    // A part is not the complete resource (RFC 9110, section 15.3.7).
    case 206 where !isPart(of: key.headers["range"]):
      throw LoadError(
        .malformedResponse, "\(subject(name)) answered with a part that was not asked for (206)")
    case 200..<300: return
    case 304 where !key.headers.isConditional:
      throw LoadError(
        .malformedResponse, "\(subject(name)) answered that nothing changed (304), which was not asked")
    default:
      throw LoadError(
        .status, "\(subject(name)) answered \(status)", isRetryable: FailureClass.isTemporary(status),
        status: status,
        retryAfter: lifetime(askedAt: askedAt, now: now))
    }
  }

  /// Returns the subject of an error: `name`, and the origin to which the transport followed redirects. The rest of that
  /// URL may be a secret that only this caller received.
  private func subject(_ name: String) -> String {
    let target = redirects.isEmpty ? nil : try? CanonicalURL.parse(url).1
    return name + (target.map { " redirects to \($0), which" } ?? "")
  }

  /// True when this is the part that `asked`, the value of a `Range` field, requests, or its beginning. Requests for
  /// several parts or other units are left to the caller.
  private func isPart(of asked: String?) -> Bool {
    guard let asked else { return false }
    guard let words = ByteRange(asked) else { return true }
    let ranges = headers.values(of: "content-range")
    guard ranges.count == 1, let range = ContentRange(ranges[0]) else { return false }
    return range.last - range.first + 1 == body.count && words.begins(range)
  }

  /// Returns how long this failure lasts, by its freshness or `Retry-After`; nil without either.
  private func lifetime(askedAt: Int64, now: Int64) -> Duration? {
    // The redirect may change before.
    guard redirects.isEmpty else { return nil }
    let pause = RetryAfter.delay(headers, now: now) ?? .zero
    let failure = lastingFailure(askedAt: askedAt, now: now)
    let fresh = failure.map { Duration.seconds($0.freshness.remaining(at: now)) } ?? .zero
    let longer = max(pause, fresh)
    return longer > .zero ? longer : nil
  }

  /// Returns this failure as caches store it, without its body; nil unless its freshness says how long it lasts. A
  /// heuristic freshness is no reason to fail other loads, except for a 410, which declares itself permanent.
  func lastingFailure(askedAt: Int64, now: Int64) -> StoredResponse? {
    let stored = StoredResponse(status: status, headers: headers.storable, body: [], storedAt: askedAt)
    let freshness = stored.freshness
    let isLasting = redirects.isEmpty && (freshness.isExplicit || status == 410) && freshness.isFresh(at: now)
    return isLasting && !CacheControl(headers).noStore ? stored : nil
  }
}

extension LoadError {
  /// A 206 or 304 for another version than the stored one.
  static func otherVersion(_ name: String) -> LoadError {
    LoadError(.malformedResponse, "\(name) answered about a version which is not the stored one")
  }

  /// True when the origin no longer has the resource.
  var saysGone: Bool { status == 404 || status == 410 }
}
