/// How long a response may be used without asking its origin again (RFC 9111, section 4.2), as a private
/// cache sees it: `s-maxage` does not count. Without any freshness information a response is stale.
public struct Freshness: Hashable, Sendable {
  /// Seconds from its making for which the response is fresh; 0 when it says nothing.
  public let lifetime: Int64
  /// How old the response was, in seconds, at ``storedAt``.
  public let initialAge: Int64
  /// Seconds since 1970 from which its age counts: when the exchange that stored it began.
  public let storedAt: Int64
  /// The response asks to be validated before every use (`no-cache`, or `Vary: *`, which nothing matches).
  public let requiresValidation: Bool
  /// The response asks to be validated before every use once it is stale (`must-revalidate`), whoever asks.
  public let forbidsStale: Bool
  /// For how many seconds after its lifetime it may answer while the origin is asked (RFC 5861, section 3).
  public let staleWhileRevalidate: Int64
  /// For how many seconds after its lifetime it may answer when the origin has an error (RFC 5861, section 4).
  public let staleIfError: Int64

  /// The freshness of a response with this status and these header fields.
  ///
  /// - Parameter storedAt: Seconds since 1970 at which it was asked for. Counting from there, and not from when
  ///   it came, adds the response delay to the age as RFC 9111, section 4.2.3, demands.
  public init(status: Int, headers: HeaderFields, storedAt: Int64) {
    let control = CacheControl(headers)
    let date = headers["date"].flatMap { HTTPDate.parse($0, now: storedAt) }
    self.storedAt = storedAt
    requiresValidation =
      control.noCache || FieldList("vary", in: headers).contains { $0.contains(UInt8(ascii: "*")) }
    forbidsStale = control.mustRevalidate
    staleWhileRevalidate = control.staleWhileRevalidate ?? 0
    staleIfError = control.staleIfError ?? 0
    lifetime =
      control.maxAge
      ?? Self.lifetimeByExpires(headers, date: date ?? storedAt, now: storedAt)
      ?? Self.heuristicLifetime(status: status, headers, date: date ?? storedAt, now: storedAt)
      ?? 0
    // Section 4.2.3: the larger of what caches on the way counted and what the origin's clock says.
    let counted = Self.age(headers) ?? 0
    initialAge = max(counted, date.map { Self.difference(storedAt, $0) } ?? 0)
  }

  /// True when the response may be used at `now` without asking. A response stored in the future, which
  /// only a clock set back makes possible, is stale.
  public func isFresh(at now: Int64) -> Bool { isUsable(at: now, staleFor: 0) }

  /// True when the response may be used at `now` without asking, by one who accepts that it has been stale for
  /// less than `seconds`; below zero, who wants it to be fresh for so long.
  func isUsable(at now: Int64, staleFor seconds: Int64) -> Bool {
    let allowance = forbidsStale ? min(seconds, 0) : seconds
    return !requiresValidation && now >= storedAt && remaining(at: now) + allowance > 0
  }

  /// How old the response is at `now`, in seconds.
  func age(at now: Int64) -> Int64 { initialAge + Self.difference(now, storedAt) }

  /// Seconds for which the response is still within its lifetime at `now`; zero or negative once it is not.
  public func remaining(at now: Int64) -> Int64 {
    lifetime - age(at: now)
  }

  /// Seconds from `b` to `a` within 0 and 2^31, so that sums cannot overflow whatever the dates.
  static func difference(_ a: Int64, _ b: Int64) -> Int64 {
    guard a > b else { return 0 }
    let (difference, overflow) = a.subtractingReportingOverflow(b)
    return overflow ? CacheControl.largestDelta : min(difference, CacheControl.largestDelta)
  }

  /// The first member of an `Age` list; nil when it is no number, and then ignored (RFC 9111, 5.1).
  private static func age(_ headers: HeaderFields) -> Int64? {
    var ages = FieldList("age", in: headers)
    return ages.next().flatMap(CacheControl.deltaSeconds)
  }

  /// `Expires` minus `Date`; a value that is no date, `0` above all, has expired already (RFC 9111, 5.3).
  private static func lifetimeByExpires(_ headers: HeaderFields, date: Int64, now: Int64) -> Int64? {
    guard let expires = headers["expires"] else { return nil }
    return HTTPDate.parse(expires, now: now).map { difference($0, date) } ?? 0
  }

  /// A tenth of the time since the last change, the fraction RFC 9111, section 4.2.2, names, for at most a
  /// day: beyond it that section once asked for a warning.
  private static func heuristicLifetime(
    status: Int, _ headers: HeaderFields, date: Int64, now: Int64
  ) -> Int64? {
    guard heuristicallyCacheable.contains(status),
      let modified = headers["last-modified"].flatMap({ HTTPDate.parse($0, now: now) })
    else { return nil }
    return min(difference(date, modified) / 10, 24 * 60 * 60)
  }

  /// RFC 9110, section 15.1.
  private static let heuristicallyCacheable: [Int] = [
    200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501,
  ]
}
