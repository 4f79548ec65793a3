internal import Cellophane

/// What this loader did in one phase.
public struct PhaseMetrics: Sendable, Hashable, Codable {
  /// Which one.
  public let name: RunPhase
  /// From the first frame of the phase in any replica until the end of its last, in ms from the start of the run;
  /// others may lie between.
  public let from, to: Double
  /// What it did; what is only measured of whole runs is nil.
  public let metrics: RunMetrics

  private enum CodingKeys: String, CodingKey {
    case name, metrics
    case from = "from_ms"
    case to = "to_ms"
  }

  /// What it did in `name` in those of `replicas` that had such a phase; nil when none had.
  init?(_ name: RunPhase, in replicas: [RunMeasurement]) {
    let phases = replicas.compactMap { $0.phases.first { $0.phase == name } }
    guard let from = phases.map(\.from).min(), let to = phases.map(\.to).max() else { return nil }
    self.name = name
    self.from = from.milliseconds
    self.to = to.milliseconds
    metrics = RunMetrics(phases.map(\.measurement))
  }
}

extension RunPhase: Codable {}

/// How long was waited, counted by length, over all replicas.
public struct Histograms: Sendable, Hashable, Codable {
  /// Waits by length.
  public struct Waits: Sendable, Hashable, Codable {
    /// Where the bins begin, in ms; the last has no end.
    public let edges: [Double]
    /// The waits that ended with what was waited for.
    public let counts: [Int]
    /// The waits that were cut short.
    public let censored: [Int]

    private enum CodingKeys: String, CodingKey {
      case counts, censored
      case edges = "edges_ms"
    }

    /// Powers of two of a frame at 60 Hz: from not at all to more than anybody waits.
    static let edges = [0.0, 16, 33, 67, 133, 267, 533, 1067, 2133]

    init(_ waits: WaitHistogram, ticksPerSecond: Int) {
      var counts = Array(repeating: 0, count: Self.edges.count)
      var censored = counts
      for (ticks, count) in waits.counts {
        let length = Double(ticks) * 1_000 / Double(ticksPerSecond)
        let bin = (Self.edges.firstIndex { length < $0 } ?? Self.edges.count) - 1
        counts[bin] += count.over
        censored[bin] += count.cut
      }
      edges = Self.edges
      self.counts = counts
      self.censored = censored
    }
  }

  /// For pictures.
  public let timeToImage: Waits
  /// For all visible rows after a stop.
  public let settleTime: Waits

  private enum CodingKeys: String, CodingKey {
    case timeToImage = "time_to_image"
    case settleTime = "settle_time"
  }

  init(_ replicas: [Measurement]) {
    func waits(_ metric: WaitMetric) -> Waits {
      Waits(
        replicas.waits(metric).reduce(into: WaitHistogram()) { $0 += $1 },
        ticksPerSecond: replicas.ticksPerSecond(metric))
    }
    timeToImage = waits(.timeToImage)
    settleTime = waits(.settleTime)
  }
}
