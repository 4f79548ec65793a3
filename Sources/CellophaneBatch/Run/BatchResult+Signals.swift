internal import Cellophane

extension BatchResult {
  /// Returns the evidence of the result about hosts, at the end of `assignment`.
  func signals(of assignment: HostScheduler.Assignment) -> HostScheduler.Signals {
    var signals = HostScheduler.Signals()
    if let (error, stage) = failure {
      guard stage != .input, stage != .cache else { return signals }
      if stage.isOfOrigin, error.retryable {
        signals.refusingHost = redirectedOrigin?.authority ?? assignment.ownHost
      }
      (signals.isCircuitOpen, signals.asksForPause) = (isCircuitOpen, asksForPause)
      signals.isUnreachable = stage == .dns || stage == .connect
      // Without a request, a known failure is repeated, and its status says nothing about the present.
      let isOpenEnded = attempts != nil && !asksForPause
      signals.isRateLimited = status == 429 && isOpenEnded
      signals.isUnavailable = status == 503 && isOpenEnded
    }
    if let refusingHost = signals.refusingHost, refusingHost == assignment.host {
      signals.ofHost = .refused
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
