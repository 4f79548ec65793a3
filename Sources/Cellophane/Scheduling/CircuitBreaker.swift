internal import Synchronization

/// Holds requests back from origins that fail or that ask for it; see ``BreakerTable`` for the rules. One for all
/// loads of a byte loader, so that they share one schedule.
final class CircuitBreaker: Sendable {
  /// One load that waits for another that has gone ahead, and gets to know how that one failed, if it did.
  fileprivate final class Waiter: Hashable, Sendable {
    let failure = OneShot<LoadError?>()

    static func == (a: Waiter, b: Waiter) -> Bool { a === b }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  /// The leave to ask an origin; see ``enter(_:)``. It goes along with redirects, so that what fails is laid to the
  /// origin that failed.
  final class Pass: Sendable {
    private struct State {
      var pass: BreakerTable<Waiter>.Pass
      var barrier: Origin?
    }

    private let state: Mutex<State>

    fileprivate init(_ pass: BreakerTable<Waiter>.Pass) { state = Mutex(State(pass: pass)) }

    /// The origin that was asked last.
    var origin: Origin { pass.origin }
    /// The origin that is held back, and to which a redirect led.
    var barrier: Origin? { state.withLock { $0.barrier } }
    fileprivate var pass: BreakerTable<Waiter>.Pass { state.withLock { $0.pass } }

    fileprivate func move(on next: BreakerTable<Waiter>.Pass) { state.withLock { $0.pass = next } }
    fileprivate func stop(before origin: Origin) { state.withLock { $0.barrier = origin } }
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

  /// Returns when `origin` may be asked, at once in most cases.
  ///
  /// - Parameters:
  ///   - failures: How often the load has failed there, or another that had gone ahead of it.
  ///   - deadline: The end of the load's time; nil when it has not begun.
  ///   - isWorthIt: Whether the load waits on for an origin that is held back because of an error.
  /// - Throws: ``LoadError/cancelled``; why the origin is held back, when that takes longer than the load waits, or
  ///   when the load has failed too often, or does not want to wait.
  func wait(
    for origin: Origin, failures: inout Int, until deadline: Duration? = nil,
    while isWorthIt: (LoadError) -> Bool = { _ in true }
  ) async throws(LoadError) {
    // Mostly so, and then nothing is made to wait with.
    if table.withLock({ $0.isEmpty }) { return }
    while true {
      let waiter = Waiter()
      switch table.withLock({ $0.arrive(waiter, at: origin, now: timeline.now) }) {
      case .open: return
      case .held(let until, let error):
        let pause = until - timeline.now
        guard policy.waitsForOrigins, error.isRetryable, pause <= policy.longestWait,
          deadline.map({ until < $0 }) ?? true,
          isWorthIt(error)
        else {
          throw held(origin, because: error)
        }
        try await timeline.pause(for: pause)
      case .probing:
        let failure = await withTaskCancellationHandler {
          await waiter.failure.value
        } onCancel: {
          waiter.failure.settle(nil)
        }
        if Task.isCancelled {
          table.withLock { $0.remove(waiter, from: origin) }
          throw .cancelled
        }
        guard let failure else { continue }
        failures += 1
        if failures > policy.retries || !failure.isRetryable || !isWorthIt(failure) {
          throw held(origin, because: failure)
        }
      }
    }
  }

  /// Which origins are left alone, and for how long still, in any order.
  var held: [(origin: Origin, rest: Duration)] {
    let now = timeline.now
    return table.withLock { $0.held(at: now) }.map { ($0.origin, $0.until - now) }
  }

  /// For how long still `origin` is left alone, or asked for that; nil when it may be asked.
  func rest(of origin: Origin) -> Duration? { table.withLock { $0.rest(of: origin, now: timeline.now) } }

  /// The leave to ask `origin` right now; nil when it is held back, although it was not when the load began to
  /// wait for its turn. ``answered(_:)`` or ``ended(_:about:with:_:failures:)`` must follow.
  func enter(_ origin: Origin) -> Pass? {
    table.withLock { $0.enter(origin, now: timeline.now) }.map(Pass.init)
  }

  /// The origin has answered with a redirect to `origin`.
  ///
  /// - Throws: ``LoadError`` when that one is held back.
  func follow(_ pass: Pass, to origin: Origin) throws(LoadError) {
    if origin == pass.origin { return }
    answered(pass)
    guard let next = table.withLock({ $0.enter(origin, now: timeline.now) }) else {
      pass.stop(before: origin)
      throw LoadError(
        .connect, "\(origin), where \(pass.origin) redirects to, is left alone for a while", isRetryable: true
      )
    }
    pass.move(on: next)
  }

  /// The origin has answered.
  func answered(_ pass: Pass) {
    carryOut(table.withLock { $0.answered(pass.pass) }, at: pass.pass.origin, because: nil)
  }

  /// The exchange about `key` ended with `error`; returns how long to wait before asking again.
  ///
  /// - Parameter failures: How often the load has failed there by now.
  func ended(
    _ pass: Pass, about key: ResponseKey, with error: LoadError, _ trouble: FailureClass, failures: Int
  ) -> Duration {
    let now = timeline.now
    let origin = pass.origin
    let change = table.withLock { table in
      switch trouble.reach {
      case .none: table.answered(pass.pass)
      case .unknown: table.gaveUp(pass.pass)
      case .resource, .origin:
        table.failed(
          pass.pass, about: key, with: error, isOfOrigin: trouble.isCertain,
          retryAfter: trouble.retryAfter, now: now
        ) { jitter.share(of: origin.description, after: $0) }
      }
    }
    carryOut(change, at: origin, because: error)
    let share = jitter.share(of: key.url, after: failures)
    let own = max(policy.pause(after: failures, share: share), trouble.retryAfter ?? .zero)
    return change.heldUntil.map { max($0 - now, trouble.retryAfter ?? .zero) } ?? own
  }

  private func carryOut(_ change: BreakerTable<Waiter>.Change, at origin: Origin, because error: LoadError?) {
    if let error, let until = change.newHold {
      events.emit(.originHeld(origin, error, for: until - timeline.now))
      for waiter in change.told { waiter.failure.settle(error) }
    } else {
      if change.isReleased { events.emit(.originReleased(origin)) }
      for waiter in change.told { waiter.failure.settle(nil) }
    }
  }

  /// The failure of a load that is not asked for, because `error` tells enough. It names no other load's URL.
  private func held(_ origin: Origin, because error: LoadError) -> LoadError {
    events.emit(.heldBack(origin))
    let what = error.status.map { "answered \($0)" } ?? "failed (\(error.kind.rawValue))"
    let rest = rest(of: origin)
    return LoadError(
      error.kind,
      "\(origin) \(what) and is left alone for a while"
        + (rest == nil && error.isRetryable ? "; try again later" : ""),
      isRetryable: error.isRetryable, status: error.status, retryAfter: rest)
  }
}
