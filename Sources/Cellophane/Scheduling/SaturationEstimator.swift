/// How many transfers at once fill the line to an origin, as far as that was measured. Pure: time comes in as a
/// parameter.
///
/// A transfer leaves the line free while it waits for its first byte. If that takes `w`, and its body takes the line for
/// `b`, 1 + w/b transfers keep the line busy: the saturation point of Denning and Buzen, "The operational analysis of
/// queueing network models", ACM Computing Surveys 10(3), 1978. With more of them all together come no sooner, and each
/// of them comes later.
struct SaturationEstimator {
  /// The least: one that arrives, and one that is asked for meanwhile. That much is also right for a line of which
  /// nothing is known, where the first answers would otherwise share what little there may be.
  static let least = 2
  /// What counts as no limit: more than any gate lets through.
  static let most = 1_000
  /// How much of what was measured before counts beside a new body: all but an eighth (RFC 6298, section 2: the smoothed
  /// round-trip time of TCP).
  private static let memory = 7.0 / 8

  /// What was asked for and has not begun to arrive.
  private var expected: Set<UInt64> = []
  /// The bodies that arrive.
  private var arriving: Set<UInt64> = []
  /// Until when the time with bodies is counted in `busy`.
  private var counted = Duration.zero
  /// Seconds with a body on the line, and the bytes that came in them; what was long ago counts little.
  private var busy = 0.0
  private var bytes = 0.0
  /// The mean size of a body; nil before the first that was whole.
  private var size: Double?

  /// The body of this number was asked for.
  mutating func expect(_ body: UInt64) { expected.insert(body) }

  /// Its first byte is there; nothing, when it is over.
  mutating func begin(_ body: UInt64, at now: Duration) {
    guard expected.remove(body) != nil else { return }
    if arriving.isEmpty { counted = now }
    arriving.insert(body)
  }

  /// It is over, whole or not, and brought `received` bytes.
  mutating func end(_ body: UInt64, received: Int, isWhole: Bool, at now: Duration) {
    expected.remove(body)
    guard arriving.remove(body) != nil else { return }
    busy = Self.memory * busy + (now - counted) / .seconds(1)
    bytes = Self.memory * bytes + Double(received)
    counted = now
    guard isWhole else { return }
    size = size.map { Self.memory * $0 + (1 - Self.memory) * Double(received) } ?? Double(received)
  }

  /// What to expect of a body that has not begun to arrive: its bytes, and its bytes per second beside those that arrive
  /// now; nil before a body was whole.
  var expectation: (bytes: Int, rate: Double)? {
    guard let size, busy > 0, bytes > 0 else { return nil }
    return (Int(size), bytes / busy / Double(arriving.count + 1))
  }

  /// The number of transfers that fill the line, when an answer begins `wait` after its request.
  func transfers(after wait: Duration?) -> Int {
    guard let size, let wait else { return Self.least }
    let body = bytes > 0 ? size * busy / bytes : 0
    let all = body > 0 ? (1 + wait / .seconds(1) / body).rounded(.up) : .infinity
    return max(Self.least, all < Double(Self.most) ? Int(all) : Self.most)
  }
}
