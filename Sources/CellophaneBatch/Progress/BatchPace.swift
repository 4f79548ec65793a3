/// How fast a batch goes, and how long it still takes: by the last ten seconds or so, because what is in the cache goes
/// a hundred times as fast as what is not. Pure.
package struct BatchPace: Sendable {
  private struct Sample {
    let time: Duration
    let lines: Int
    let bytes: Int
    let share: Double?
  }

  /// How long a sample counts. 10 s: a number that can be read, and follows what happens.
  private static let window = Duration.seconds(10)
  /// The shortest time between two samples.
  private static let interval = Duration.seconds(1)

  private var samples: [Sample] = [Sample(time: .zero, lines: 0, bytes: 0, share: 0)]
  private var last = Sample(time: .zero, lines: 0, bytes: 0, share: 0)

  package init() {}

  /// Says how far the batch is at `time`; `share` of the whole, if that is known.
  package mutating func note(lines: Int, bytes: Int, share: Double?, at time: Duration) {
    last = Sample(time: time, lines: lines, bytes: bytes, share: share)
    guard let newest = samples.last, time - newest.time >= Self.interval else { return }
    samples.append(last)
    while samples.count > 1, time - samples[1].time >= Self.window { samples.removeFirst() }
  }

  /// Nil before there is anything to measure.
  package var linesPerSecond: Double? { rate { Double($0.lines) } }

  /// Nil before there is anything to measure.
  package var bytesPerSecond: Double? { rate { Double($0.bytes) } }

  /// How long the rest takes at this pace; nil when the length of the list is not known, or nothing moves.
  package var left: Duration? {
    guard let share = last.share, samples.allSatisfy({ $0.share != nil }),
      let pace = rate({ $0.share ?? 0 }), pace > 0
    else { return nil }
    // 100 days: beyond, nothing is known.
    return .seconds(min(max(0, 1 - share) / pace, 8_640_000))
  }

  private func rate(_ value: (Sample) -> Double) -> Double? {
    guard let first = samples.first, last.time - first.time >= .milliseconds(100) else { return nil }
    return (value(last) - value(first)) / ((last.time - first.time) / .seconds(1))
  }
}
