/// The details of a failed load. A ``FetchObserver`` receives them.
public struct FailedFetch: Hashable, Sendable {
  /// The number of failed attempts; 0 if the circuit of the origin was open from the start, or if a stored
  /// failure was returned.
  public package(set) var attempts: Int
  /// Details of the exchange that failed; nil if no exchange failed or the transport reports none.
  public package(set) var exchange: FailedExchange?
  /// The number of attempts that failed at the request's own host with a transient error.
  package var ownRefusals = 0
  /// The origin at which the load ended, if redirects led to another host.
  package let otherOrigin: Origin?
  /// The state of the circuit of that origin.
  package let circuit: CircuitState

  package init(
    attempts: Int, exchange: FailedExchange?, ownRefusals: Int = 0, otherOrigin: Origin?,
    circuit: CircuitState
  ) {
    self.attempts = attempts
    self.exchange = exchange
    self.ownRefusals = ownRefusals
    self.otherOrigin = otherOrigin
    self.circuit = circuit
  }

  /// The last state of an origin's circuit for a load.
  package struct CircuitState: Hashable, Sendable {
    /// True if the breaker refused the request because of failures of other loads.
    package var isRefused = false
    /// The time for which the circuit stays open; nil if it is closed.
    package var remaining: Duration?
    /// True if the origin asked for the pause in its response to this load.
    package var isRequested = false
    /// The pause before another attempt, which the loader leaves to its caller; nil if the circuit is open or no other
    /// attempt is worthwhile.
    package var retryDelay: Duration?

    package init(isRefused: Bool = false, remaining: Duration? = nil, isRequested: Bool = false) {
      self.isRefused = isRefused
      self.remaining = remaining
      self.isRequested = isRequested
    }
  }
}
