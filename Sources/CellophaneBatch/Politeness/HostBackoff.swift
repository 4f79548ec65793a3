internal import Cellophane

/// The circuit of one host in a batch, and the evidence for its pauses: how many there were since its last response, and
/// whether it requested them. Pure: the caller passes the time.
///
/// The loader's circuit breaker decides how long a pause takes. This keeps the records of the host in their queue until
/// then, so that the batch chooses the half-open probe.
struct HostBackoff {
  /// A record that the host refused, or that its open circuit rejected.
  struct Refusal {
    /// Whether the host refused this record before.
    var wasRefused: Bool
    /// Whether the record was not sent this time, because the circuit was open.
    var isCircuitOpen: Bool
    /// The start of the record.
    var start: Duration
  }

  /// The time after which the other records follow the half-open probe, if it has not ended before. 1 s: by
  /// then the probe has sent its request, even after a slow look-up in the disk cache, and the circuit
  /// breaker of the loader holds the others back. A long body must not delay them.
  static var probeTimeout: Duration { .seconds(1) }

  /// The evidence for the current pause.
  private struct Pause {
    // Known from a refusal, not only from records that an open circuit rejected.
    var isConfirmed = false
    // Counts among the pauses since the last response, as does an unconfirmed pause.
    var isCounted = false
  }

  /// The probe is identified by its start: it starts alone, so that the response or the refusal of the host concerns the
  /// record that was chosen.
  private var circuit = Circuit(probeTimeout: probeTimeout)
  private var pause = Pause()
  // The pauses since the last response, without the current one.
  private var earlierPauses = 0
  // The time of the last refusal of a record that started after the previous one.
  private var lastNewRefusal: Duration?
  // The records that were active at that time and still are, at the host or waiting for it.
  private var olderActive = 0
  // Whether the host requested the last pause, as far as is known.
  private var wasRequested = false
  // The start of the first pause since the last response.
  private var refusesSince: Duration?
  private var hasAnswered = false

  /// The end of the current pause; nil without a pause.
  var pausedUntil: Duration? { circuit.isOpen ? circuit.pauseEnd : nil }

  /// The time at which the other records may follow an active probe; nil without one.
  var probeDeadline: Duration? { circuit.probeDeadline }

  /// Whether the host responded and had no pause since, or still processes a record from before the last
  /// pause.
  var isResponsive: Bool { hasAnswered && count == 0 || olderActive > 0 }

  /// Whether the next record may start.
  var allowsRequest: Bool { circuit.allowsRequest }

  /// Whether the next record is the half-open probe.
  var awaitsProbe: Bool { circuit.isHalfOpen }

  /// The number of pauses since the last response.
  private var count: Int { earlierPauses + (circuit.isOpen && pause.isCounted ? 1 : 0) }

  /// Whether the next record is one that was refused before (true) or a new one (false); nil if the host had
  /// no counted pause since its last response.
  ///
  /// After the first pause, the probe is a new record: the refusals may concern only the refused records.
  /// After the second, it is a refused one, and so on in turn. Until the next response, this also selects the
  /// records that follow.
  var prefersReturned: Bool? { count > 0 ? count % 2 == 0 : nil }

  /// Notes that a record starts.
  mutating func begin(at now: Duration) { circuit.begin(0, at: now) }

  /// Notes that the record that started at `start` has ended. Returns true if it was the probe, for which
  /// others wait.
  mutating func end(begunAt start: Duration) -> Bool {
    if !isNew(start) { olderActive = max(0, olderActive - 1) }
    guard circuit.isProbe(startedAt: start) else { return false }
    // If the host refused it, the next call is `pause`, which opens the circuit again.
    circuit.close()
    return true
  }

  /// Notes that the host responded.
  mutating func answered() {
    (earlierPauses, wasRequested, refusesSince, hasAnswered) = (0, false, nil, true)
    pause.isCounted = false
  }

  /// Ends the current pause, because the host responds to other records.
  mutating func endPause() { if circuit.isOpen { circuit.close() } }

  /// The time during which a host without a response gets further pauses. 10 s, the longest wait of a load;
  /// 30 s for a host that has responded before, so that a restarted service is available again. The last
  /// pause starts within this time and takes about as long.
  private var patience: Duration { .seconds(hasAnswered ? 30 : 10) }

  /// Returns whether a refused record may wait for another pause.
  ///
  /// It may while the host processes a record from before the last pause, and for fewer than `most` pauses
  /// since its last response. After that, it may for the time of ``patience``. A record that was refused
  /// before and now was rejected by the open circuit may do so only if the host requested the pause:
  /// otherwise other records could be refused before it, pause after pause.
  func allowsAnother(of most: Int, after refusal: Refusal, now: Duration) -> Bool {
    let isNew = isNew(refusal.start)
    if olderActive > (isNew ? 0 : 1) { return true }
    let addsPause = isNew && (!circuit.isOpen || !pause.isCounted && !refusal.isCircuitOpen)
    if (addsPause ? count : count - 1) < most { return true }
    guard !refusal.wasRefused || !refusal.isCircuitOpen || wasRequested else { return false }
    return refusesSince.map { now - $0 < patience } ?? true
  }

  /// Pauses the host until `end`, or until the end of the current pause if that is later.
  ///
  /// - Parameters:
  ///   - isRequested: Whether the host requested the pause; nil if the open circuit rejected the record.
  ///   - start: The start of the record.
  ///   - others: The number of other active records of the host.
  /// - Returns: The end of the pause, and whether the pause is a new one.
  mutating func pause(
    until end: Duration, isRequested: Bool?, begunAt start: Duration, active others: Int, now: Duration
  ) -> (end: Duration, isNew: Bool) {
    refusesSince = refusesSince ?? now
    let isNewPause = !circuit.isOpen
    if isNewPause {
      if end <= now { return (now, false) }
      pause = Pause()
    }
    circuit.open(until: end)
    if let isRequested {
      let isNew = isNew(start)
      if isNew { (lastNewRefusal, olderActive) = (now, others) }
      pause.isCounted = isNew || pause.isConfirmed && pause.isCounted
      wasRequested = isRequested || pause.isConfirmed && wasRequested
      pause.isConfirmed = true
    } else if isNewPause {
      pause.isCounted = true
    }
    return (circuit.pauseEnd, isNewPause)
  }

  /// Returns whether a record started after the last new refusal. The refusal of an older record repeats what
  /// is known, however late it arrives. A record that a redirect led to this host counts by its start too.
  private func isNew(_ start: Duration) -> Bool { lastNewRefusal.map { start > $0 } ?? true }

  /// Ends a pause and a probe whose time has passed.
  mutating func update(at now: Duration) {
    let count = count
    let wasOpen = circuit.isOpen
    circuit.update(at: now)
    if wasOpen, !circuit.isOpen { earlierPauses = count }
  }
}
