/// What a load did before it failed. Travels beside its ``LoadError``.
public struct FailedFetch: Hashable, Sendable {
  /// The number of failed attempts; 0 if the circuit of the origin was open from the start, or if a stored
  /// failure was returned.
  public internal(set) var attempts: Int
  /// Details of the exchange that failed; nil if no exchange failed or the transport reports none.
  public internal(set) var exchange: FailedExchange?
  /// The number of attempts that failed at the request's own host with a transient error.
  package internal(set) var ownRefusals = 0
  /// The origin at which the load ended, if redirects led to another host.
  package let otherOrigin: Origin?
  /// The state of the circuit of that origin.
  package let circuit: CircuitState

  /// The last state of an origin's circuit for a load.
  package struct CircuitState: Hashable, Sendable {
    /// True if the breaker refused the request because of failures of other loads.
    package internal(set) var isRefused = false
    /// The time for which the circuit stays open; nil if it is closed.
    package internal(set) var remaining: Duration?
    /// True if the origin asked for the pause in its response to this load.
    package internal(set) var isRequested = false
  }
}
