/// The `Retry-After` field of a response (RFC 9110, section 10.2.3).
package enum RetryAfter {
  /// Returns the requested wait, never negative; nil if `headers` have no valid value.
  ///
  /// - Parameter now: Seconds since 1970.
  package static func delay(_ headers: HeaderFields, now: Int64) -> Duration? {
    guard let text = headers["retry-after"] else { return nil }
    if let seconds = CacheControl.deltaSeconds(text.utf8) { return .seconds(seconds) }
    guard let date = HTTPDate.parse(text, now: now) else { return nil }
    let (delay, overflows) = date.subtractingReportingOverflow(now)
    return overflows ? nil : .seconds(min(max(0, delay), CacheControl.largestDelta))
  }
}
