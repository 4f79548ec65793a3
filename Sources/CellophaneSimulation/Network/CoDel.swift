/// The control law of CoDel (RFC 8289): packets are dropped while the shortest wait of an interval exceeds the target.
struct CoDel: Sendable {
  /// The acceptable wait, in ns.
  private static let target: Int64 = 5_000_000
  /// A round trip that is long but common, in ns.
  private static let interval: Int64 = 100_000_000
  /// The size of the buffer, in packets: the default of Linux.
  static let maxPackets = 1_000

  /// The time at which the wait will have exceeded the target for an interval.
  private var dueAbove: Int64?
  private var isDropping = false
  private var nextDrop: Int64 = 0
  private var count = 0
  private var lastCount = 0

  /// Returns whether a packet that leaves the buffer at `now` is dropped.
  mutating func drops(arrivedAt arrival: Int64, waitingBytes: Int, at now: Int64) -> Bool {
    let isHigh = isHigh(now - arrival, waitingBytes: waitingBytes, at: now)
    if isDropping {
      if !isHigh { isDropping = false }
      guard isDropping, now >= nextDrop else { return false }
      count += 1
      nextDrop = Self.next(after: nextDrop, count)
      return true
    }
    guard isHigh else { return false }
    isDropping = true
    // Continues with the rate of a recent dropping state.
    let recent = count - lastCount
    count = recent > 1 && now - nextDrop < 16 * Self.interval ? recent : 1
    nextDrop = Self.next(after: now, count)
    lastCount = count
    return true
  }

  private mutating func isHigh(_ wait: Int64, waitingBytes: Int, at now: Int64) -> Bool {
    guard wait >= Self.target, waitingBytes > FlowTerms.segment else {
      dueAbove = nil
      return false
    }
    guard let dueAbove else {
      dueAbove = now + Self.interval
      return false
    }
    return now >= dueAbove
  }

  private static func next(after time: Int64, _ count: Int) -> Int64 {
    // Division and square root are correctly rounded on every machine (IEEE 754).
    time + Int64(Double(interval) / Double(count).squareRoot())
  }
}
