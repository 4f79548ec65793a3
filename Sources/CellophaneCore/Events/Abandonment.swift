/// The decision about a transfer that lost its last waiter, with its inputs.
///
/// The transfer is finished into the cache if that takes less time than starting a new request. Otherwise it
/// is cancelled.
package struct Abandonment: Hashable, Sendable {
  /// True if the transfer is finished, so that the next load finds its bytes in the cache.
  package let goesOn: Bool
  /// The number of body bytes received so far.
  package let received: Int
  /// The number of missing body bytes; before the response head, the mean body size of the origin. Nil if it
  /// is unknown or if the bytes could not be stored.
  package let remaining: Int?
  /// The rate in bytes per second since the head arrived; before it, the rate of the origin's other bodies.
  /// Nil if nothing was measured.
  package let rate: Double?
  /// The expected time to the first byte; zero after it.
  package let awaited: Duration
  /// The origin's time to first byte; nil if it has sent no response yet.
  package let roundTrip: Duration?
  /// The time to set up the connection that replaces one closed by the cancellation (HTTP/1.1). Zero if no
  /// connection is closed or none was measured.
  package let handshakes: Duration

  /// Creates the decision for a transfer that received `received` bytes in the `elapsed` time since its head.
  package init(
    received: Int, remaining: Int?, elapsed: Duration, roundTrip: Duration?, handshakes: Duration = .zero
  ) {
    self.init(
      received: received, remaining: remaining,
      rate: received > 0 && elapsed > .zero ? Double(received) / (elapsed / .seconds(1)) : nil,
      awaited: .zero, roundTrip: roundTrip, handshakes: handshakes)
  }

  /// Creates the decision for a transfer whose request was sent `elapsed` ago, with an expected body of
  /// `remaining` bytes at `rate`.
  package init(
    expecting remaining: Int?, at rate: Double?, elapsed: Duration, roundTrip: Duration?, handshakes: Duration
  ) {
    self.init(
      received: 0, remaining: remaining, rate: rate, awaited: max(.zero, (roundTrip ?? .zero) - elapsed),
      roundTrip: roundTrip, handshakes: handshakes)
  }

  private init(
    received: Int, remaining: Int?, rate: Double?, awaited: Duration, roundTrip: Duration?,
    handshakes: Duration
  ) {
    self.received = received
    self.remaining = remaining
    self.rate = rate
    self.awaited = awaited
    self.roundTrip = roundTrip
    self.handshakes = handshakes
    if let remaining, let rate, let roundTrip {
      goesOn = awaited / .seconds(1) + Double(remaining) / rate < (roundTrip + handshakes) / .seconds(1)
    } else {
      goesOn = false
    }
  }
}
