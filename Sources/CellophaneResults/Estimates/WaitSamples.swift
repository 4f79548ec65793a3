/// The waits of every replica, for new estimates and comparisons. They are lossless, because waits are
/// counted in ticks.
package struct WaitSamples: Sendable, Hashable, Codable {
  /// The waits of one replica, by length.
  package struct Replica: Sendable, Hashable, Codable {
    /// The lengths that occur, in ticks, ascending.
    package let ticks: [Int]
    /// The number of waits of each length that ended.
    package let ended: [Int]
    /// The number of waits of each length that were cut short.
    package let cutShort: [Int]

    private enum CodingKeys: String, CodingKey {
      case ticks
      case ended = "over"
      case cutShort = "cut"
    }

    init(_ waits: WaitHistogram) {
      let sorted = waits.sorted
      ticks = sorted.map(\.ticks)
      ended = sorted.map(\.count.ended)
      cutShort = sorted.map(\.count.cutShort)
    }

    /// The waits; nil if the columns are inconsistent.
    var waits: WaitHistogram? {
      // The sum over a thousand replicas does not overflow.
      let counts = 0...1_000_000_000
      guard ended.count == ticks.count, cutShort.count == ticks.count, Set(ticks).count == ticks.count,
        (ticks + ended + cutShort).allSatisfy(counts.contains)
      else { return nil }
      return WaitHistogram(
        Dictionary(
          uniqueKeysWithValues: ticks.indices.map {
            (ticks[$0], WaitHistogram.Count(ended: ended[$0], cutShort: cutShort[$0]))
          }))
    }
  }

  /// The number of ticks per second.
  package let ticksPerSecond: Int
  /// The replicas, in the order of their seeds.
  package let replicas: [Replica]

  private enum CodingKeys: String, CodingKey {
    case replicas
    case ticksPerSecond = "ticks_per_s"
  }

  init(_ replicas: [WaitHistogram], ticksPerSecond: Int) {
    self.ticksPerSecond = ticksPerSecond
    self.replicas = replicas.map { Replica($0) }
  }
}
