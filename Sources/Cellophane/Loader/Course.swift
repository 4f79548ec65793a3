/// How far a load has come: where redirects have led it, and what that took.
///
/// Each place is a resource of its own: what it has is fresh as long as it says, is asked whether it still holds, is
/// continued where it broke, and answers all whom redirects lead there. Its origin has a line, a schedule and turns at
/// the gate of its own.
struct Course: Sendable {
  /// What the load was sent for: what events and errors call it by, wherever it was led.
  let start: Errand
  /// What is asked for now.
  private(set) var errand: Errand
  /// How many redirects led there.
  private(set) var redirects = 0
  /// Until when they lead there, in seconds since 1970; nil at the beginning.
  private(set) var leadsUntil: Int64?
  /// True when one of them was no longer fresh.
  private(set) var isStale = false
  /// How many redirects the load has followed, those that came to nothing included.
  private(set) var followed = 0
  /// What those took that were asked for; nil when all were on disk.
  private(set) var spent: TransferTimings?
  /// What the places before this are kept under.
  private var visited: Set<ResponseKey> = []
  /// How many attempts of the load have failed.
  var failedAttempts = 0
  /// How many of those at the origin of its start may pass.
  var ownRefusals = 0
  /// True when it ended because an origin is left alone: what became of others is nothing to remember of it.
  var isHeldBack = false
  /// For how long still its last origin is left alone; nil when it is not.
  var heldFor: Duration?
  /// True when that asked for it, in its answer to the load.
  var asksForPause = false
  /// Behind how many bytes the origin has said that there is nothing: a transfer that ends there has no rest.
  var knownEnd: Int?
  /// True when what redirects on disk lead to from here has come to nothing, so that they are asked about. That is not
  /// worth waiting for.
  private(set) var isAskedAgain = false
  /// How long the load waited for its turns.
  var queue = Duration.zero
  /// When it must be over; nil until its first turn, because how long the line is, is no fault of the load.
  var deadline: Duration?

  /// At the beginning.
  init(_ errand: Errand) { (start, self.errand) = (errand, errand) }

  /// How many redirects a load follows that follows at most `limit` one after the other: twice as many, so that each of
  /// those on disk can be asked about once.
  static func mostFollowed(_ limit: Int) -> Int {
    let (most, isBeyond) = limit.multipliedReportingOverflow(by: 2)
    return isBeyond ? .max : most
  }

  /// True behind the first redirect.
  var isElsewhere: Bool { redirects > 0 }

  /// True where the host is asked that the load began with, with or without TLS: manners are about hosts.
  var isAtOwnHost: Bool { origin.authority == start.key.origin.authority }

  /// The origin that is asked now.
  var origin: Origin { errand.key.origin }

  /// What errors call what is asked for: of where redirects lead no more than the origin, because the rest may be a
  /// secret that only the request was given.
  var name: String { isElsewhere ? "\(start.key.url) redirects to \(origin), which" : start.key.url }

  /// What is to be asked for where `redirect` leads; nil when that is no URL.
  func next(after redirect: StoredResponse, namedBy identity: URLIdentity?) -> Errand? {
    redirect.target.flatMap { try? errand.led(to: $0, namedBy: identity) }
  }

  /// True when `redirect`, on disk, leads on: to a URL, and not back.
  func isLed(on redirect: StoredResponse, namedBy identity: URLIdentity?) -> Bool {
    next(after: redirect, namedBy: identity).map { $0.key != errand.key && !visited.contains($0.key) }
      ?? false
  }

  /// Goes where `redirect` leads at `now`, which took `timings` when it was asked for.
  ///
  /// - Throws: ``LoadError/Kind/redirects`` after `limit` of them; ``LoadError/Kind/malformedResponse`` when that is no
  ///   URL.
  mutating func follow(
    _ redirect: StoredResponse, at now: Int64, after timings: TransferTimings?, limit: Int,
    namedBy identity: URLIdentity?
  ) throws(LoadError) {
    let most = Self.mostFollowed(limit)
    guard followed < most else {
      throw LoadError(
        .redirects, "more than \(most) redirects, with those that led to nothing, the last one from \(origin)"
      )
    }
    guard redirects < limit else {
      throw LoadError(
        .redirects, "more than \(limit) redirects, the last one from \(origin); they may lead in a circle")
    }
    guard let next = next(after: redirect, namedBy: identity) else {
      throw LoadError(.malformedResponse, "\(origin) redirects to something that is no usable URL")
    }
    let freshness = redirect.freshness
    let isFresh = freshness.isFresh(at: now) && !CacheControl(redirect.headers).noStore
    leadsUntil = min(leadsUntil ?? .max, isFresh ? now + freshness.remaining(at: now) : now)
    if let timings {
      if spent == nil { spent = TransferTimings() }
      spent? += timings
    } else {
      // What was asked for just now leads there, however short that lasts.
      if !isFresh { isStale = true }
    }
    visited.insert(errand.key)
    errand = next
    (knownEnd, isAskedAgain, isHeldBack) = (nil, false, false)
    (heldFor, asksForPause) = (nil, false)
    redirects += 1
    followed += 1
  }

  /// Stands here again after `further`, to which a redirect on disk led, has come to nothing: what that took, it took.
  mutating func goBack(from further: Course) {
    (deadline, queue) = (further.deadline, further.queue)
    (failedAttempts, ownRefusals) = (further.failedAttempts, further.ownRefusals)
    (followed, isAskedAgain) = (further.followed, true)
  }

  /// `loaded`, found where this has led, as the load gives it.
  func end(with loaded: LoadedBytes) -> LoadedBytes {
    var loaded = loaded
    if isElsewhere {
      loaded.there = errand.key
      loaded.redirectedUntil = min(loaded.redirectedUntil ?? .max, leadsUntil ?? .max)
      loaded.isStale = loaded.isStale || isStale
    }
    if loaded.inquiry == nil, spent != nil { loaded.inquiry = FetchMetrics() }
    if let spent { loaded.inquiry?.timings += spent }
    loaded.inquiry?.queue = queue
    return loaded
  }
}

extension Course {
  /// `error`, after which the load asks no more: that of its last attempt, behind the redirects that led there.
  func end(with error: LoadError) -> LoadError {
    var error = error
    error.attempts = failedAttempts
    if let spent { error.exchange?.timings += spent }
    return error
  }
}

/// What whoever asked is told, wherever it was led.
extension Course {
  /// `loaded`, in which the load ended.
  func told(_ loaded: LoadedBytes) -> LoadedBytes {
    var loaded = loaded
    loaded.ownRefusals += ownRefusals
    return loaded
  }

  /// `error`, in which the load ended.
  func told(_ error: LoadError) -> LoadError {
    var error = located(error)
    error.part?.ownRefusals += ownRefusals
    return error
  }

  /// `error`, to which the load came here.
  func located(_ error: LoadError) -> LoadError {
    // Else a load that this one waited for, or that went on from here, has told.
    guard error.part == nil else { return error }
    var error = error
    error.part = .init(
      elsewhere: isAtOwnHost ? nil : origin, isHeldBack: isHeldBack, heldFor: heldFor,
      asksForPause: asksForPause)
    return error
  }
}

/// Redirects are kept like what they lead to: as they say, and without a body.
extension StoredResponse {
  /// What `response`, asked for at `askedAt`, says of where its resource is: at `target`.
  ///
  /// One that is permanent and says no more holds for a day: it may be kept for as long as one likes (RFC 9110, sections
  /// 15.4.2 and 15.4.9), but what an origin said by mistake must not last. Any other holds as long as it says.
  init(_ response: TransportResponse, to target: String, askedAt: Int64) {
    var headers = response.headers.ofResource
    headers["location"] = target
    let says = CacheControl(headers)
    let isPermanent = response.status == 301 || response.status == 308
    if isPermanent, !says.noCache, !says.noStore, says.maxAge == nil, headers["expires"] == nil {
      headers.append("cache-control", "max-age=86400")
    }
    self.init(status: response.status, headers: headers, body: [], storedAt: askedAt)
  }

  /// Where this redirects to, absolute; nil when it does not.
  var target: String? { RedirectPolicy.isRedirect(status) ? headers["location"] : nil }

  /// True for a redirect that may lead there again without being asked. Others are not worth their place, since nobody
  /// can ask whether they still hold.
  var isFreshRedirect: Bool { freshness.isFresh(at: storedAt) && !CacheControl(headers).noStore }
}
