extension HostScheduler {
  /// The maximum number of requests of a record that returns to the queue, and of pauses of a host for it
  /// without a response in between. 2, the number of retries of a load.
  package static let maxPauses = 2

  /// The maximum number of requests of a record that returns to the queue because its host receives too many
  /// requests. 15: if a host refuses six of ten requests, as one does that serves five per second, one of 3
  /// 500 records is refused sixteen times. The records of a host that never responds fail after ``maxPauses``
  /// pauses. ``longestOwnPause`` allows fewer requests of a record that is refused alone with 429.
  static let maxRefusals = 15

  /// The maximum number of requests of a record that returns to the queue because its host answers it with
  /// 503 and responds to others. By default nginx answers requests beyond its limits with 503. 6: with the rate that
  /// such refusals set, no record fails in tests with 5 to 50 requests per second and up to 64 jobs.
  static let maxAttemptsWhileUnavailable = 6

  /// The maximum sum of the pauses of a record if its host refuses only this record. 60 s, the default of
  /// ``RetryPolicy/longestOpenTime``.
  static let longestOwnPause = Duration.seconds(60)

  /// The longest pause of one record, unless its host refuses only this record. 2 s: the rate and the limit of the host spread
  /// its requests, so longer pauses would only delay the end of the run.
  static let longestSharedPause = Duration.seconds(2)

  /// The evidence of one assignment about hosts.
  package struct Signals: Sendable {
    /// The signal about the host in whose queue the record waited; nil if the result says nothing about it.
    var ofHost: HostSignal?
    /// The host at which the load failed in the end, if a retry may succeed: the same host, or that of a redirect; nil
    /// if none.
    var refusingHost: String?
    /// Whether the request was not sent, because the circuit of the refusing host was open.
    var isCircuitOpen = false
    /// Whether no connection to the refusing host could be made.
    var isUnreachable = false
    /// Whether the refusing host requested a pause and named its length.
    var asksForPause = false
    /// That length; nil if the circuit was opened by another record.
    var requestedPause: Duration?
    /// Whether the refusing host answered 429 without the length of a pause. This concerns all requests to the host, or
    /// this record; see ``isOfRecord``.
    var isRateLimited = false
    /// Whether the refusing host answered 503 without the length of a pause. This may concern the resource or
    /// the number of requests.
    var isUnavailable = false
    /// Whether the failure is temporary and opened no circuit.
    var isTemporary = false

    /// Whether the refusing host did not respond in time. The record does not return to a queue.
    var isTimeout = false
    /// Whether the refusal or timeout concerns the record alone, because it did not open the circuit: the host answers
    /// others, or too few timeouts are known.
    var isOfRecord = false
    /// Whether the record was requested in an earlier assignment.
    var isRetry = false
    /// Whether the host refused the record alone before. Another 429 then says little about its rate.
    var isRepeated = false
    /// The time for which the record must not be requested; nil for none.
    var ownPause: Duration?
    /// Whether the host in whose queue the record waited responded, and its circuit is closed.
    var endsPause = false

    /// Whether the host in whose queue the record waited responded to it.
    var isAnswer: Bool {
      switch ofHost {
      case .answered, .recovered, .served: true
      case .kept, .rejected, .limited, .limitedAgain, .paused, .unavailable, .failed, .refused, .silent, nil:
        false
      }
    }

    /// The signal about the refusing host; nil if the failure says nothing about it.
    var ofRefusingHost: HostSignal? {
      if isCircuitOpen { return .rejected }
      if isRateLimited { return !isRepeated ? .limited : isOfRecord ? .limitedAgain : nil }
      if let requestedPause {
        return isOfRecord && isRepeated ? .limitedAgain : .paused(requestedPause, isOfRecord: isOfRecord)
      }
      if isOfRecord { return nil }
      if isTimeout { return .silent }
      return isUnreachable || asksForPause ? .refused : isUnavailable ? .unavailable : .failed
    }

    /// Returns whether a record may return to the queue after its number of requests. While the host has no other record,
    /// a 503 and a refusal with the length of a pause also count against ``maxPauses``: too many requests are not the
    /// reason then.
    ///
    /// - Parameters:
    ///   - isResponsive: Whether the refusing host responds to other records.
    ///   - refusesRecords: Whether it refuses only certain records, which it would refuse again.
    func allow(_ record: QueuedRecord, isResponsive: Bool, refusesRecords: Bool) -> Bool {
      if isCircuitOpen || isRateLimited { return record.attempts <= HostScheduler.maxRefusals }
      let isSole = record.soleRefusals > HostScheduler.maxPauses
      if isUnavailable, isResponsive, !refusesRecords {
        return record.attempts <= HostScheduler.maxAttemptsWhileUnavailable && !isSole
      }
      if asksForPause { return record.attempts <= HostScheduler.maxRefusals && !isSole }
      return record.attempts <= HostScheduler.maxPauses
    }
  }
}
