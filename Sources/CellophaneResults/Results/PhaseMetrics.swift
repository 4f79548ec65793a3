internal import Cellophane

/// The metrics of Cellophane in one phase.
package struct PhaseMetrics: Sendable, Hashable, Codable {
  /// The phase.
  package let name: RunPhase
  /// The start of the first frame of the phase in any replica and the end of the last one, in ms from the
  /// start of the run. Other phases may be in between.
  package let from, to: Double
  /// The metrics; nil for those of complete runs.
  package let metrics: RunMetrics

  private enum CodingKeys: String, CodingKey {
    case name, metrics
    case from = "from_ms"
    case to = "to_ms"
  }

  /// Creates the metrics of phase `name` in the `replicas` that have it. Returns nil if none has it.
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

/// The waits of all replicas, counted by length.
package struct Histograms: Sendable, Hashable, Codable {
  /// The histogram of one kind of wait.
  package struct Waits: Sendable, Hashable, Codable {
    /// The lower edges of the bins, in ms. The last bin has no upper edge.
    package let edges: [Double]
    /// The number of waits in each bin that ended.
    package let counts: [Int]
    /// The number of waits in each bin that were cut short.
    package let cutShort: [Int]

    private enum CodingKeys: String, CodingKey {
      case counts
      case cutShort = "cut_short"
      case edges = "edges_ms"
    }

    /// One frame at 60 Hz times powers of two, from no wait to more than two seconds.
    static let edges = [0.0, 16, 33, 67, 133, 267, 533, 1067, 2133]

    init(_ waits: WaitHistogram, ticksPerSecond: Int) {
      var counts = Array(repeating: 0, count: Self.edges.count)
      var cutShort = counts
      for (ticks, count) in waits.counts {
        let length = Double(ticks) * 1_000 / Double(ticksPerSecond)
        let bin = (Self.edges.firstIndex { length < $0 } ?? Self.edges.count) - 1
        counts[bin] += count.ended
        cutShort[bin] += count.cutShort
      }
      edges = Self.edges
      self.counts = counts
      self.cutShort = cutShort
    }
  }

  /// The waits of rows for their images.
  package let timeToImage: Waits
  /// The waits for a complete screen after the start or a stop.
  package let settleTime: Waits

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
