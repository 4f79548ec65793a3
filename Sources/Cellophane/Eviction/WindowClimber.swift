/// Which way, and how far, W-TinyLFU's window should move: on, while the hit ratio rises, back when it fell
/// (Einziger, Eytan, Friedman and Manes, "Adaptive software cache management", Middleware 2018, hill
/// climbing). The numbers are those of Caffeine, whose authors these are.
struct WindowClimber: Sendable {
  /// The longest step, as a share of the capacity: 6.25 %.
  private static let longestStep = 0.0625
  /// Each step is shorter than the one before by 2 %, so that the window comes to rest.
  private static let decay = 0.98
  /// Steps are long again when the hit ratio changes by 5 points: then other things are asked for.
  private static let restart = 0.05

  private var step = -longestStep
  private var previous = 0.0
  private var hits = 0
  private var requests = 0

  mutating func record(isHit: Bool) {
    requests += 1
    if isHit { hits += 1 }
  }

  /// How far the window should move now, as a share of the capacity; nil until `sample` requests have come
  /// since the last move.
  mutating func change(every sample: Int) -> Double? {
    guard requests >= sample else { return nil }
    let ratio = Double(hits) / Double(requests)
    let gain = ratio - previous
    let move = gain >= 0 ? step : -step
    step = abs(gain) >= Self.restart ? (move >= 0 ? Self.longestStep : -Self.longestStep) : Self.decay * move
    previous = ratio
    hits = 0
    requests = 0
    return move
  }
}
