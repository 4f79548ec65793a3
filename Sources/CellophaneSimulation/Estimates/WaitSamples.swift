/// The waits of every replica, for new estimates and comparisons. They are lossless, because waits are
/// counted in ticks.
public struct WaitSamples: Sendable, Hashable, Codable {
  /// The waits of one replica, by length.
  public struct Replica: Sendable, Hashable, Codable {
    /// The lengths that occur, in ticks, ascending.
    public let ticks: [Int]
    /// The number of waits of each length that were not censored.
    public let over: [Int]
    /// The number of waits of each length that were censored.
    public let cut: [Int]

    init(_ waits: WaitHistogram) {
      let sorted = waits.sorted
      ticks = sorted.map(\.ticks)
      over = sorted.map(\.count.ended)
      cut = sorted.map(\.count.censored)
    }

    /// The waits; nil if the columns are inconsistent.
    var waits: WaitHistogram? {
      // The sum over a thousand replicas does not overflow.
      let counts = 0...1_000_000_000
      guard over.count == ticks.count, cut.count == ticks.count, Set(ticks).count == ticks.count,
        (ticks + over + cut).allSatisfy(counts.contains)
      else { return nil }
      return WaitHistogram(
        Dictionary(
          uniqueKeysWithValues: ticks.indices.map { (ticks[$0], .init(ended: over[$0], censored: cut[$0])) }))
    }
  }

  /// The number of ticks per second.
  public let ticksPerSecond: Int
  /// The replicas, in the order of their seeds.
  public let replicas: [Replica]

  private enum CodingKeys: String, CodingKey {
    case replicas
    case ticksPerSecond = "ticks_per_s"
  }

  init(_ replicas: [WaitHistogram], ticksPerSecond: Int) {
    self.ticksPerSecond = ticksPerSecond
    self.replicas = replicas.map { Replica($0) }
  }
}
