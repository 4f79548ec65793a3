/// Hill climbing for the size of W-TinyLFU's window: the size moves on while the hit ratio rises and back if
/// it fell (Einziger, Eytan, Friedman and Manes, "Adaptive software cache management", Middleware 2018). The
/// constants are those of Caffeine, which is by the same authors.
struct WindowClimber: Sendable {
  /// The longest step, as a share of the capacity: 6.25 %.
  private static let longestStep = 0.0625
  /// The factor between consecutive steps: each step is 2 % shorter, so that the size converges.
  private static let decay = 0.98
  /// The change of the hit ratio that restores the longest step: 5 percentage points, which indicates another
  /// workload.
  private static let restart = 0.05

  private var step = -longestStep
  private var previous = 0.0
  private var hits = 0
  private var requests = 0

  mutating func record(isHit: Bool) {
    requests += 1
    if isHit { hits += 1 }
  }

  /// Returns the change of the window size as a share of the capacity; nil until `sample` requests were
  /// recorded since the last change.
  mutating func change(every sample: Int) -> Double? {
    guard requests >= sample else { return nil }
    let hitRatio = Double(hits) / Double(requests)
    let gain = hitRatio - previous
    let move = gain >= 0 ? step : -step
    step = abs(gain) >= Self.restart ? (move >= 0 ? Self.longestStep : -Self.longestStep) : Self.decay * move
    previous = hitRatio
    hits = 0
    requests = 0
    return move
  }
}
