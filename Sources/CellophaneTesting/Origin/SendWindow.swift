internal import Cellophane

/// How much one connection of an origin may send before it is acknowledged, as if the client were a round trip away:
/// on loopback the kernel's own window never limits anything. Pure: time comes in as a parameter.
///
/// A round begins with the first piece that leaves in it and ends a round trip later, when that is acknowledged. In a
/// round at most the window leaves; then the window has grown by what left (slow start, RFC 5681), unless that was less
/// than half of it, until it fills the line.
struct SendWindow: Sendable {
  /// The window of a new connection, in bytes: ten segments (RFC 6928).
  static let initial = 10 * LinkBucket.segment
  /// The rest after which a window is that of a new connection: the least retransmission timeout (RFC 5681, section
  /// 4.1; RFC 6298, section 2.4), which is never below the round trip.
  private static let lifetime = Duration.seconds(1)

  private let roundTrip: Duration
  /// What fills the line: the bandwidth-delay product and a segment.
  private let full: Int
  private(set) var bytes = Self.initial
  private var spent = 0
  private var roundEnd: Duration?
  private var last: Duration?

  /// The window of a new connection; nil where nothing limits one.
  init?(_ network: NetworkProfile) {
    guard let rate = network.downBitsPerSecond, network.roundTrip > .zero else { return nil }
    roundTrip = network.roundTrip
    full = Int(Double(rate) / 8 * (network.roundTrip / .seconds(1))) + LinkBucket.segment
  }

  /// How many bytes may leave now; 0 until ``opening``.
  mutating func room(at now: Duration) -> Int {
    if let end = roundEnd, end <= now {
      if 2 * spent >= bytes { bytes += spent }
      (roundEnd, spent) = (nil, 0)
    }
    if let last, now - last > max(Self.lifetime, roundTrip) {
      bytes = Self.initial
      (roundEnd, spent) = (nil, 0)
    }
    return bytes >= full ? .max : bytes - spent
  }

  /// When there is room again; nil while there is.
  var opening: Duration? { bytes < full && spent >= bytes ? roundEnd : nil }

  /// Notes that so many bytes left, at most ``room(at:)``.
  mutating func send(_ count: Int, at now: Duration) {
    last = now
    guard bytes < full else { return }
    if roundEnd == nil { roundEnd = now + roundTrip }
    spent += count
  }
}
