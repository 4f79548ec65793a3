/// What holds for every connection over one line.
struct FlowTerms: Sendable, Hashable {
  /// A segment of TCP, in bytes: Ethernet's 1500 less the headers of IP and TCP.
  static let segment = 1460
  /// The window of a new connection, in bytes: ten segments (RFC 6928).
  static let initialWindow = 10 * segment
  /// The least retransmission timeout of RFC 6298, section 2.4, in ns.
  static let leastTimeout: Int64 = 1_000_000_000
  /// How long a lost segment at the end of a body is waited for at least, in ns: the least retransmission timeout of
  /// Linux (TCP_RTO_MIN).
  static let leastStall: Int64 = 200_000_000
  /// The largest body, in bytes. 1 GiB: what is left of it still fits 64 bits, and no picture comes near.
  static let largestBody = 1 << 30
  /// One byte, in bit/s · ns.
  static let byte: Int64 = 8 * 1_000_000_000
  /// What counts as no limit, in bit/s: a terabit moves a picture in less than a µs.
  static let unlimitedRate: Int64 = 1_000_000_000_000
  /// The factor between the window and 1/√p when each segment is acknowledged: √(3/2) (Mathis et al., 1997).
  static let mathisFactor = 1.22

  /// In bit/s.
  let capacity: Int64
  /// In ns.
  let roundTrip: Int64
  /// The probability that a segment is lost.
  let loss: Double
  /// From the first segment of a window to the first of the next, in ns: until the former has come and its
  /// acknowledgement has gone up.
  let round: Int64
  /// The window at which nothing but the line's share limits a connection: what fills the line for a round; at most
  /// what any body needs, and 0 where no time passes on the way.
  let fullWindow: Int
  /// The largest window that losses allow, in bytes: with it each round trip, a connection has Mathis's rate.
  let largestWindow: Int

  /// The terms of a line; without `bitsPerSecond` as fast as can be.
  init(bitsPerSecond: Int?, roundTrip: Duration, loss: Double = 0) {
    capacity = bitsPerSecond.map(Int64.init) ?? Self.unlimitedRate
    self.roundTrip = roundTrip.wholeNanoseconds
    self.loss = loss
    round = self.roundTrip + (Int64(Self.segment) * Self.byte - 1) / capacity + 1
    let bytes = Int128(capacity) * Int128(self.roundTrip) / Int128(Self.byte) + Int128(Self.segment)
    fullWindow = self.roundTrip > 0 ? Int(min(bytes, Int128(Self.largestBody))) : 0
    // Division and root are exact to the last bit everywhere (IEEE 754).
    let mathis = Self.mathisFactor * Double(Self.segment) / loss.squareRoot()
    largestWindow = loss > 0 ? max(Self.segment, Int(min(mathis, Double(Self.largestBody)))) : .max
  }

  /// The window of a new connection, in bytes.
  var firstWindow: Int { min(Self.initialWindow, largestWindow) }

  /// How long a connection may be idle before its window is small again, in ns: a retransmission timeout (RFC 5681,
  /// section 4.1), which is never below the round trip.
  var windowLifetime: Int64 { max(Self.leastTimeout, roundTrip) }

  /// How long a loss at its end holds back a body, in ns.
  var stall: Int64 { max(roundTrip, Self.leastStall) }

  /// The probability that one of the segments of `bytes` is lost.
  func lossChance(of bytes: Int) -> Double {
    var (kept, power, segments) = (1.0, 1 - loss, (bytes + Self.segment - 1) / Self.segment)
    // By squaring, not by `pow`, whose last bit differs between systems.
    while segments > 0 {
      if segments % 2 == 1 { kept *= power }
      power *= power
      segments /= 2
    }
    return 1 - kept
  }
}

/// What an HTTP/2 client says of a stream's turn (RFC 9218).
struct StreamOrder: Sendable, Hashable {
  /// 0 is the most urgent, 7 the least; 3 unless said otherwise.
  var urgency = 3
  /// Whether parts of it are of use, so that it shares with others rather than following them.
  var isIncremental = false
}
