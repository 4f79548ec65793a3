internal import Synchronization

/// Stops requests to origins that fail or that ask for a pause; see ``BreakerTable`` for the rules. All loads of a byte
/// loader share one, so that they follow one schedule.
final class CircuitBreaker: Sendable {
  /// A load that waits for a half-open probe. It learns how the probe failed, or nil after a success.
  fileprivate final class Waiter: Hashable, Sendable {
    let failure = OneShot<LoadError?>()

    static func == (a: Waiter, b: Waiter) -> Bool { a === b }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  /// The permission to send one request to an origin. It moves along redirects, so that a failure counts for the origin
  /// that failed.
  final class Permit: Sendable {
    private struct State {
      var permit: BreakerTable<Waiter>.Permit
      var refusedBy: Origin?
    }

    private let state: Mutex<State>

    fileprivate init(_ permit: BreakerTable<Waiter>.Permit) { state = Mutex(State(permit: permit)) }

    /// The origin of the last request.
    var origin: Origin { permit.origin }
    /// The origin with an open circuit to which a redirect led, if any.
    var refusedBy: Origin? { state.withLock { $0.refusedBy } }
    fileprivate var permit: BreakerTable<Waiter>.Permit { state.withLock { $0.permit } }

    fileprivate func replace(by next: BreakerTable<Waiter>.Permit) { state.withLock { $0.permit = next } }
    fileprivate func refuse(by origin: Origin) { state.withLock { $0.refusedBy = origin } }
  }

  private let policy: RetryPolicy
  private let timeline: Timeline
  private let events: EventHub
  private let jitter: Jitter
  private let table: Mutex<BreakerTable<Waiter>>

  init(_ policy: RetryPolicy, timeline: Timeline, events: EventHub) {
    self.policy = policy
    self.timeline = timeline
    self.events = events
    jitter = Jitter(seed: policy.seed)
    table = Mutex(BreakerTable(policy))
  }

  /// Waits until `origin` accepts requests, which is usually at once. Returns the load's failures there, with those of
  /// the probes for which it waited.
  ///
  /// - Parameters:
  ///   - failures: The load's failures at the origin so far.
  ///   - deadline: The end of the load's time; nil when it has not begun.
  ///   - isWorthWaiting: Whether the load waits after an error of the origin.
  /// - Throws: ``LoadError/cancelled``; the reason for the open circuit, when its pause is longer than the load waits, when
  ///   the load has failed too often, or when waiting is not worth it.
  func wait(
    for origin: Origin, failures: Int, until deadline: Duration? = nil,
    while isWorthWaiting: (LoadError) -> Bool = { _ in true }
  ) async throws(LoadError) -> Int {
    // The usual case; it needs no waiter.
    if table.withLock({ $0.isEmpty }) { return failures }
    var failures = failures
    while true {
      let waiter = Waiter()
      switch table.withLock({ $0.arrive(waiter, at: origin, now: timeline.now) }) {
      case .closed: return failures
      case .open(let until, let error):
        let pause = until - timeline.now
        guard policy.waitsForOrigins, error.isRetryable, pause <= policy.longestWait,
          deadline.map({ until < $0 }) ?? true, isWorthWaiting(error)
        else { throw refusal(of: origin, because: error) }
        try await timeline.pause(for: pause)
      case .undecided(let until):
        let timer = timeline.spawn { [timeline] in
          guard (try? await timeline.sleep(for: until - timeline.now)) != nil else { return }
          waiter.failure.settle(nil)
        }
        defer { timer.cancel() }
        _ = try await result(of: waiter, at: origin)
        table.withLock { $0.remove(waiter, from: origin) }
      case .probing:
        guard let failure = try await result(of: waiter, at: origin) else { continue }
        failures += 1
        if failures > policy.retries || !failure.isRetryable || !isWorthWaiting(failure) {
          throw refusal(of: origin, because: failure)
        }
      }
    }
  }

  /// Returns the failure of the probe for which `waiter` waits; nil after a success.
  private func result(of waiter: Waiter, at origin: Origin) async throws(LoadError) -> LoadError? {
    let failure = await withTaskCancellationHandler {
      await waiter.failure.value
    } onCancel: {
      waiter.failure.settle(nil)
    }
    guard Task.isCancelled else { return failure }
    table.withLock { $0.remove(waiter, from: origin) }
    throw .cancelled
  }

  /// The origins whose circuit is open, and for how long, in any order.
  var open: [(origin: Origin, remaining: Duration)] {
    let now = timeline.now
    return table.withLock { $0.open(at: now) }.map { ($0.origin, $0.until - now) }
  }

  /// Returns for how long the circuit of `origin` stays open, or for how long it asked for a pause; nil when it accepts
  /// requests.
  func remaining(of origin: Origin) -> Duration? {
    table.withLock { $0.remaining(of: origin, now: timeline.now) }
  }

  /// Returns a permit for a request to `origin` now; nil when its circuit has opened while the load waited for the gate.
  /// A call of ``succeeded(_:)`` or ``failed(_:with:failures:)`` must follow.
  func permit(for origin: Origin, _ resource: ResponseKey) -> Permit? {
    table.withLock { $0.permit(for: origin, resource, now: timeline.now) }.map(Permit.init)
  }

  /// Moves `permit` to `origin`, to which its origin redirects.
  ///
  /// - Throws: ``LoadError`` when the circuit of `origin` is open.
  func move(_ permit: Permit, to origin: Origin) throws(LoadError) {
    if origin == permit.origin { return }
    succeeded(permit)
    let resource = permit.permit.resource
    guard let next = table.withLock({ $0.permit(for: origin, resource, now: timeline.now) }) else {
      permit.refuse(by: origin)
      throw LoadError(
        .connect, "\(permit.origin) redirects to \(origin), which receives no requests for a while",
        isRetryable: true)
    }
    permit.replace(by: next)
  }

  /// Records that the origin has responded.
  func succeeded(_ permit: Permit) {
    apply(
      table.withLock { $0.succeeded(permit.permit, now: timeline.now) }, at: permit.permit.origin,
      because: nil)
  }

  /// Records the end of an exchange with `failure`. Returns the pause before the next attempt.
  ///
  /// - Parameter failures: The load's failures at the origin, with this one.
  func failed(_ permit: Permit, with failure: ExchangeFailure, failures: Int) -> Duration {
    let now = timeline.now
    let origin = permit.origin
    let change = table.withLock { table in
      switch failure.failureClass.scope {
      case .none: table.succeeded(permit.permit, now: now)
      case .unknown: table.gaveUp(permit.permit)
      case .resource, .origin:
        table.failed(permit.permit, with: failure, now: now) {
          jitter.share(of: origin.description, after: $0)
        }
      }
    }
    apply(change, at: origin, because: failure.error)
    let requested = failure.failureClass.retryAfter ?? .zero
    let share = jitter.share(of: failure.key.url, after: failures)
    let own = max(policy.pause(after: failures, share: share), requested)
    return change.openUntil.map { max($0 - now, requested) } ?? own
  }

  private func apply(_ change: BreakerTable<Waiter>.Change, at origin: Origin, because error: LoadError?) {
    if let error, let until = change.opened {
      events.emit(.circuitOpened(origin, error, for: until - timeline.now))
      for waiter in change.notified { waiter.failure.settle(error) }
    } else {
      if change.isClosed { events.emit(.circuitClosed(origin)) }
      for waiter in change.notified { waiter.failure.settle(nil) }
    }
  }

  /// Returns the failure of a load that sends no request because the circuit is open after `error`. Names no URL of other
  /// loads.
  private func refusal(of origin: Origin, because error: LoadError) -> LoadError {
    events.emit(.circuitRejected(origin))
    let what = error.status.map { "answered \($0)" } ?? error.predicateOfOrigin
    let remaining = remaining(of: origin)
    return LoadError(
      error.kind,
      "\(origin) \(what) and receives no requests for a while"
        + (remaining == nil && error.isRetryable ? "; try again later" : ""),
      isRetryable: error.isRetryable, status: error.status, retryAfter: remaining, detail: error.detail)
  }
}

extension LoadError {
  /// The failure of an origin in words, without the URLs and numbers of one load.
  fileprivate var predicateOfOrigin: String {
    switch (kind, detail) {
    case (.connect, .proxy), (.dns, .proxy): "cannot be reached through the proxy"
    case (.connect, _): "cannot be reached"
    case (.dns, _): "has a host name that cannot be resolved"
    case (.timeout, _): "did not answer in time"
    case (.connectionLost, _): "closed or lost the connection"
    default: "failed (\(kind.rawValue))"
    }
  }
}
