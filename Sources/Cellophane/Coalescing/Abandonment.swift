/// What became of a transfer when nobody waited for it any more, and why: it is finished into the cache when that
/// takes less time than a new request would take to begin, otherwise it is cut off.
public struct Abandonment: Hashable, Sendable {
  /// True when it goes on, so that its bytes are in the cache for whoever comes next.
  public let goesOn: Bool
  /// The body's bytes received so far.
  public let received: Int
  /// The body's bytes that are missing; nil when that is not known, or when they could not be kept.
  public let remaining: Int?
  /// Bytes per second since the head arrived; nil when nothing could be measured.
  public let rate: Double?
  /// The time to the first byte of an answer of that origin; nil when none has answered.
  public let roundTrip: Duration?

  /// The choice for a transfer that received `received` bytes in the `elapsed` time since its head.
  init(received: Int, remaining: Int?, elapsed: Duration, roundTrip: Duration?) {
    self.received = received
    self.remaining = remaining
    self.roundTrip = roundTrip
    rate = received > 0 && elapsed > .zero ? Double(received) / (elapsed / .seconds(1)) : nil
    if let remaining, let rate, let roundTrip {
      goesOn = Double(remaining) / rate < roundTrip / .seconds(1)
    } else {
      goesOn = false
    }
  }
}
