/// The period for which a private cache may use a response without validation (RFC 9111, section 4.2).
///
/// `s-maxage` applies to shared caches and is ignored. A response without freshness information is stale.
package struct Freshness: Hashable, Sendable {
  /// The freshness lifetime in seconds; 0 if the response does not state one.
  package let lifetime: Int64
  /// True if the response states its lifetime (`max-age` or `Expires`).
  package let isExplicit: Bool
  /// The age of the response in seconds at ``storedAt``.
  package let initialAge: Int64
  /// Seconds since 1970 from which the age counts: the start of the exchange that stored the response.
  package let storedAt: Int64
  /// True if the response must be validated before each use (`no-cache`, or `Vary: *`, which never matches).
  package let requiresValidation: Bool
  /// True if the response must be validated before each use once it is stale (`must-revalidate`). No request
  /// can override this.
  package let forbidsStale: Bool
  /// The number of seconds after its lifetime during which the response may be used while it is revalidated
  /// (RFC 5861, section 3).
  package let staleWhileRevalidate: Int64
  /// The number of seconds after its lifetime during which the response may be used if the origin fails (RFC
  /// 5861, section 4).
  package let staleIfError: Int64

  /// Creates the freshness of a response with this status and these header fields.
  ///
  /// - Parameter storedAt: Seconds since 1970 at which the request was sent. Counting from the request and
  ///   not from the response includes the response delay in the age, as RFC 9111, section 4.2.3, requires.
  package init(status: Int, headers: HeaderFields, storedAt: Int64) {
    let control = CacheControl(headers)
    let date = headers["date"].flatMap { HTTPDate.parse($0, now: storedAt) }
    self.storedAt = storedAt
    requiresValidation =
      control.noCache || FieldList("vary", in: headers).contains { $0.contains(UInt8(ascii: "*")) }
    forbidsStale = control.mustRevalidate
    staleWhileRevalidate = control.staleWhileRevalidate ?? 0
    staleIfError = control.staleIfError ?? 0
    let stated =
      control.maxAge ?? Self.lifetimeByExpires(headers, date: date ?? storedAt, now: storedAt)
    isExplicit = stated != nil
    lifetime =
      stated
      ?? Self.heuristicLifetime(status: status, headers, date: date ?? storedAt, now: storedAt)
      ?? 0
    // Section 4.2.3: the larger of the age that intermediary caches report and the age by the origin's clock.
    let receivedAge = Self.age(headers) ?? 0
    initialAge = max(receivedAge, date.map { Self.difference(storedAt, $0) } ?? 0)
  }

  /// Returns whether the response may be used at `now` without validation. A response stored in the future,
  /// possible only after the clock was set back, is stale.
  package func isFresh(at now: Int64) -> Bool { isUsable(at: now, staleFor: 0) }

  /// Returns whether the response may be used at `now` without validation.
  ///
  /// - Parameter seconds: The accepted staleness (`max-stale`). A negative value requires remaining freshness
  ///   (`min-fresh`).
  package func isUsable(at now: Int64, staleFor seconds: Int64) -> Bool {
    let allowance = forbidsStale ? min(seconds, 0) : seconds
    return !requiresValidation && now >= storedAt && remaining(at: now) + allowance > 0
  }

  /// Returns the age of the response at `now` in seconds.
  package func age(at now: Int64) -> Int64 { initialAge + Self.difference(now, storedAt) }

  /// Returns the rest of the lifetime at `now` in seconds; zero or negative once the response is stale.
  package func remaining(at now: Int64) -> Int64 {
    lifetime - age(at: now)
  }

  /// Returns the seconds from `b` to `a`, clamped to 0...2^31 so that sums cannot overflow.
  package static func difference(_ a: Int64, _ b: Int64) -> Int64 {
    guard a > b else { return 0 }
    let (difference, overflow) = a.subtractingReportingOverflow(b)
    return overflow ? CacheControl.largestDelta : min(difference, CacheControl.largestDelta)
  }

  /// Returns the first member of the `Age` list; nil if it is not a number and therefore ignored (RFC 9111,
  /// section 5.1).
  private static func age(_ headers: HeaderFields) -> Int64? {
    var ages = FieldList("age", in: headers)
    return ages.next().flatMap(CacheControl.deltaSeconds)
  }

  /// Returns `Expires` minus `Date`. An invalid date, such as the common `0`, has already expired (RFC 9111,
  /// section 5.3). A date in another zone than GMT is invalid here, also in UTC (section 4.2).
  private static func lifetimeByExpires(_ headers: HeaderFields, date: Int64, now: Int64) -> Int64? {
    guard let expires = headers["expires"] else { return nil }
    if expires.utf8.suffix(3).map(\.lowercased).elementsEqual("utc".utf8) { return 0 }
    return HTTPDate.parse(expires, now: now).map { difference($0, date) } ?? 0
  }

  /// Returns a tenth of the time since the last modification, the fraction that RFC 9111, section 4.2.2,
  /// mentions, but at most one day. RFC 7234 required a warning for heuristic lifetimes beyond a day.
  private static func heuristicLifetime(
    status: Int, _ headers: HeaderFields, date: Int64, now: Int64
  ) -> Int64? {
    guard heuristicallyCacheable.contains(status),
      let modified = headers["last-modified"].flatMap({ HTTPDate.parse($0, now: now) })
    else { return nil }
    return min(difference(date, modified) / 10, 24 * 60 * 60)
  }

  /// The statuses that are heuristically cacheable (RFC 9110, section 15.1).
  private static let heuristicallyCacheable: [Int] = [
    200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501,
  ]
}
