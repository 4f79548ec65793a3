internal import CellophaneNetwork

/// The parameters that all connections of a link share.
struct FlowTerms: Sendable, Hashable {
  /// The size of a TCP segment, in bytes: Ethernet's 1500 without the headers of IP and TCP.
  static let segment = 1460
  /// The window of a new connection, in bytes: ten segments (RFC 6928).
  static let initialWindow = 10 * segment
  /// The minimum retransmission timeout of RFC 6298, section 2.4, in ns.
  static let minTimeout: Int64 = 1_000_000_000
  /// The minimum delay by a lost segment at the end of a body, in ns: the minimum retransmission timeout of
  /// Linux (TCP_RTO_MIN).
  static let minStall: Int64 = 200_000_000
  /// The size of the largest body, in bytes.
  static var maxBody: Int { SimulationConfiguration.Network.maxBody }
  /// One byte, in bit/s · ns.
  static let byte: Int64 = 8 * 1_000_000_000
  /// The rate of an unlimited link, in bit/s. At 1 Tbit/s an image takes less than a µs.
  static let unlimitedRate: Int64 = 1_000_000_000_000
  /// The factor between the window and 1/√p if each segment is acknowledged: √(3/2) (Mathis et al., 1997).
  static let mathisFactor = 1.22

  /// The rate of the link, in bit/s; the highest one if it varies.
  let capacity: Int64
  /// The mean rate of the link, in bit/s.
  let mean: Int64
  /// The rate over time; nil if it is constant.
  let rates: RateSchedule?
  /// The round trip, in ns.
  let roundTrip: Int64
  /// The probability that a segment is lost.
  let loss: Double
  /// The duration of a round, in ns: from the first segment of a window until it has arrived and its
  /// acknowledgement has returned.
  let round: Int64
  /// The window from which a connection is limited by its share of the link only, in bytes: the data that
  /// fills the link for a round. At most ``maxBody``; 0 if the round trip is 0.
  let fullWindow: Int
  /// The largest window under loss, in bytes. With one such window per round trip, a connection has Mathis's
  /// rate.
  let maxWindow: Int
  /// The change of a window while its connection is idle.
  var idleRestart = IdleRestart.reset
  /// The order in which servers send the streams of a connection.
  var scheduling = StreamScheduling.urgency
  /// True if a lost segment delays all streams of its connection, as over TCP, which delivers data in order.
  var isOrdered = true
  /// The seed of the losses on a link with a queue.
  var seed: UInt64 = 1

  /// Creates the parameters of a link; nil `bitsPerSecond` for an unlimited rate. If there are `rates`, they replace it.
  init(bitsPerSecond: Int?, roundTrip: Duration, loss: Double = 0, rates: RateSchedule? = nil) {
    capacity = rates?.peak ?? bitsPerSecond.map(Int64.init) ?? Self.unlimitedRate
    mean = rates?.mean ?? capacity
    self.rates = rates
    self.roundTrip = roundTrip.wholeNanoseconds
    self.loss = loss
    round = self.roundTrip + (Int64(Self.segment) * Self.byte - 1) / capacity + 1
    let bytes = Int128(capacity) * Int128(self.roundTrip) / Int128(Self.byte) + Int128(Self.segment)
    fullWindow = self.roundTrip > 0 ? Int(min(bytes, Int128(Self.maxBody))) : 0
    // Division and square root are correctly rounded on every machine (IEEE 754).
    let mathis = Self.mathisFactor * Double(Self.segment) / loss.squareRoot()
    maxWindow = loss > 0 ? max(Self.segment, Int(min(mathis, Double(Self.maxBody)))) : .max
  }

  /// Returns the rate of the link at `time`, in bit/s.
  func rate(at time: Int64) -> Int64 { rates?.rate(at: time) ?? capacity }

  /// Returns the time at which `bits` (bit/s · ns) have been delivered from `time` on.
  func end(of bits: Int128, from time: Int64) -> Int64 {
    guard bits > 0 else { return time }
    return rates?.end(of: bits, from: time) ?? time + Int64((bits - 1) / Int128(capacity)) + 1
  }

  /// The size of the packets of a link with a queue, in bytes: the segments of 100 µs. Network cards send several at once,
  /// and fast links take no more time to compute.
  var packet: Int { max(1, Int(capacity / 10_000) / (8 * Self.segment)) * Self.segment }

  /// The window of a new connection, in bytes.
  var firstWindow: Int { min(Self.initialWindow, maxWindow) }

  /// The idle time after which a connection's window is reset, in ns: a retransmission timeout (RFC 5681,
  /// section 4.1), which is never below the round trip.
  var windowLifetime: Int64 { max(Self.minTimeout, roundTrip) }

  /// Returns a congestion window after its connection was idle for `time` ns.
  func window(_ window: Int, afterIdle time: Int64) -> Int {
    switch idleRestart {
    case .never: return window
    case .reset: return time > windowLifetime ? min(window, firstWindow) : window
    case .halve:
      // As tcp_cwnd_restart of Linux.
      var (halved, rest) = (window, time - timeout)
      while rest > 0, halved > firstWindow { (halved, rest) = (halved / 2, rest - timeout) }
      return min(window, max(halved, firstWindow))
    }
  }

  /// The retransmission timeout of Linux for a constant round trip, in ns.
  private var timeout: Int64 { roundTrip + Self.minStall }

  /// The delay by a loss at the end of a body, in ns.
  var stall: Int64 { max(roundTrip, Self.minStall) }

  /// Returns the probability that at least one segment of `bytes` is lost.
  func lossChance(of bytes: Int) -> Double {
    var (delivered, power, segments) = (1.0, 1 - loss, (bytes + Self.segment - 1) / Self.segment)
    // By squaring instead of `pow`, whose last bit differs between systems.
    while segments > 0 {
      if segments % 2 == 1 { delivered *= power }
      power *= power
      segments /= 2
    }
    return 1 - delivered
  }
}
