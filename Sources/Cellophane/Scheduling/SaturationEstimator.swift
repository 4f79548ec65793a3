/// The measured number of concurrent transfers that saturate the link to an origin. Pure: time is a parameter.
///
/// A transfer leaves the link idle while it waits for its first byte. If that takes `w`, and its body occupies the link for
/// `b`, 1 + w/b transfers keep the link busy (saturation point). With more transfers the last one arrives no sooner, and
/// each of them arrives later. Source: Denning and Buzen, "The operational analysis of queueing network models", ACM
/// Computing Surveys 10(3), 1978.
///
/// Two transfers that begin together both end after 2b. One after the other, they end after b and 2b. The estimate is
/// therefore 1 where a single transfer keeps the link busy for most of the time.
struct SaturationEstimator {
  /// The value for an unmeasured link, and where the latency is not short compared with the transfer: one transfer that
  /// arrives while another waits for its first byte. With no limit, the first responses would share a bandwidth that may be
  /// low.
  static let least = 2
  /// The largest latency, as a share of the time of a body, at which one transfer saturates the link. 0.2: the link is idle
  /// for at most a sixth of the time. With 0.3, a list of large images over LTE has 4 points more blank area, because
  /// slow start also leaves the link idle.
  private static let idleShare = 0.2
  /// The largest rate of a body that shares the link, as a share of the rate of a body alone, if the link limits both.
  /// 0.75: half of it with two bodies, and all of it if the origin limits each transfer.
  private static let sharedRate = 0.75
  /// The value for "no limit": more than any gate admits.
  static let most = 1_000
  /// The weight of earlier measurements beside a new body: 7/8 (RFC 6298, section 2: the smoothed round-trip time of
  /// TCP).
  private static let memory = 7.0 / 8

  /// A body that is arriving.
  private struct Arrival {
    let requested: Duration
    let begun: Duration
    /// True while no other body has arrived at the same time.
    var isAlone: Bool
  }

  /// The request times of the bodies that have not begun to arrive.
  private var expected: [UInt64: Duration] = [:]
  private var arriving: [UInt64: Arrival] = [:]
  /// The time up to which `busy` is counted.
  private var counted = Duration.zero
  /// The seconds in which bodies arrived and their bytes, with decaying weights.
  private var busy = 0.0
  private var bytes = 0.0
  /// The mean size of a body; nil before the first complete one.
  private var size: Double?
  /// The mean rates of complete bodies that arrived alone and beside others, in bytes per second; nil without any.
  private var rateAlone: Double?
  private var rateShared: Double?

  /// Records the request of a body by its number.
  mutating func expect(_ body: UInt64, at now: Duration) { expected[body] = now }

  /// Records the first byte of a body. Has no effect after its end.
  mutating func begin(_ body: UInt64, at now: Duration) {
    guard let requested = expected.removeValue(forKey: body) else { return }
    if arriving.isEmpty { counted = now }
    for index in arriving.values.indices { arriving.values[index].isAlone = false }
    arriving[body] = Arrival(requested: requested, begun: now, isAlone: arriving.isEmpty)
  }

  /// Records the end of a body after `received` bytes, complete or not.
  mutating func end(_ body: UInt64, received: Int, isWhole: Bool, at now: Duration) {
    expected[body] = nil
    guard let arrival = arriving.removeValue(forKey: body) else { return }
    busy = Self.memory * busy + (now - counted) / .seconds(1)
    bytes = Self.memory * bytes + Double(received)
    counted = now
    guard isWhole else { return }
    Self.add(Double(received), to: &size)
    let time = (now - arrival.begun) / .seconds(1)
    guard time > 0 else { return }
    let rate = Double(received) / time
    if arrival.isAlone { Self.add(rate, to: &rateAlone) } else { Self.add(rate, to: &rateShared) }
  }

  private static func add(_ value: Double, to mean: inout Double?) {
    mean = mean.map { memory * $0 + (1 - memory) * value } ?? value
  }

  /// The expected size in bytes of a body that has not begun to arrive, and its rate in bytes per second beside the bodies
  /// that arrive now. Nil before the first complete body.
  var expectation: (bytes: Int, rate: Double)? {
    guard let size, busy > 0, bytes > 0 else { return nil }
    return (Int(size), bytes / busy / Double(arriving.count + 1))
  }

  /// Returns the number of transfers that saturate the link when responses begin `latency` after their requests.
  func transfers(at latency: Duration?) -> Int {
    guard let latency, let body = bodyTime else { return Self.least }
    let idle = body > 0 ? latency / .seconds(1) / body : .infinity
    if idle <= Self.idleShare, isLimitedByLink { return 1 }
    let all = (1 + idle).rounded(.up)
    return max(Self.least, all < Double(Self.most) ? Int(all) : Self.most)
  }

  /// The seconds for which a body occupies the link; nil before the first complete one.
  private var bodyTime: Double? { size.map { bytes > 0 ? $0 * busy / bytes : 0 } }

  /// False if bodies beside others arrive as fast as alone: then the origin limits the rate of each transfer.
  private var isLimitedByLink: Bool {
    guard let rateAlone, let rateShared else { return true }
    return rateShared <= Self.sharedRate * rateAlone
  }

  /// Returns twice the expected time from a request to the end of its response; nil before the first complete body.
  func patience(at latency: Duration?) -> Duration? {
    guard let latency, let body = bodyTime else { return nil }
    return (latency + .seconds(body)) * 2
  }

  /// Returns the number of transfers that run for longer than ``patience(at:)`` at the time `now`.
  func overdue(at latency: Duration?, now: Duration) -> Int {
    guard let patience = patience(at: latency) else { return 0 }
    let requests = [expected.values.map(\.self), arriving.values.map(\.requested)].joined()
    return requests.count { now - $0 >= patience }
  }
}
