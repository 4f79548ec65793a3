internal import Cellophane

/// The decoding time of a run. Keeps the running decodings and one sum for each image.
struct DecodingTally: Sendable {
  private struct Work {
    let picture: PictureIdentity
    let start: Duration
    let phase: RunPhase
  }

  private var working: [Int: Work] = [:]
  private var spent: [PictureIdentity: PerPhase<Milliseconds>] = [:]

  /// A sum of milliseconds.
  struct Milliseconds: Additive {
    var value = 0.0

    static func += (sum: inout Milliseconds, other: Milliseconds) { sum.value += other.value }
  }

  /// Adds the start of decoding `number`, of the file of `picture`.
  mutating func begin(_ number: Int, of picture: PictureIdentity, at time: Duration, in phase: RunPhase) {
    working[number] = Work(picture: picture, start: time, phase: phase)
  }

  /// Adds the end of decoding `number`.
  mutating func end(_ number: Int, at time: Duration) {
    guard let work = working.removeValue(forKey: number) else { return }
    spent[work.picture, default: PerPhase<Milliseconds>()][work.phase].value +=
      (time - work.start).milliseconds
  }

  /// Returns the decoding time of images whose numbers are not in `seen`, in ms; nil if decoders reported
  /// nothing.
  func wasted(seen: Set<Int>) -> PerPhase<Milliseconds>? {
    guard !spent.isEmpty else { return nil }
    var wasted = PerPhase<Milliseconds>()
    // Sorted, because sums of fractions depend on the order.
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
