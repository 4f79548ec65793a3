/// The measured number of concurrent transfers that saturate the link to an origin. Pure: time is a parameter.
///
/// A transfer leaves the link idle while it waits for its first byte. If that takes `w`, and its body occupies the link for
/// `b`, 1 + w/b transfers keep the link busy (saturation point). With more transfers the last one arrives no sooner, and
/// each of them arrives later. Source: Denning and Buzen, "The operational analysis of queueing network models", ACM
/// Computing Surveys 10(3), 1978.
struct SaturationEstimator {
  /// The minimum: one transfer that arrives while another waits for its first byte. Also the value for an unmeasured link,
  /// where the first responses would otherwise share a bandwidth that may be low.
  static let least = 2
  /// The value for "no limit": more than any gate admits.
  static let most = 1_000
  /// The weight of earlier measurements beside a new body: 7/8 (RFC 6298, section 2: the smoothed round-trip time of
  /// TCP).
  private static let memory = 7.0 / 8

  /// The requested bodies that have not begun to arrive.
  private var expected: Set<UInt64> = []
  /// The bodies that are arriving.
  private var arriving: Set<UInt64> = []
  /// The time up to which `busy` is counted.
  private var counted = Duration.zero
  /// The seconds in which bodies arrived and their bytes, with decaying weights.
  private var busy = 0.0
  private var bytes = 0.0
  /// The mean size of a body; nil before the first complete one.
  private var size: Double?

  /// Records the request of a body by its number.
  mutating func expect(_ body: UInt64) { expected.insert(body) }

  /// Records the first byte of a body. Has no effect after its end.
  mutating func begin(_ body: UInt64, at now: Duration) {
    guard expected.remove(body) != nil else { return }
    if arriving.isEmpty { counted = now }
    arriving.insert(body)
  }

  /// Records the end of a body after `received` bytes, complete or not.
  mutating func end(_ body: UInt64, received: Int, isWhole: Bool, at now: Duration) {
    expected.remove(body)
    guard arriving.remove(body) != nil else { return }
    busy = Self.memory * busy + (now - counted) / .seconds(1)
    bytes = Self.memory * bytes + Double(received)
    counted = now
    guard isWhole else { return }
    size = size.map { Self.memory * $0 + (1 - Self.memory) * Double(received) } ?? Double(received)
  }

  /// The expected size in bytes of a body that has not begun to arrive, and its rate in bytes per second beside the bodies
  /// that arrive now. Nil before the first complete body.
  var expectation: (bytes: Int, rate: Double)? {
    guard let size, busy > 0, bytes > 0 else { return nil }
    return (Int(size), bytes / busy / Double(arriving.count + 1))
  }

  /// Returns the number of transfers that saturate the link when responses begin `latency` after their requests.
  func transfers(at latency: Duration?) -> Int {
    guard let size, let latency else { return Self.least }
    let body = bytes > 0 ? size * busy / bytes : 0
    let all = body > 0 ? (1 + latency / .seconds(1) / body).rounded(.up) : .infinity
    return max(Self.least, all < Double(Self.most) ? Int(all) : Self.most)
  }
}
