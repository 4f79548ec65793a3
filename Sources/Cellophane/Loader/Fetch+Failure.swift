/// The details of a failed load. Not inlined: the values of a failure would make the frames of each load 1.8 KB larger.
extension Fetch {
  /// Records that the fetch fails at the current target. `hasExchange` when its last exchange is the reason.
  @inline(never)
  func fail(hasExchange: Bool) {
    failure = report(attempts: failedAttempts, exchange: hasExchange ? failedExchange : nil)
  }

  /// Returns the details of the failed fetch. The timings of `exchange` include those of the redirects before it.
  @inline(never)
  func report(attempts: Int, exchange: FailedExchange?) -> FailedFetch {
    var exchange = exchange
    if let timings = chain.timings { exchange?.timings += timings }
    return FailedFetch(
      attempts: attempts, exchange: exchange, otherOrigin: isAtOwnHost ? nil : origin, circuit: circuit)
  }

  /// Returns the error of a load whose time is over before its next attempt.
  @inline(never)
  func expired() -> LoadError {
    failure = report(attempts: max(1, failedAttempts), exchange: nil)
    return .late(origin, after: context.limits.total)
  }
}
