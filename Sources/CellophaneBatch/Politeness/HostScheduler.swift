package import Cellophane
internal import Synchronization

/// Assigns the records of a list to workers, with a limit per host.
///
/// Reads on only while a worker is idle, and at most ``window`` records or ``mostBytes`` ahead. A record
/// whose result is known when it is read does not enter the queue of a host.
package final class HostScheduler: Sendable {
  /// A record that a worker is to process. The worker ends it with ``finish(_:_:)`` or
  /// ``retry(_:_:after:attempts:)``.
  package struct Assignment: Sendable {
    let queued: QueuedRecord
    /// The host in whose queue the record waited: its own, or the refusing host of a redirect. Nil for a
    /// record that did not wait.
    package let host: String?
    /// The time in queues of hosts since the record was read.
    package let waited: Duration
    let start: Duration

    package var record: ListRecord { queued.record }
    /// The host of the record's URL; nil for a record that did not wait.
    var ownHost: String? { queued.host }
    /// The origin of the record's URL; nil for a record that did not wait.
    var origin: Origin? { if case .load(let request) = claim { request.key.response.origin } else { nil } }
    /// The request to load, or the known result.
    package var claim: BatchWork.Claim { queued.claim }
    /// The number of requests in earlier assignments of the record.
    package var previousAttempts: Int { queued.attempts }
    /// The time at which the record was read.
    package var begun: Duration { queued.begun }
  }

  /// The maximum number of queued records: 4 000, about six megabytes. A list with more consecutive records
  /// of one slow host waits for that host.
  package static let window = 4_000

  /// The approximate maximum size of the queued records, in bytes. 16 MB: a record with other fields, such as
  /// captions or pages, can have a megabyte.
  static let mostBytes = 16 << 20

  private let source: ListSource
  let timeline: Timeline
  let tries: Int?
  private let claim: @Sendable (ListRecord) -> BatchWork.Claim
  private let admits: @Sendable (_ position: Int) -> Bool
  let state: Mutex<State>

  /// - Parameters:
  ///   - perHost: The maximum number of concurrent records of one host.
  ///   - tries: The maximum number of requests of a record; nil for the built-in numbers.
  ///   - rate: The maximum number of records of one host that start per second; nil for none.
  ///   - claim: Called for one record after the other, in the order of the list.
  ///   - admits: Returns whether the record at a position may start. Its result may change when another
  ///     record ends.
  package init(
    _ source: ListSource, perHost: Int, tries: Int? = nil, rate: Double? = nil, timeline: Timeline,
    claim: @escaping @Sendable (ListRecord) -> BatchWork.Claim,
    admits: @escaping @Sendable (_ position: Int) -> Bool = { _ in true }
  ) {
    self.source = source
    self.tries = tries
    self.timeline = timeline
    self.claim = claim
    self.admits = admits
    state = Mutex(State(queues: HostQueues(perHost: perHost, rate: rate)))
  }

  /// Returns the next record whose host has a free slot, or nil if all records are done or the task is
  /// cancelled.
  package func next() async -> Assignment? {
    enum Step {
      case assign(Assignment)
      case finish
      case read
      case wait(OneShot<Void>)
    }
    while !Task.isCancelled {
      let step = state.withLock { state -> Step in
        admitDeferred(&state)
        if let record = state.resolved.take() {
          return .assign(record.assignment(for: nil, at: timeline.now))
        }
        let now = timeline.now
        if let (record, host, nextUpdate) = state.next(now: now) {
          if let nextUpdate { schedule(host, at: nextUpdate, now: now, &state) }
          return .assign(record.assignment(for: host, at: now))
        }
        if state.isFinished { return .finish }
        if state.mayRead {
          state.isReading = true
          return .read
        }
        let cell = OneShot<Void>()
        state.idleWorkers.append(cell)
        return .wait(cell)
      }
      switch step {
      case .assign(let assignment):
        wakeNext()
        return assignment
      case .finish:
        wakeNext()
        return nil
      case .read:
        let record = await source.next()
        let queued = record.map { QueuedRecord(record: $0, claim: claim($0), at: timeline.now) }
        let resolved = state.withLock { state -> QueuedRecord? in
          state.isReading = false
          state.deferred = queued
          if queued == nil { state.isAtEnd = true }
          admitDeferred(&state)
          return state.resolved.take()
        }
        // No other worker is woken: this one calls `next()` again soon.
        if let resolved { return resolved.assignment(for: nil, at: timeline.now) }
        wakeNext()
      case .wait(let cell):
        await withTaskCancellationHandler {
          await cell.value
        } onCancel: {
          cell.settle(())
        }
      }
    }
    // The worker may have been woken for a record that another one must take now.
    wakeNext()
    return nil
  }

  /// Finishes a record. The caller then calls ``next()``, so another worker is woken only if others waited
  /// for this record as the half-open probe.
  ///
  /// - Parameter pause: The length of the pause that begins after a timeout; nil for none.
  /// - Returns: The politeness of the hosts involved; nil for a record that did not wait.
  @discardableResult
  package func finish(
    _ assignment: Assignment, _ signals: Signals, after pause: Duration? = nil
  ) -> PolitenessReport? {
    guard let host = assignment.host, let own = assignment.ownHost else { return nil }
    let (report, isAwaited) = state.withLock { state in
      let now = timeline.now
      let isAwaited = state.finish(host, signals, begunAt: assignment.start, now: now)
      let refusal = HostBackoff.Refusal(wasRefused: false, isCircuitOpen: false, start: assignment.start)
      if signals.isTimeout, let pause, let refusingHost = signals.refusingHost,
        state.queues.allowsAnotherPause(refusingHost, of: Self.maxPauses, after: refusal, now: now)
      {
        // The next probe is then a record from the other end of the queue. Without a pause, the open circuit rejects the
        // other records, and they fail.
        _ = state.queues.pause(
          refusingHost, until: now + pause, isRequested: false, begunAt: assignment.start, now: now)
        reschedule(refusingHost, now: now, &state)
      }
      reschedule(host, now: now, &state)
      var report = PolitenessReport(host: own, politeness: state.queues.takePoliteness(of: own))
      if host != own { report.others.append((host, state.queues.takePoliteness(of: host))) }
      if let refusingHost = signals.refusingHost, refusingHost != own, refusingHost != host {
        report.others.append((refusingHost, state.queues.takePoliteness(of: refusingHost)))
      }
      return (report, isAwaited)
    }
    if isAwaited { wakeNext() }
    return report
  }

  /// Returns the hosts whose running records had no result for at least `shortest`, the longest first.
  func silentHosts(for shortest: Duration) -> [(host: String, time: Duration)] {
    state.withLock { $0.queues.silent(for: shortest, now: timeline.now) }
  }

  /// The throttled hosts, in any order.
  var throttles: [HostThrottle] { state.withLock { $0.queues.throttles(now: timeline.now) } }

  /// Cancels all timers. To be called when no worker calls ``next()`` any more.
  package func close() {
    let timers = state.withLock { state in
      defer { state.timers = [:] }
      return state.timers.values.map(\.self)
    }
    for timer in timers { timer.task.cancel() }
  }

  /// Schedules the next update of `host`, if it needs one.
  func reschedule(_ host: String, now: Duration, _ state: inout State) {
    guard let end = state.queues.nextUpdate(of: host) else { return }
    schedule(host, at: end, now: now, &state)
  }

  /// Schedules an update of `host` at `end`, instead of its previous one.
  private func schedule(_ host: String, at end: Duration, now: Duration, _ state: inout State) {
    if let timer = state.timers[host] {
      if timer.end == end { return }
      timer.task.cancel()
    }
    let task = timeline.spawn { [weak self, timeline] in
      guard (try? await timeline.sleep(for: end - now)) != nil else { return }
      self?.update(host)
    }
    state.timers[host] = (end, task)
  }

  private func update(_ host: String) {
    state.withLock { state in
      // A cancelled timer was replaced by another one.
      if Task.isCancelled { return }
      state.timers[host] = nil
      state.queues.update(host, now: timeline.now)
      reschedule(host, now: timeline.now, &state)
    }
    wakeNext()
  }

  /// Wakes an idle worker if there is work. That worker wakes the next one.
  func wakeNext() {
    // Workers that were cancelled do not count.
    while let cell = state.withLock({ state -> OneShot<Void>? in
      admitDeferred(&state)
      return state.hasWork ? state.idleWorkers.popLast() : nil
    }) { if cell.settle(()) { return } }
  }

  private func admitDeferred(_ state: inout State) {
    guard state.resolved == nil, let record = state.deferred, admits(record.record.position) else { return }
    state.deferred = nil
    if record.isResolved { state.resolved = record } else { state.append(record) }
  }

  /// Returns the host with its port, unless that is the default port of the scheme. The scheme is omitted,
  /// because a host is one machine.
  static func host(of request: ImageRequest) -> String {
    request.key.response.origin.authority
  }
}
