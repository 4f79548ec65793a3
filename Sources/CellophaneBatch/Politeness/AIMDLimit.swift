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
  /// No request was sent, because the circuit of the host was open.
  case rejected
  /// The host answered 429 without the length of a pause: it may have a limit of requests per second.
  case limited
  /// The host requested a pause of this length, for the record alone or for all: it may have a limit of requests per second.
  case paused(Duration, isOfRecord: Bool)
  /// The host again answered 429, or requested a pause, for a record that it had refused before, and answers others.
  case limitedAgain
  /// The host answered 503 without the length of a pause: it may have a limit of requests per second or of concurrent
  /// requests, or the resource fails.
  case unavailable
  /// The host answered with another temporary error, or closed the connection.
  case failed
  /// The host could not be reached.
  case refused
  /// The host did not respond in time, nor to other requests.
  case silent
}

/// The limit of concurrent transfers of one host. Pure.
///
/// Additive increase and multiplicative decrease, as in TCP (Chiu and Jain, Computer Networks and ISDN
/// Systems 17, 1989). A refusal halves the limit. First bytes that take longer than usual for the host lower
/// it in proportion, as Netflix's gradient limit does (concurrency-limits, Gradient2). Each full round of
/// good responses raises it by one. Timeouts halve it until the next response: that response shows that the
/// timeouts concerned their resources.
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

  /// The limit for the half-open probe. Timeouts do not lower it: the records that do not respond must not hold up the
  /// record whose response shows that the host works.
  var ofProbe: Int { beforeSilence ?? current }

  // The usual and the recent time to the first byte, in seconds.
  private var usual: Double?
  private var recent = 0.0
  // The responses since the last change of the limit.
  private var responses = 0
  // The time of the last decrease.
  private var loweredAt: Duration?
  // The limit before the timeouts since the last response; nil without a timeout.
  private var beforeSilence: Int?

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
    case .kept, .rejected, .limitedAgain: break
    case .served: endSilence()
    case .silent:
      beforeSilence = beforeSilence ?? current
      if isNew { lower(to: current / 2, now: now) }
    case .refused, .failed, .unavailable, .limited, .paused, .recovered:
      beforeSilence = nil
      if isNew { lower(to: current / 2, now: now) }
    case .answered(let firstByte):
      endSilence()
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

  private mutating func endSilence() {
    if let limit = beforeSilence.take() { current = max(current, limit) }
  }

  private mutating func lower(to limit: Int, now: Duration) {
    current = max(1, min(limit, current - 1))
    responses = 0
    loweredAt = now
  }
}
