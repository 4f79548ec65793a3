internal import Cellophane

extension BatchResult {
  /// Returns the evidence of the result about hosts, at the end of `assignment`.
  func signals(of assignment: HostScheduler.Assignment) -> HostScheduler.Signals {
    var signals = HostScheduler.Signals()
    signals.isRepeated = assignment.queued.wasAlone
    signals.isRetry = assignment.previousAttempts > 0
    if let (error, stage) = failure {
      guard stage != .input, stage != .cache else { return signals }
      if stage.isOfOrigin, error.retryable {
        signals.refusingHost = redirectedOrigin?.authority ?? assignment.ownHost
      }
      (signals.isCircuitOpen, signals.asksForPause) = (isCircuitOpen, asksForPause)
      signals.requestedPause = requestedPause
      signals.isTimeout = error.kind == LoadError.Kind.timeout.rawValue && !isCircuitOpen
      signals.isUnreachable = stage == .dns || stage == .connect
      // Without a request, a known failure is repeated, and its status says nothing about the present.
      let isOpenEnded = attempts != nil && !asksForPause
      signals.isRateLimited = status == 429 && isOpenEnded
      signals.isUnavailable = status == 503 && isOpenEnded
      signals.isOfRecord = pause == nil && (asksForPause || signals.isRateLimited || signals.isTimeout)
      signals.isTemporary = retryDelay != nil
      let isAlone = (signals.isOfRecord || signals.isRepeated) && signals.isRateLimited
      let shortest = retryDelay ?? (isAlone ? .zero : nil)
      // Each pause is about twice as long as the one before.
      let growing = shortest.map { $0 + assignment.queued.ownPauses }
      signals.ownPause =
        requestedPause ?? (isAlone ? growing : growing.map { min($0, HostScheduler.longestSharedPause) })
    }
    if let refusingHost = signals.refusingHost, refusingHost == assignment.host {
      signals.ofHost = signals.ofRefusingHost
    } else if ownRefusals > 0, assignment.ownHost == assignment.host {
      signals.ofHost = .recovered
    } else if failure == nil, let fetch = timings.fetch {
      signals.ofHost = .answered(firstByte: fetch.timings.firstByte)
    } else {
      signals.ofHost = attempts == nil ? .kept : .served
    }
    return signals
  }
}
