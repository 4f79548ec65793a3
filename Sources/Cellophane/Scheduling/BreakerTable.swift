/// The circuits of all origins. Pure: transitions return the effects to run.
///
/// A failure that concerns the origin opens its circuit at once; failures of single resources open it after several in a
/// row. When the pause is over, the circuit is half open: one request runs as a probe. Its success closes the circuit; its
/// failure opens it for a longer pause. So an origin that is down receives one request at a time, at a falling rate.
struct BreakerTable<Waiter: Hashable> {
  /// The permission to send one request to an origin.
  struct Permit: Equatable {
    let origin: Origin
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

  private struct OpenCircuit {
    var until: Duration
    /// Until when the origin asked for no requests, which may be later than `until`.
    var requestedUntil: Duration
    var error: LoadError
    var failures = 1
    var probe: UInt64?
    var waiters: [Waiter] = []
  }

  private struct State {
    // The resources that have failed since the last success.
    var failing: Set<ResponseKey> = []
    var circuit: OpenCircuit?
  }

  /// The number of resources that must fail in a row to open the circuit. 3: one broken resource must not stop the
  /// others, and a higher number would let a storm of requests through.
  static var mostFailing: Int { 3 }
  /// The number of origins above which closed circuits without a probe are forgotten.
  static var mostOrigins: Int { 1_000 }

  private var origins: [Origin: State] = [:]
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
    guard let circuit = circuit(of: origin, now: now) else { return .closed }
    if circuit.probe != nil {
      origins[origin]?.circuit?.waiters.append(waiter)
      return .probing
    }
    return circuit.until > now ? .open(until: circuit.until, because: circuit.error) : .closed
  }

  /// Returns the origins whose circuit is open, in any order. O(n).
  func open(at now: Duration) -> [(origin: Origin, until: Duration)] {
    origins.compactMap { origin, state in
      state.circuit.flatMap { $0.until > now ? (origin, $0.until) : nil }
    }
  }

  /// Returns the time for which requests to `origin` are useless: until its circuit is half open or the pause that it
  /// requested is over. Nil when its circuit is closed.
  func remaining(of origin: Origin, now: Duration) -> Duration? {
    origins[origin]?.circuit.map { max($0.until, $0.requestedUntil) - now }.flatMap { $0 > .zero ? $0 : nil }
  }

  /// Removes a waiter. O(n) in the origin's waiters.
  mutating func remove(_ waiter: Waiter, from origin: Origin) {
    origins[origin]?.circuit?.waiters.removeAll { $0 == waiter }
  }

  /// Returns a permit for a request to `origin` at `now`; nil while its circuit is open. O(1).
  mutating func permit(for origin: Origin, now: Duration) -> Permit? {
    guard let circuit = circuit(of: origin, now: now) else { return Permit(origin: origin) }
    guard circuit.probe == nil, circuit.until <= now else { return nil }
    probesSent += 1
    origins[origin]?.circuit?.probe = probesSent
    return Permit(origin: origin, probe: probesSent)
  }

  /// Records a response. While a circuit is open, only the probe closes it.
  mutating func succeeded(_ permit: Permit) -> Change {
    // The usual case.
    if origins.isEmpty { return Change() }
    guard let circuit = origins[permit.origin]?.circuit else {
      origins[permit.origin] = nil
      return Change()
    }
    guard permit.isProbe(circuit.probe) else { return Change() }
    origins[permit.origin] = nil
    return Change(notified: circuit.waiters, isClosed: true)
  }

  /// Records an end that says nothing about the origin. After a probe, another one may run.
  mutating func gaveUp(_ permit: Permit) -> Change {
    guard let circuit = origins[permit.origin]?.circuit, permit.isProbe(circuit.probe) else {
      return Change()
    }
    origins[permit.origin]?.circuit?.probe = nil
    origins[permit.origin]?.circuit?.waiters = []
    return Change(notified: circuit.waiters)
  }

  /// Records that the exchange about `key` failed with `error`.
  ///
  /// - Parameters:
  ///   - isOfOrigin: Whether the failure concerns the whole origin.
  ///   - retryAfter: The pause that the origin requested.
  ///   - share: The random part of the pause after a number of failures in a row, from 0 to 1.
  mutating func failed(
    _ permit: Permit, about key: ResponseKey, with error: LoadError, isOfOrigin: Bool, retryAfter: Duration?,
    now: Duration, share: (_ failures: Int) -> Double
  ) -> Change {
    let granted = min(retryAfter ?? .zero, policy.longestHold)
    let requested = now + (retryAfter ?? .zero)
    if let circuit = origins[permit.origin]?.circuit {
      guard permit.isProbe(circuit.probe) else {
        // It began before the circuit opened: the same failure again. A pause that the origin requests counts, though.
        let until = isOfOrigin ? max(circuit.until, now + granted) : circuit.until
        origins[permit.origin]?.circuit?.until = until
        if isOfOrigin {
          origins[permit.origin]?.circuit?.requestedUntil = max(circuit.requestedUntil, requested)
        }
        return Change(openUntil: until)
      }
      let failures = circuit.failures + 1
      let until = now + max(granted, policy.pause(after: failures, share: share(failures)))
      origins[permit.origin]?.circuit = OpenCircuit(
        until: until, requestedUntil: requested, error: error, failures: failures)
      return Change(notified: circuit.waiters, openUntil: until, opened: until)
    }
    if origins.count >= Self.mostOrigins { forget(before: now) }
    origins[permit.origin, default: State()].failing.insert(key)
    guard isOfOrigin || origins[permit.origin, default: State()].failing.count >= Self.mostFailing else {
      return Change()
    }
    let until = now + max(granted, policy.pause(after: 1, share: share(1)))
    origins[permit.origin]?.circuit = OpenCircuit(until: until, requestedUntil: requested, error: error)
    return Change(openUntil: until, opened: until)
  }

  /// Returns the open circuit of `origin`. One whose pause ended long ago is forgotten, so that pauses grow from the start
  /// again.
  private mutating func circuit(of origin: Origin, now: Duration) -> OpenCircuit? {
    if origins.isEmpty { return nil }
    guard let circuit = origins[origin]?.circuit else { return nil }
    guard circuit.probe == nil, now - circuit.until > policy.longestHold else { return circuit }
    origins[origin] = nil
    return nil
  }

  /// Forgets origins that accept requests and have no probe. O(n).
  private mutating func forget(before now: Duration) {
    origins = origins.filter { _, state in
      state.circuit.map { $0.until > now || $0.probe != nil } ?? false
    }
  }
}

extension BreakerTable.Permit {
  /// True when it belongs to the running probe.
  fileprivate func isProbe(_ probe: UInt64?) -> Bool { probe != nil && probe == self.probe }
}
