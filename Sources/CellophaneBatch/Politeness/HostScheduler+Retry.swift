internal import Cellophane
internal import Synchronization

extension HostScheduler {
  /// Returns a refused record to the queue of the refusing host, if another attempt is worthwhile.
  ///
  /// It is if the failure is temporary, if the host requests a pause, or if the host is paused already. It is not
  /// after a timeout.
  ///
  /// A record that was refused alone has limits for its requests (``maxRefusals``) and for the sum of its
  /// pauses (``longestOwnPause``). For another record, ``Signals/allow(_:isResponsive:refusesRecords:)``
  /// limits the requests, and ``HostBackoff/allowsAnother(of:after:now:)`` the pauses of the host. ``tries``
  /// replaces the limits of requests. If the refusing host is that of a redirect, the queue of the record's
  /// own host is not delayed.
  ///
  /// A record with a separate pause returns after it. Another record that was requested precedes the other
  /// returned ones, unless the host refuses only because of the number of requests.
  ///
  /// - Parameters:
  ///   - pause: The rest of the pause of the host; nil if its circuit was closed at the failure.
  ///   - attempts: The number of requests in this assignment.
  /// - Returns: False if the record is not returned. The caller must then finish it.
  package func retry(
    _ assignment: Assignment, _ signals: Signals, after pause: Duration?, attempts: Int
  ) -> Bool {
    guard let host = assignment.host, let refusingHost = signals.refusingHost, !signals.isTimeout,
      assignment.previousAttempts + attempts < tries ?? .max
    else { return false }
    let isReturned = state.withLock { state in
      let now = timeline.now
      // The number of other records that redirects led to the refusing host is unknown, and then has no
      // effect.
      let others = host == refusingHost ? state.queues.running(of: host) - 1 : nil
      let record = QueuedRecord(
        assignment, signals, attempts: attempts,
        isSole: host == refusingHost && state.queues.hasSoleItem(host),
        lastAnswer: state.queues.lastAnswer(of: refusingHost), at: now)
      let isResponsive =
        state.queues.isResponsive(refusingHost) || !signals.isCircuitOpen && others ?? 0 > 0
      guard
        !record.wasAlone || signals.isCircuitOpen || allowsOwnPause(record),
        signals.isOfRecord || record.isRecent(at: now) && record.wasAlone && signals.asksForPause
          || allowsPause(record, assignment, signals, after: pause, isResponsive: isResponsive, state, now)
      else { return false }
      state.weight += record.weight
      // Before the assignment ends, so that the host is not forgotten as idle.
      if let own = signals.ownPause {
        state.queues.delay(record, for: refusingHost, until: now + own)
      } else if signals.isCircuitOpen, !record.wasRefused {
        state.queues.putBack(record, for: refusingHost)
      } else {
        // Records that are refused only because of their number take turns. If they came first, the same ones
        // could be refused each time.
        let isFirst = !signals.isCircuitOpen && !signals.isRateLimited
        state.queues.requeue(record, for: refusingHost, isFirst: isFirst)
      }
      state.finish(host, signals, begunAt: assignment.start, now: now)
      if !signals.isOfRecord {
        _ = state.queues.pause(
          refusingHost, until: now + (pause ?? .zero),
          isRequested: signals.isCircuitOpen ? nil : signals.asksForPause || signals.isRateLimited,
          begunAt: assignment.start, now: now)
      }
      reschedule(refusingHost, now: now, &state)
      return true
    }
    if isReturned { wakeNext() }
    return isReturned
  }

  /// Returns whether a record that its host refuses alone may wait for its own pause.
  private func allowsOwnPause(_ record: QueuedRecord) -> Bool {
    record.ownPauses <= Self.longestOwnPause && (tries != nil || record.attempts <= Self.maxRefusals)
  }

  /// Returns whether a record may wait for a pause of the refusing host.
  private func allowsPause(
    _ record: QueuedRecord, _ assignment: Assignment, _ signals: Signals, after pause: Duration?,
    isResponsive: Bool, _ state: borrowing State, _ now: Duration
  ) -> Bool {
    guard let host = signals.refusingHost,
      pause != nil || state.queues.isPaused(host) || signals.isTemporary
    else { return false }
    let refusal = HostBackoff.Refusal(
      wasRefused: assignment.queued.wasRefused, isCircuitOpen: signals.isCircuitOpen, start: assignment.start)
    return
      (tries != nil
      || signals.allow(record, isResponsive: isResponsive, refusesRecords: state.queues.refusesRecords(host)))
      && state.queues.allowsAnotherPause(host, of: Self.maxPauses, after: refusal, now: now)
  }
}
