/// A waiting time, which may be cut short. Its quantiles count every wait: one that was cut short never ended.
public enum WaitMetric: String, Sendable, Hashable, Codable, CodingKeyRepresentable, CaseIterable {
  /// From the first vsync with a row to the first with its image; cut short if the row left before.
  case timeToImage = "time_to_image"
  /// From the first vsync with a row to the first with its preview, or with its image if no preview came
  /// first; cut short if the row left before. Only for lists that show previews.
  case timeToPreview = "time_to_preview"
  /// From the start and each stop of the list (below 50 px/s for at least 300 ms) to the first vsync in which every
  /// visible row has its image; cut short by the next scroll. Unknown for images that are verified after the run.
  case settleTime = "settle_time"
  /// The same from the start of the run, even if the list moves on earlier.
  case firstScreen = "first_screen_complete"
  /// From the reuse of a slot to the end of the cancelled transfer for its former row.
  case cancelLatency = "cancel_latency"

  /// Returns the unit of the waits, in ticks per second.
  func ticksPerSecond(at refreshRate: Int) -> Int {
    self == .cancelLatency ? TransferTally.ticksPerSecond : refreshRate
  }
}

/// The estimate of a waiting time, in ms.
public struct WaitEstimate: Sendable, Hashable {
  /// A quantile of the waits.
  public enum Quantile: String, Sendable, CaseIterable {
    /// The 50th, 75th, 90th and 95th percentile.
    case p50, p75, p90, p95

    /// The probability of the quantile.
    var share: Double {
      switch self {
      case .p50: 0.50
      case .p75: 0.75
      case .p90: 0.90
      case .p95: 0.95
      }
    }
  }

  /// The number of waits.
  public let count: Int
  /// The number of waits that were cut short.
  public let cutShort: Int
  /// The longest wait that ended; nil without one.
  public let longestEnded: Double?
  /// The longest wait, cut short or not.
  public let longest: Double?
  private let quantiles: [Quantile: Double]
  private let intervals: [Quantile: ConfidenceInterval]

  /// The time within which the share of the quantile ended; nil if fewer waits ever did.
  public subscript(quantile: Quantile) -> Double? { quantiles[quantile] }

  /// Returns the 95 % confidence interval of a quantile; nil with fewer than ten replicas. A bound is infinite if some
  /// resamples of the replicas did not reach the quantile.
  public func interval(_ quantile: Quantile) -> ClosedRange<Double>? { confidence(quantile)?.range }

  /// Returns the confidence interval of a quantile; nil with fewer than ten replicas.
  package func confidence(_ quantile: Quantile) -> ConfidenceInterval? { intervals[quantile] }

  init(_ estimate: WaitDistribution, intervals: [Quantile: ConfidenceInterval] = [:]) {
    self.init(
      count: estimate.count, cutShort: estimate.cutShort,
      longestEnded: estimate.longestEnded?.milliseconds, longest: estimate.longest?.milliseconds,
      quantiles: Dictionary(
        uniqueKeysWithValues: Quantile.allCases.compactMap { quantile in
          estimate.quantile(quantile.share).map { (quantile, $0.milliseconds) }
        }), intervals: intervals)
  }

  init(
    count: Int, cutShort: Int, longestEnded: Double?, longest: Double?, quantiles: [Quantile: Double],
    intervals: [Quantile: ConfidenceInterval]
  ) {
    self.count = count
    self.cutShort = cutShort
    self.longestEnded = longestEnded
    self.longest = longest
    self.quantiles = quantiles
    self.intervals = intervals
  }
}

extension WaitEstimate: Codable {
  /// Writes the estimate in ms. A quantile that too few waits reached is null. `<quantile>_ci95` is the confidence interval
  /// of a quantile, if there is one.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: JSONKey.self)
    try object.encode("ms", forKey: "unit")
    try object.encode(Metric.Direction.lower, forKey: "better")
    try object.encode("cumulative-incidence", forKey: "estimator")
    try object.encode(count, forKey: "n")
    try object.encode(cutShort, forKey: "n_cut_short")
    try object.encode(longestEnded, forKey: "max_observed")
    try object.encode(longest, forKey: "max_waited")
    for quantile in Quantile.allCases {
      try object.encode(self[quantile], forKey: JSONKey(quantile.rawValue))
      if let interval = intervals[quantile] {
        try object.encode(interval, forKey: JSONKey(quantile.rawValue + "_ci95"))
      }
    }
  }

  /// Reads the output of ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: JSONKey.self)
    var quantiles: [Quantile: Double] = [:]
    var intervals: [Quantile: ConfidenceInterval] = [:]
    for quantile in Quantile.allCases {
      intervals[quantile] = try object.decodeIfPresent(
        ConfidenceInterval.self, forKey: JSONKey(quantile.rawValue + "_ci95"))
      quantiles[quantile] = try object.decodeIfPresent(Double.self, forKey: JSONKey(quantile.rawValue))
    }
    self.init(
      count: try object.located("n"), cutShort: try object.located("n_cut_short"),
      longestEnded: try object.decodeIfPresent(Double.self, forKey: "max_observed"),
      longest: try object.decodeIfPresent(Double.self, forKey: "max_waited"), quantiles: quantiles,
      intervals: intervals)
  }
}
