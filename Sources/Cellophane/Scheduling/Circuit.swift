/// The circuit of one origin or host. Pure: the caller passes the time.
///
/// A failure opens the circuit for a pause, in which no request is sent. After the pause it is half open: the next request
/// is the probe, and the others wait for its end. The loader has one circuit per origin, a batch one per host. A number
/// identifies a request.
package struct Circuit: Sendable {
  private enum State: Equatable {
    case closed
    case open
    /// The next request is the probe.
    case halfOpen
    case probing(UInt64, since: Duration)
  }

  /// The time after which the other requests follow a running probe; nil if they wait for its end.
  private let probeTimeout: Duration?
  private var state = State.closed
  /// The end of the last pause. Without effect while the circuit is closed.
  package private(set) var pauseEnd = Duration.zero

  /// Creates a closed circuit.
  ///
  /// - Parameter probeTimeout: The time after which the other requests follow a running probe; nil if they wait for its end.
  package init(probeTimeout: Duration? = nil) { self.probeTimeout = probeTimeout }

  /// True in a pause.
  package var isOpen: Bool { state == .open }

  /// True after a pause, until the probe starts.
  package var isHalfOpen: Bool { state == .halfOpen }

  /// True while a probe runs.
  package var isProbing: Bool { if case .probing = state { true } else { false } }

  /// Whether a request may be sent.
  package var allowsRequest: Bool { state == .closed || state == .halfOpen }

  /// The time at which the other requests follow the running probe; nil without a probe or if they wait for its end.
  package var probeDeadline: Duration? {
    guard case .probing(_, let since) = state else { return nil }
    return probeTimeout.map { since + $0 }
  }

  /// Returns whether `request` is the running probe.
  package func isProbe(_ request: UInt64) -> Bool {
    if case .probing(request, _) = state { true } else { false }
  }

  /// Returns whether a probe runs that started at `start`, for callers that start it alone.
  package func isProbe(startedAt start: Duration) -> Bool {
    if case .probing(_, start) = state { true } else { false }
  }

  /// Ends a pause and the priority of a probe whose time has passed.
  package mutating func update(at now: Duration) {
    if state == .open, pauseEnd <= now { state = .halfOpen }
    if let deadline = probeDeadline, deadline <= now { state = .closed }
  }

  /// Records that `request` starts. Returns true if it is the probe.
  @discardableResult
  package mutating func begin(_ request: UInt64, at now: Duration) -> Bool {
    guard state == .halfOpen else { return false }
    state = .probing(request, since: now)
    return true
  }

  /// Opens the circuit until `end`, or until the end of the current pause if that is later. Ends a running probe.
  package mutating func open(until end: Duration) {
    pauseEnd = state == .open ? max(pauseEnd, end) : end
    state = .open
  }

  /// Extends the last pause to `end`, unless it is longer. A running probe continues.
  package mutating func extendPause(to end: Duration) {
    pauseEnd = max(pauseEnd, end)
    if state == .halfOpen { state = .open }
  }

  /// Closes the circuit. A running probe is an ordinary request from now on.
  package mutating func close() { state = .closed }

  /// Ends a probe without a result: the circuit is open for the rest of the pause, then half open.
  package mutating func abandonProbe() { if isProbing { state = .open } }
}
