/// When an origin that cannot answer now wants to be asked again (RFC 9110, section 10.2.3).
enum RetryAfter {
  /// The wait that `headers` ask for, never below zero; nil when they ask for none that can be understood.
  ///
  /// - Parameter now: Seconds since 1970.
  static func delay(_ headers: HeaderFields, now: Int64) -> Duration? {
    guard let text = headers["retry-after"] else { return nil }
    if let seconds = CacheControl.deltaSeconds(text.utf8) { return .seconds(seconds) }
    guard let date = HTTPDate.parse(text, now: now) else { return nil }
    let (delay, isBeyond) = date.subtractingReportingOverflow(now)
    return isBeyond ? nil : .seconds(min(max(0, delay), CacheControl.largestDelta))
  }
}
