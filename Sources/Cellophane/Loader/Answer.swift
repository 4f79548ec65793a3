/// What an origin's response comes to: a response to give, and one to keep.
struct Answer: Sendable {
  /// What the load gives.
  let response: StoredResponse
  /// What goes to disk in place of what was there; nil when nothing may.
  let kept: StoredResponse?
  /// Until when the redirects that its transport followed lead here, in seconds since 1970; nil when there were none
  /// that may change.
  let redirectedUntil: Int64?
  /// Where the bytes are from: the origin, or the disk when the origin says that they still hold.
  let source: Source
  /// What it took.
  var inquiry = FetchMetrics()

  /// The meaning of `response` to a request for `key`, asked at `askedAt` and here at `now`, in seconds since 1970.
  ///
  /// - Parameters:
  ///   - name: What errors call what was asked for.
  ///   - validation: The question whether something stored still holds, when that was asked.
  ///   - arriving: The response's body, which knows what was to be continued, when something was.
  /// - Throws: ``LoadError/Kind/status`` unless the whole resource is here or on disk;
  ///   ``LoadError/Kind/malformedResponse`` when the response is none to what was asked.
  init(
    _ response: TransportResponse, to key: ResponseKey, called name: String, validation: Validation?,
    arriving: StreamingBody, askedAt: Int64, now: Int64
  ) throws(LoadError) {
    let redirects = response.redirects
    inquiry.timings = response.timings
    if response.status == 304, let validation {
      guard let renewed = validation.renewed(by: response, askedAt: askedAt) else {
        throw .otherVersion(name)
      }
      self.response = renewed
      kept = renewed
      source = .disk
    } else if arriving.resumption != nil, [206, 304, 412, 416].contains(response.status) {
      guard let joined = arriving.joined(with: response, askedAt: askedAt) else {
        throw .otherVersion(name)
      }
      self.response = joined
      kept = joined
      source = .network
    } else {
      try response.requireSuccess(to: key, called: name, askedAt: askedAt, now: now)
      self.response = StoredResponse(
        status: response.status, headers: response.headers.ofResource, body: response.body,
        storedAt: askedAt)
      let isWorthKeeping = self.response.isWorthKeeping && !response.isCloseDelimited
      kept = isWorthKeeping ? self.response.kept(behind: redirects) : nil
      source = .network
    }
    redirectedUntil = redirects.hold(at: askedAt).map { $0 + askedAt }
  }
}

extension StoredResponse {
  /// False for what has no content and for a part: a mistake more often than a value, and cheaper to ask for again
  /// than to be wrong about.
  fileprivate var isWorthKeeping: Bool { !body.isEmpty && status != 206 }

  /// What may be kept under the first URL when `redirects`, which a transport followed of its own, led here. Nil when one of them may point elsewhere
  /// before this is stale: each answer has a freshness of its own (RFC 9111, section 4.2), and one entry can
  /// only have one, and what chose one of them chose this (`Vary`). Not to be used stale, when one may point elsewhere
  /// later: what the target allows is not said of the redirect. And without tag and date, because the first URL cannot be asked about those of another.
  fileprivate func kept(behind redirects: [TransportResponse.Redirect]) -> StoredResponse? {
    if redirects.isEmpty { return self }
    var kept = self
    kept.headers["etag"] = nil
    kept.headers["last-modified"] = nil
    for redirect in redirects {
      for names in redirect.headers.values(of: "vary") { kept.headers.append("vary", names) }
    }
    guard let hold = redirects.hold(at: storedAt) else { return kept }
    guard hold > 0, hold >= freshness.remaining(at: storedAt) else { return nil }
    kept.headers.append("cache-control", "must-revalidate")
    return kept
  }
}

extension [TransportResponse.Redirect] {
  /// For how many seconds all of them, asked at `askedAt`, point where they point; 0 for one that is not fresh, nil
  /// when each lasts.
  fileprivate func hold(at askedAt: Int64) -> Int64? {
    filter { !$0.lasts }.map { hop in
      let freshness = Freshness(status: hop.status, headers: hop.headers, storedAt: askedAt)
      let isFresh = !CacheControl(hop.headers).noStore && freshness.isFresh(at: askedAt)
      return isFresh ? freshness.remaining(at: askedAt) : 0
    }.min()
  }
}

extension TransportResponse.Redirect {
  /// True when it holds until it is taken back (RFC 9110, sections 15.4.2 and 15.4.9), and says nothing else.
  fileprivate var lasts: Bool {
    let says = CacheControl(headers)
    return (status == 301 || status == 308) && !says.noStore && !says.noCache && says.maxAge == nil
      && headers["expires"] == nil
  }
}

extension TransportResponse {
  /// - Throws: ``LoadError/Kind/status`` unless the status says that what was asked for is here.
  fileprivate func requireSuccess(
    to key: ResponseKey, called name: String, askedAt: Int64, now: Int64
  ) throws(LoadError) {
    switch status {
    // A part is not the whole (RFC 9110, section 15.3.7).
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
        retryAfter: lasts(askedAt: askedAt, now: now))
    }
  }

  /// What an error is about: what was called `name`, and of where redirects led no more than the origin, because the rest
  /// may be a secret that only the request was given.
  private func subject(_ name: String) -> String {
    let target = redirects.isEmpty ? nil : try? CanonicalURL.parse(url).1
    return name + (target.map { " redirects to \($0), which" } ?? "")
  }

  /// True when this is the part that `asked`, the value of a `Range` field, asks for, or a beginning of it. What asks
  /// for several parts, or not in bytes, only its author can judge.
  private func isPart(of asked: String?) -> Bool {
    guard let asked else { return false }
    guard let words = ByteRange(asked) else { return true }
    let ranges = headers.values(of: "content-range")
    guard ranges.count == 1, let range = ContentRange(ranges[0]) else { return false }
    return range.last - range.first + 1 == body.count && words.begins(range)
  }

  /// How long this answer says that it lasts: explicitly, because a guess is too little to give up for; or that it is
  /// to be asked for again (`Retry-After`). Nil when it says neither.
  private func lasts(askedAt: Int64, now: Int64) -> Duration? {
    // A redirect may lead elsewhere before.
    guard redirects.isEmpty else { return nil }
    let pause = RetryAfter.delay(headers, now: now) ?? .zero
    var fresh = Duration.zero
    let control = CacheControl(headers)
    let freshness = Freshness(status: status, headers: headers, storedAt: askedAt)
    if !control.noStore, control.maxAge != nil || headers["expires"] != nil, freshness.isFresh(at: now) {
      fresh = .seconds(freshness.remaining(at: now))
    }
    let longer = max(pause, fresh)
    return longer > .zero ? longer : nil
  }
}

extension LoadError {
  /// An answer about another version than the stored one, which was asked about.
  static func otherVersion(_ name: String) -> LoadError {
    LoadError(.malformedResponse, "\(name) answered about a version which is not the stored one")
  }

  /// True when the origin says that there is nothing any more.
  var saysGone: Bool { status == 404 || status == 410 }
}
