/// What a failed load did. Not inlined: the values of a failure would make the frames of each load 1.8 KB larger.
extension Fetch {
  /// Records that the fetch fails at the current target. `hasExchange` when its last exchange is the reason.
  @inline(never)
  func fail(hasExchange: Bool) {
    failure = report(attempts: failedAttempts, exchange: hasExchange ? failedExchange : nil)
  }

  /// Returns what the fetch did, with the time of the redirects before `exchange`.
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
