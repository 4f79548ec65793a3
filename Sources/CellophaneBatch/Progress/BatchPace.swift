/// The rate and the remaining time of a batch, from about the last ten seconds: cached records are a hundred
/// times as fast as others. Pure.
package struct BatchPace: Sendable {
  private struct Sample {
    let time: Duration
    let records: Int
    let bytes: Int
    let share: Double?
  }

  /// The time for which a sample counts. 10 s: the rate is stable enough to read and still follows changes.
  private static let window = Duration.seconds(10)
  /// The minimum time between two samples.
  private static let interval = Duration.seconds(1)

  private var samples: [Sample] = [Sample(time: .zero, records: 0, bytes: 0, share: 0)]
  private var last = Sample(time: .zero, records: 0, bytes: 0, share: 0)

  package init() {}

  /// Adds the progress at `time`; `share` is the completed share of the list, if known.
  package mutating func note(records: Int, bytes: Int, share: Double?, at time: Duration) {
    last = Sample(time: time, records: records, bytes: bytes, share: share)
    guard let newest = samples.last, time - newest.time >= Self.interval else { return }
    samples.append(last)
    while samples.count > 1, time - samples[1].time >= Self.window { samples.removeFirst() }
  }

  /// The rate of records; nil in the first 100 ms.
  package var recordsPerSecond: Double? { rate { Double($0.records) } }

  /// The rate of bytes; nil in the first 100 ms.
  package var bytesPerSecond: Double? { rate { Double($0.bytes) } }

  /// The remaining time at this rate; nil if the length of the list is unknown or the rate is 0.
  package var remaining: Duration? {
    guard let share = last.share, samples.allSatisfy({ $0.share != nil }),
      let pace = rate({ $0.share ?? 0 }), pace > 0
    else { return nil }
    // At most 100 days: a longer estimate means nothing.
    return .seconds(min(max(0, 1 - share) / pace, 8_640_000))
  }

  private func rate(_ value: (Sample) -> Double) -> Double? {
    guard let first = samples.first, last.time - first.time >= .milliseconds(100) else { return nil }
    return (value(last) - value(first)) / ((last.time - first.time) / .seconds(1))
  }
}
