/// What one transfer says of its host.
package enum HostSign: Equatable, Sendable {
  /// It answered, the first byte after so long.
  case answered(firstByte: Duration)
  /// The same, after it had refused once or more.
  case recovered
  /// It answered, which says nothing of how fast it is.
  case served
  /// Nobody asked it: what it was to be asked for was kept.
  case kept
  /// It asked for a pause (429, 503), or there was no answer.
  case refused
}

/// How many transfers one host gets at once: all that it may have, fewer while it is in trouble. Pure.
///
/// Additive increase and multiplicative decrease, as TCP has it (Chiu and Jain, Computer Networks and ISDN Systems 17,
/// 1989). A host that refuses gets half; one whose first bytes take longer than is usual for it gets less in proportion,
/// as in Netflix's gradient limit (concurrency-limits, Gradient2). Each full round of good answers gives one back.
struct HostLimit: Equatable {
  /// Below that nobody's host is in trouble, whatever is usual for it: a tenth of a second, at which waiting is first
  /// felt (Nielsen, Usability Engineering, 1993), is two or three round trips around the world.
  static let unhurried: Duration = .milliseconds(100)

  /// How many times as slow as usual is slow. 2: what Gradient2 allows at most, queues of its own making included.
  static let tolerance = 2.0

  // An answer's weight in what is usual, and in what is so now. 1/64 forgets within some hundred answers, so that a host
  // that has become slower for good is soon at its ease again; 1/8 sees trouble within some ten.
  private static let (longMemory, shortMemory) = (1.0 / 64, 1.0 / 8)

  /// As many as there may be.
  let most: Int
  /// As many as there may be now.
  private(set) var current: Int

  // Seconds to the first byte.
  private var usual: Double?
  private var recent = 0.0
  // Answers since the limit was changed last.
  private var answers = 0
  private var changedAt: Duration?

  /// - Parameter most: As many as there may be at once; at least 1.
  init(most: Int) {
    self.most = max(1, most)
    current = self.most
  }

  /// Takes in what a transfer that began at `start` said. Those that were under way when the limit was lowered say
  /// nothing new, so they lower it no further.
  mutating func note(_ sign: HostSign, begunAt start: Duration, now: Duration) {
    let isNews = changedAt.map { start >= $0 } ?? true
    switch sign {
    case .served, .kept: break
    case .refused, .recovered:
      if isNews { lower(to: current / 2, now: now) }
    case .answered(let firstByte):
      let seconds = firstByte / .seconds(1)
      recent = usual == nil ? seconds : recent + (seconds - recent) * Self.shortMemory
      let usual = usual.map { $0 + (seconds - $0) * Self.longMemory } ?? seconds
      self.usual = usual
      guard isNews else { return }
      answers += 1
      guard answers >= current else { return }
      let bearable = max(usual * Self.tolerance, Self.unhurried / .seconds(1))
      if recent > bearable {
        // Never by more than half at once.
        lower(to: Int(Double(current) * max(0.5, bearable / recent)), now: now)
      } else {
        answers = 0
        current = min(most, current + 1)
      }
    }
  }

  private mutating func lower(to limit: Int, now: Duration) {
    current = max(1, min(limit, current - 1))
    answers = 0
    changedAt = now
  }
}
