internal import Cellophane

/// The time that decoders worked, as it passes: kept are those at work, and an account for each picture.
struct DecodingTally: Sendable {
  private struct Work {
    let picture: PictureIdentity
    let start: Duration
    let phase: RunPhase
  }

  private var working: [Int: Work] = [:]
  private var spent: [PictureIdentity: PerPhase<Milliseconds>] = [:]

  /// Milliseconds, summed.
  struct Milliseconds: Additive {
    var value = 0.0

    static func += (sum: inout Milliseconds, other: Milliseconds) { sum.value += other.value }
  }

  /// Decoding `number` of the file of `picture` begins.
  mutating func begin(_ number: Int, of picture: PictureIdentity, at time: Duration, in phase: RunPhase) {
    working[number] = Work(picture: picture, start: time, phase: phase)
  }

  /// Decoding `number` ends.
  mutating func end(_ number: Int, at time: Duration) {
    guard let work = working.removeValue(forKey: number) else { return }
    spent[work.picture, default: PerPhase<Milliseconds>()][work.phase].value +=
      (time - work.start).milliseconds
  }

  /// The time that went into pictures of which the numbers are not `seen`, in ms; nil when decoders told nothing.
  func wasted(seen: Set<Int>) -> PerPhase<Milliseconds>? {
    guard !spent.isEmpty else { return nil }
    var wasted = PerPhase<Milliseconds>()
    // In an order of their own: sums of fractions depend on it.
    let unseen = spent.compactMap { picture, spent -> (number: Int, spent: PerPhase<Milliseconds>)? in
      guard case .row(let number, _) = picture, !seen.contains(number) else { return nil }
      return (number, spent)
    }
    for (_, spent) in unseen.sorted(by: { $0.number < $1.number }) {
      for phase in RunPhase.allCases { wasted[phase] += spent[phase] }
    }
    return wasted
  }
}
