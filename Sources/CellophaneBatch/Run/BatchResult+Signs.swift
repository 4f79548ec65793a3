internal import Cellophane

extension BatchResult {
  /// What it says of hosts at the end of `turn`.
  func signs(of turn: Turns.Turn) -> Turns.Signs {
    var signs = Turns.Signs()
    if let (error, stage) = failure {
      guard stage != .input, stage != .cache else { return signs }
      if stage.isOfOrigin, error.retryable { signs.refuser = elsewhere?.authority ?? turn.ownHost }
      (signs.isHeldBack, signs.asksForPause) = (isHeldBack, asksForPause)
      signs.isUnreached = stage == .dns || stage == .connect
      // What is known from another time says nothing of now.
      let tellsNoTime = attempts != nil && !asksForPause
      signs.isAskedTooOften = status == 429 && tellsNoTime
      signs.isBusy = status == 503 && tellsNoTime
    }
    if let refuser = signs.refuser, refuser == turn.host {
      signs.ofHost = .refused
    } else if ownRefusals > 0, turn.ownHost == turn.host {
      signs.ofHost = .recovered
    } else if failure == nil, let inquiry = timings.inquiry {
      signs.ofHost = .answered(firstByte: inquiry.timings.firstByte)
    } else {
      signs.ofHost = attempts == nil ? .kept : .served
    }
    return signs
  }
}
