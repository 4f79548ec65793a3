/// The waits of every replica, so that they can be estimated anew, compared or drawn: lossless, since they are counted
/// in ticks.
public struct WaitSamples: Sendable, Hashable, Codable {
  /// The waits of one replica, by length.
  public struct Replica: Sendable, Hashable, Codable {
    /// The lengths that occur, in ticks, shortest first.
    public let ticks: [Int]
    /// How many waits of that length ended with what was waited for.
    public let over: [Int]
    /// How many were cut short.
    public let cut: [Int]

    init(_ waits: WaitHistogram) {
      let sorted = waits.sorted
      ticks = sorted.map(\.ticks)
      over = sorted.map(\.count.over)
      cut = sorted.map(\.count.cut)
    }

    /// The waits; nil when they contradict one another.
    var waits: WaitHistogram? {
      // Sums of them over a thousand replicas stay far from overflow.
      let counts = 0...1_000_000_000
      guard over.count == ticks.count, cut.count == ticks.count, Set(ticks).count == ticks.count,
        (ticks + over + cut).allSatisfy(counts.contains)
      else { return nil }
      return WaitHistogram(
        Dictionary(
          uniqueKeysWithValues: ticks.indices.map { (ticks[$0], .init(over: over[$0], cut: cut[$0])) }))
    }
  }

  /// How many ticks a second has.
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
