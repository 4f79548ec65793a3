/// What became of a transfer when nobody waited for it any more, and why: it is finished into the cache when that
/// takes less time than a new request would take to begin, otherwise it is cut off.
public struct Abandonment: Hashable, Sendable {
  /// True when it goes on, so that its bytes are in the cache for whoever comes next.
  public let goesOn: Bool
  /// The body's bytes received so far.
  public let received: Int
  /// The body's bytes that are missing, before its head as many as its origin's bodies have in the mean; nil when that is
  /// not known, or when they could not be kept.
  public let remaining: Int?
  /// Bytes per second since the head arrived, before it those of the origin's other bodies; nil when nothing could be
  /// measured.
  public let rate: Double?
  /// How long until the first byte should be there; zero after it.
  public let awaited: Duration
  /// The time to the first byte of an answer of that origin; nil when none has answered.
  public let roundTrip: Duration?
  /// What a connection takes to be made in place of the one that is closed when it is cut off (HTTP/1.1); zero when none
  /// is, or when none was measured.
  public let handshakes: Duration

  /// The choice for a transfer that has begun to arrive: `received` bytes in the `elapsed` time since its head.
  init(
    received: Int, remaining: Int?, elapsed: Duration, roundTrip: Duration?, handshakes: Duration = .zero
  ) {
    self.init(
      received: received, remaining: remaining,
      rate: received > 0 && elapsed > .zero ? Double(received) / (elapsed / .seconds(1)) : nil,
      awaited: .zero, roundTrip: roundTrip, handshakes: handshakes)
  }

  /// The choice for a transfer whose request went out the `elapsed` time ago, when its body is expected to have
  /// `remaining` bytes and to come at `rate`.
  init(
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
