internal import Cellophane
internal import CellophaneNetwork

/// The congestion window of one connection of an origin. It limits the unacknowledged bytes as if the client were one
/// round trip away; on loopback the kernel's window never limits a transfer. Pure: time is a parameter.
///
/// A round begins with the first piece sent in it and ends one round trip later, with the acknowledgement of that
/// piece. At most one window is sent in a round. The window then grows by the bytes of the round (slow start, RFC
/// 5681), unless they were less than half of it, until it fills the link.
struct SendWindow: Sendable {
  /// The window of a new connection, in bytes: ten segments (RFC 6928).
  static let initial = 10 * LinkBucket.segment
  /// The idle time after which the window is that of a new connection: the minimum retransmission timeout (RFC 5681,
  /// section 4.1; RFC 6298, section 2.4), which is never below the round trip.
  private static let lifetime = Duration.seconds(1)

  private let roundTrip: Duration
  /// The window that fills the link: the bandwidth-delay product plus a segment.
  private let full: Int
  private(set) var bytes = Self.initial
  private var spent = 0
  private var roundEnd: Duration?
  private var last: Duration?

  /// Creates the window of a new connection; nil when the network has no limit.
  init?(_ network: NetworkProfile) {
    guard let rate = network.downBitsPerSecond, network.roundTrip > .zero else { return nil }
    roundTrip = network.roundTrip
    full = Int(Double(rate) / 8 * (network.roundTrip / .seconds(1))) + LinkBucket.segment
  }

  /// Returns the number of bytes that may be sent now; 0 until ``opening``.
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

  /// The time at which there is room again; nil while there is room.
  var opening: Duration? { bytes < full && spent >= bytes ? roundEnd : nil }

  /// Records `count` sent bytes, at most ``room(at:)``.
  mutating func send(_ count: Int, at now: Duration) {
    last = now
    guard bytes < full else { return }
    if roundEnd == nil { roundEnd = now + roundTrip }
    spent += count
  }
}
