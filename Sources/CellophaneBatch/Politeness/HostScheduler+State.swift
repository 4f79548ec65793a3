internal import Cellophane

extension HostScheduler {
  /// A record in the queue of a host. A class, because it has some hundred bytes and is moved often.
  final class QueuedRecord: Sendable {
    let record: ListRecord
    let claim: BatchWork.Claim
    /// The host of the URL; nil for a record whose result is known.
    let host: String?
    /// The number of requests so far.
    let attempts: Int
    /// The number of refusals while the host had no other record.
    let soleRefusals: Int
    /// Whether a host refused the record and was reachable.
    let wasRefused: Bool
    let begun: Duration
    /// The time in queues, up to the last return to a queue.
    private let waited: Duration
    private let since: Duration
    /// The sum of the times for which the record must not be requested.
    let ownPauses: Duration
    /// The time of the first refusal, or rejection by the open circuit; nil before it.
    let refusedAt: Duration?
    /// Whether a host refused the record and answered others.
    let wasAlone: Bool

    /// Creates the entry of a record that was read at `now`.
    init(record: ListRecord, claim: BatchWork.Claim, at now: Duration) {
      (self.record, self.claim) = (record, claim)
      host = if case .load(let request) = claim { HostScheduler.host(of: request) } else { nil }
      (attempts, soleRefusals, wasRefused, wasAlone, ownPauses) = (0, 0, false, false, .zero)
      refusedAt = nil
      (begun, waited, since) = (now, .zero, now)
    }

    /// Creates the entry of a record that returns after `assignment`, in which `attempts` requests were sent.
    ///
    /// - Parameters:
    ///   - isSole: Whether the host has no other record.
    ///   - lastAnswer: The time of the last answer of the refusing host; nil without one.
    init(
      _ assignment: Assignment, _ signals: Signals, attempts: Int, isSole: Bool, lastAnswer: Duration?,
      at now: Duration
    ) {
      (record, claim, host) = (assignment.record, assignment.claim, assignment.queued.host)
      (begun, waited, since) = (assignment.begun, assignment.waited, now)
      ownPauses = assignment.queued.ownPauses + (signals.ownPause ?? .zero)
      let refusedAt = assignment.queued.refusedAt
      self.refusedAt = refusedAt ?? now
      wasAlone =
        assignment.queued.wasAlone || signals.isOfRecord
        || signals.asksForPause && refusedAt.map { $0 < lastAnswer ?? .zero } ?? false
      wasRefused = assignment.queued.wasRefused || attempts > 0 && !signals.isUnreachable
      self.attempts = assignment.previousAttempts + attempts
      soleRefusals = assignment.queued.soleRefusals + (isSole ? attempts : 0)
    }

    /// Whether the first refusal is not older than the pauses of a record that its host refuses alone.
    func isRecent(at now: Duration) -> Bool { now - (refusedAt ?? now) <= HostScheduler.longestOwnPause }

    /// Whether the result of the record is known without a load.
    var isResolved: Bool { host == nil }

    /// The approximate size in bytes: the URL as text and as request, the other fields, and 600 for the rest.
    var weight: Int { 600 + 2 * record.url.utf8.count + record.otherFields.count }

    func assignment(for host: String?, at now: Duration) -> Assignment {
      Assignment(queued: self, host: host, waited: waited + (now - since), start: now)
    }
  }

  /// The waiting records and workers.
  struct State {
    var queues: HostQueues<QueuedRecord>
    // The weight of all waiting records.
    var weight = 0
    var isReading = false
    var isAtEnd = false
    // The last record that was read, if it is too far ahead to start.
    var deferred: QueuedRecord?
    // A record with a known result that may be assigned.
    var resolved: QueuedRecord?
    var idleWorkers: [OneShot<Void>] = []
    var timers: [String: (end: Duration, task: Task<Void, Never>)] = [:]

    var isFinished: Bool {
      isAtEnd && deferred == nil && resolved == nil && queues.waiting == 0 && queues.running == 0
    }

    /// Whether no further record can be read before another one ends. The scheduler then cannot find new
    /// hosts.
    var isFull: Bool {
      isAtEnd || deferred != nil || queues.waiting >= HostScheduler.window
        || weight >= HostScheduler.mostBytes
    }

    /// Whether a further record can be read now.
    var mayRead: Bool { !isReading && !isFull }

    /// Whether a woken worker may find something to do.
    var hasWork: Bool {
      resolved != nil || queues.mayHaveNext(includesUntried: isFull) || mayRead || isFinished
    }

    mutating func append(_ record: QueuedRecord) {
      weight += record.weight
      if let host = record.host { queues.append(record, for: host) }
    }

    /// Ends an assignment from the queue of `host`. Returns true if others waited for it as the half-open
    /// probe.
    @discardableResult
    mutating func finish(
      _ host: String, _ signals: Signals, begunAt start: Duration, now: Duration
    ) -> Bool {
      let isAwaited = queues.finish(
        host, signal: signals.ofHost, isRetry: signals.isRetry, endsPause: signals.endsPause,
        begunAt: start, now: now)
      // A rejection by the open circuit is no new evidence.
      if let refusingHost = signals.refusingHost, refusingHost != host, !signals.isCircuitOpen,
        let signal = signals.ofRefusingHost
      {
        queues.note(signal, of: refusingHost, begunAt: start, now: now)
      }
      return isAwaited
    }

    mutating func next(now: Duration) -> (item: QueuedRecord, host: String, nextUpdate: Duration?)? {
      let next = queues.next(includesUntried: isFull, now: now)
      if let next { weight -= next.item.weight }
      return next
    }
  }
}
