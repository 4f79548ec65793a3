/// The circuits of all origins. Pure: transitions return the effects to run.
///
/// A failure that concerns the origin opens its circuit at once; failures of single resources open it after several in a
/// row. Timeouts and refusals of one resource do not count while the origin answers others; see ``HostEvidence``. When the
/// pause is over, the circuit is half open: one request runs as a probe. Its success closes the circuit; its failure opens
/// it for a longer pause. So an origin that is down receives one request at a time, at a falling rate.
struct BreakerTable<Waiter: Hashable> {
  /// The permission to send one request to an origin.
  struct Permit: Equatable {
    let origin: Origin
    let resource: ResponseKey
    /// The time at which the request was permitted.
    let begun: Duration
    // The number of the half-open probe; nil for other requests.
    fileprivate var probe: UInt64?
  }

  /// The circuit of an origin as a new request meets it.
  enum Arrival: Equatable {
    case closed
    /// No request is sent before `until`.
    case open(until: Duration, because: LoadError)
    /// A probe runs; the waiter is notified of its result.
    case probing
    /// One resource alone was refused. An answer to another one before `until` closes the circuit and notifies the waiter.
    case undecided(until: Duration)
  }

  /// The effects of a response or a failure.
  struct Change: Equatable {
    /// The waiters to notify of the probe's result.
    var notified: [Waiter] = []
    /// Until when the circuit is open; nil when it is closed.
    var openUntil: Duration?
    /// The same when this transition opened it.
    var opened: Duration?
    /// True when this transition closed the circuit.
    var isClosed = false
  }

  /// An origin since the failure that opened its circuit.
  private struct Outage {
    var circuit = Circuit()
    /// The resource whose failure opened the circuit.
    let resource: ResponseKey
    /// Until when the origin asked for no requests, which may be later than the end of the pause.
    var requestedUntil: Duration
    var error: LoadError
    var failures = 1
    var waiters: [Waiter] = []
    /// True if a refusal opened the circuit, and no other resource was refused since then.
    var isOfOneRefusal = false
    /// The time until which an answer to an earlier request of another resource may close the circuit; nil if none is
    /// expected.
    var decision: Duration?

    /// True when the running probe has `permit`.
    func isProbe(_ permit: Permit) -> Bool { permit.probe.map(circuit.isProbe) ?? false }
  }

  private struct State {
    // The resources that have failed since the last success.
    var failing: Set<ResponseKey> = []
    var outage: Outage?
  }

  /// The number of resources that must fail in a row to open the circuit. 3: one broken resource must not stop the
  /// others, and a higher number would let a storm of requests through.
  static var mostFailing: Int { 3 }
  /// The number of origins above which closed circuits without a probe are forgotten.
  static var mostOrigins: Int { 1_000 }

  private var origins: [Origin: State] = [:]
  private var evidence: [Origin: HostEvidence<ResponseKey>] = [:]
  private var probesSent: UInt64 = 0
  private let policy: RetryPolicy

  /// Creates a table with the pauses of `policy`.
  init(_ policy: RetryPolicy) { self.policy = policy }

  /// The number of origins in the table.
  var count: Int { origins.count }

  /// True when no circuit can be open.
  var isEmpty: Bool { origins.isEmpty }

  /// Returns the circuit of `origin` at `now`. Enqueues `waiter` when a probe runs. O(1).
  mutating func arrive(_ waiter: Waiter, at origin: Origin, now: Duration) -> Arrival {
    guard let outage = outage(of: origin, now: now) else { return .closed }
    if outage.circuit.isProbing {
      origins[origin]?.outage?.waiters.append(waiter)
      return .probing
    }
    if let decision = outage.decision, now < decision, decision < outage.circuit.pauseEnd {
      origins[origin]?.outage?.waiters.append(waiter)
      return .undecided(until: decision)
    }
    return outage.circuit.isOpen ? .open(until: outage.circuit.pauseEnd, because: outage.error) : .closed
  }

  /// Returns the origins whose circuit is open, in any order. O(n).
  func open(at now: Duration) -> [(origin: Origin, until: Duration)] {
    origins.compactMap { origin, state in
      state.outage.flatMap { $0.circuit.pauseEnd > now ? (origin, $0.circuit.pauseEnd) : nil }
    }
  }

  /// Returns the time for which requests to `origin` are useless: until its circuit is half open or the pause that it
  /// requested is over. Nil when its circuit is closed.
  func remaining(of origin: Origin, now: Duration) -> Duration? {
    origins[origin]?.outage.map { max($0.circuit.pauseEnd, $0.requestedUntil) - now }
      .flatMap { $0 > .zero ? $0 : nil }
  }

  /// Removes a waiter. O(n) in the origin's waiters.
  mutating func remove(_ waiter: Waiter, from origin: Origin) {
    origins[origin]?.outage?.waiters.removeAll { $0 == waiter }
  }

  /// Returns a permit for a request to `origin` at `now`; nil while its circuit is open. O(1).
  mutating func permit(for origin: Origin, _ resource: ResponseKey, now: Duration) -> Permit? {
    changeEvidence(of: origin, now: now) { $0.asks(resource, at: now) }
    guard let outage = outage(of: origin, now: now) else {
      return Permit(origin: origin, resource: resource, begun: now)
    }
    guard outage.circuit.allowsRequest else { return nil }
    probesSent += 1
    origins[origin]?.outage?.circuit.begin(probesSent, at: now)
    return Permit(origin: origin, resource: resource, begun: now, probe: probesSent)
  }

  /// Records a response. While a circuit is open, only the probe closes it, unless it opened by the refusal of one other
  /// resource.
  mutating func succeeded(_ permit: Permit, now: Duration) -> Change {
    let contradicts = changeEvidence(of: permit.origin, now: now) { evidence in
      defer { evidence.answered(at: now) }
      return evidence.isContradicted(byAnswerTo: permit.resource)
    }
    // The usual case.
    if origins.isEmpty { return Change() }
    guard let outage = origins[permit.origin]?.outage else {
      origins[permit.origin] = nil
      return Change()
    }
    guard outage.isProbe(permit) || outage.isOfOneRefusal && contradicts else { return Change() }
    origins[permit.origin] = nil
    return Change(notified: outage.waiters, isClosed: true)
  }

  /// Changes the evidence about `origin`. Forgets that of quiet origins if there are too many. O(1), amortized.
  private mutating func changeEvidence<Value>(
    of origin: Origin, now: Duration, _ change: (inout HostEvidence<ResponseKey>) -> Value
  ) -> Value {
    if evidence.count >= Self.mostOrigins, evidence[origin] == nil {
      let oldest = now - HostEvidence<ResponseKey>.moment
      evidence = evidence.filter { $0.value.lastAnswer.map { $0 > oldest } ?? false }
      if evidence.count >= Self.mostOrigins { evidence = [:] }
    }
    return change(&evidence[origin, default: HostEvidence()])
  }

  /// Returns whether `failure` concerns its resource alone, because the origin answers others.
  private mutating func isOfResourceAlone(
    _ failure: ExchangeFailure, _ permit: Permit, now: Duration
  ) -> Bool {
    if failure.isRefusal {
      return changeEvidence(of: permit.origin, now: now) {
        !$0.refuses(permit.resource, begunAt: permit.begun)
      }
    }
    return failure.error.kind == .timeout && evidence[permit.origin]?.answers(since: permit.begun) ?? false
  }

  /// Records an end that says nothing about the origin. After a probe, another one may run.
  mutating func gaveUp(_ permit: Permit) -> Change {
    guard let outage = origins[permit.origin]?.outage, outage.isProbe(permit) else { return Change() }
    origins[permit.origin]?.outage?.circuit.abandonProbe()
    origins[permit.origin]?.outage?.waiters = []
    return Change(notified: outage.waiters)
  }

  /// Records that an exchange failed.
  ///
  /// - Parameter share: The random part of the pause after a number of failures in a row, from 0 to 1.
  mutating func failed(
    _ permit: Permit, with failure: ExchangeFailure, now: Duration, share: (_ failures: Int) -> Double
  ) -> Change {
    let isAlone = isOfResourceAlone(failure, permit, now: now)
    let (isOfOrigin, retryAfter) = (failure.failureClass.opensCircuit, failure.failureClass.retryAfter)
    let granted = min(retryAfter ?? .zero, policy.longestOpenTime)
    let requested = now + (retryAfter ?? .zero)
    if var outage = origins[permit.origin]?.outage {
      if outage.isProbe(permit) {
        let until =
          now + max(granted, policy.pause(after: outage.failures + 1, share: share(outage.failures + 1)))
        let change = Change(notified: outage.waiters, openUntil: until, opened: until)
        outage.circuit.open(until: until)
        (outage.requestedUntil, outage.error, outage.waiters) = (requested, failure.error, [])
        outage.failures += 1
        outage.isOfOneRefusal = outage.isOfOneRefusal && permit.resource == outage.resource
        outage.decision = nil
        origins[permit.origin]?.outage = outage
        return change
      }
      if isAlone { return Change(openUntil: outage.circuit.pauseEnd) }
      // It began before the circuit opened: the same failure again. A pause that the origin requests counts, though.
      if isOfOrigin {
        outage.circuit.extendPause(to: now + granted)
        outage.requestedUntil = max(outage.requestedUntil, requested)
        outage.isOfOneRefusal = outage.isOfOneRefusal && permit.resource == outage.resource
        let isDecided = outage.decision != nil && !outage.isOfOneRefusal
        let notified = isDecided ? outage.waiters : []
        if isDecided { (outage.decision, outage.waiters) = (nil, []) }
        origins[permit.origin]?.outage = outage
        return Change(notified: notified, openUntil: outage.circuit.pauseEnd)
      }
      return Change(openUntil: outage.circuit.pauseEnd)
    }
    if isAlone { return Change() }
    if origins.count >= Self.mostOrigins { forget(before: now) }
    origins[permit.origin, default: State()].failing.insert(failure.key)
    guard isOfOrigin || origins[permit.origin, default: State()].failing.count >= Self.mostFailing else {
      return Change()
    }
    let until = now + max(granted, policy.pause(after: 1, share: share(1)))
    var outage = Outage(resource: permit.resource, requestedUntil: requested, error: failure.error)
    outage.isOfOneRefusal = failure.isRefusal && evidence[permit.origin]?.isOfOne == true
    if outage.isOfOneRefusal, evidence[permit.origin]?.awaitsOthers(than: permit.resource, at: now) == true {
      outage.decision = now + HostEvidence<ResponseKey>.moment
    }
    outage.circuit.open(until: until)
    origins[permit.origin]?.outage = outage
    return Change(openUntil: until, opened: until)
  }

  /// Returns the open or half-open circuit of `origin`. One whose pause ended long ago is forgotten, so that pauses grow
  /// from the start again.
  private mutating func outage(of origin: Origin, now: Duration) -> Outage? {
    if origins.isEmpty { return nil }
    origins[origin]?.outage?.circuit.update(at: now)
    guard let outage = origins[origin]?.outage else { return nil }
    guard !outage.circuit.isProbing, now - outage.circuit.pauseEnd > policy.longestOpenTime else {
      return outage
    }
    origins[origin] = nil
    return nil
  }

  /// Forgets origins that accept requests and have no probe. O(n).
  private mutating func forget(before now: Duration) {
    origins = origins.filter { _, state in
      state.outage.map { $0.circuit.pauseEnd > now || $0.circuit.isProbing } ?? false
    }
  }
}

/// The failure of an exchange, as a circuit breaker counts it.
struct ExchangeFailure {
  /// The key of the requested resource.
  let key: ResponseKey
  let error: LoadError
  let failureClass: FailureClass

  /// True if the origin asks for fewer requests: 429, or 503 with the length of a pause.
  var isRefusal: Bool { failureClass.opensCircuit && (error.status == 429 || error.status == 503) }
}
