/// The evidence of one transfer about its host.
package enum HostSignal: Equatable, Sendable {
  /// The host responded, with this time to the first byte.
  case answered(firstByte: Duration)
  /// The host responded after it had refused at least one attempt of the same load.
  case recovered
  /// The host responded, but the time to the first byte is unknown or not comparable.
  case served
  /// No request was sent: the response was cached.
  case kept
  /// The host requested a pause (429, 503), or did not respond.
  case refused
}

/// The limit of concurrent transfers of one host. Pure.
///
/// Additive increase and multiplicative decrease, as in TCP (Chiu and Jain, Computer Networks and ISDN
/// Systems 17, 1989). A refusal halves the limit. First bytes that take longer than usual for the host lower
/// it in proportion, as Netflix's gradient limit does (concurrency-limits, Gradient2). Each full round of
/// good responses raises it by one.
struct AIMDLimit: Equatable {
  /// The time to the first byte below which a host never counts as slow. 100 ms, when people begin to notice
  /// a delay (Nielsen, Usability Engineering, 1993), are two or three round trips around the world.
  static let unhurried: Duration = .milliseconds(100)

  /// The ratio of the recent time to the usual time above which a host is slow. 2: the maximum of Gradient2,
  /// which includes the queueing that the limit itself causes.
  static let tolerance = 2.0

  // The weights of a response in the usual and in the recent time. With 1/64 the usual time adapts within
  // some hundred responses, so a host that stays slow soon gets its full limit again. With 1/8 a slowdown
  // shows within about ten.
  private static let (longMemory, shortMemory) = (1.0 / 64, 1.0 / 8)

  /// The maximum of the limit.
  let most: Int
  /// The current limit.
  private(set) var current: Int

  // The usual and the recent time to the first byte, in seconds.
  private var usual: Double?
  private var recent = 0.0
  // The responses since the last change of the limit.
  private var responses = 0
  // The time of the last decrease.
  private var loweredAt: Duration?

  /// - Parameter most: The maximum number of concurrent transfers; at least 1.
  init(most: Int) {
    self.most = max(1, most)
    current = self.most
  }

  /// Applies the signal of a transfer that began at `start`. Transfers that were active at the last decrease
  /// do not lower the limit again, because they report the same overload.
  mutating func note(_ signal: HostSignal, begunAt start: Duration, now: Duration) {
    let isNew = loweredAt.map { start >= $0 } ?? true
    switch signal {
    case .served, .kept: break
    case .refused, .recovered:
      if isNew { lower(to: current / 2, now: now) }
    case .answered(let firstByte):
      let seconds = firstByte / .seconds(1)
      recent = usual == nil ? seconds : recent + (seconds - recent) * Self.shortMemory
      let usual = usual.map { $0 + (seconds - $0) * Self.longMemory } ?? seconds
      self.usual = usual
      guard isNew else { return }
      responses += 1
      guard responses >= current else { return }
      let threshold = max(usual * Self.tolerance, Self.unhurried / .seconds(1))
      if recent > threshold {
        // By at most a half at once.
        lower(to: Int(Double(current) * max(0.5, threshold / recent)), now: now)
      } else {
        responses = 0
        current = min(most, current + 1)
      }
    }
  }

  private mutating func lower(to limit: Int, now: Duration) {
    current = max(1, min(limit, current - 1))
    responses = 0
    loweredAt = now
  }
}
