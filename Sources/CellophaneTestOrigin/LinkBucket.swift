internal import Cellophane

/// The token bucket of one direction of a link, shared by all connections. Pure: time is a parameter.
///
/// Its state is the time at which the link is free again; sending n bytes adds n / rate. A piece leaves when its last
/// bit is through. A late timer costs no capacity, because the next piece is counted from that time and not from now.
/// After an idle period the next piece is counted from now, so that the idle time gives no credit.
struct LinkBucket: Sendable {
  /// The payload of a TCP segment on Ethernet: 1500 bytes less the IP and TCP headers.
  static let segment = 1460

  /// The largest piece that one connection sends before the next connection: one segment, or a millisecond of the link
  /// when that is more, at most the bandwidth-delay product. A millisecond spares a fast link wake-ups every few
  /// microseconds.
  let piece: Int
  private let bitsPerSecond: Int
  private var freeAt = Duration.zero

  /// Creates an idle link of `bitsPerSecond`.
  init(bitsPerSecond: Int, roundTrip: Duration) {
    self.bitsPerSecond = bitsPerSecond
    let most = min(Self.bytes(in: .milliseconds(1), bitsPerSecond), Self.bytes(in: roundTrip, bitsPerSecond))
    piece = max(Self.segment, most)
  }

  /// The largest delay of a timer that is compensated. 50 ms: a machine with longer delays cannot shape a link.
  static let maxTimerDelay = Duration.milliseconds(50)

  /// Prepares for a request to send while no other connection waits. `isContinuous` is true for a connection that had
  /// more to send all the time: its delay is then the timer's, and is compensated.
  mutating func prepare(at now: Duration, isContinuous: Bool) {
    if now - freeAt > (isContinuous ? Self.maxTimerDelay : .zero) { freeAt = now }
  }

  /// Returns the time at which `bytes` have left, when nothing else is sent before.
  func departure(of bytes: Int) -> Duration { freeAt + .seconds(bytes) * 8 / bitsPerSecond }

  /// Occupies the link for `bytes`, and returns the time at which they have left.
  @discardableResult
  mutating func send(_ bytes: Int) -> Duration {
    freeAt = departure(of: bytes)
    return freeAt
  }

  private static func bytes(in time: Duration, _ bitsPerSecond: Int) -> Int {
    Int(Double(bitsPerSecond) / 8 * (time / .seconds(1)))
  }
}
