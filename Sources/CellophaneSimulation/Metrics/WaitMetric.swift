/// Something that was waited for, which some did not live to see: judged by the Kaplan-Meier estimate.
public enum WaitMetric: String, Sendable, Hashable, Codable, CodingKeyRepresentable, CaseIterable {
  /// From the first vsync with a row to the first with its picture; cut short when the row left before.
  case timeToImage = "time_to_image"
  /// From the first vsync with a row to the first with a preview of its picture, or with the picture where no preview
  /// came before; cut short when the row left before. Of lists that show previews.
  case timeToPreview = "time_to_preview"
  /// From each stop of the list (slower than 50 px/s, for 300 ms or longer) to the first vsync at which every visible
  /// row has its picture; cut short by the next scroll. Not measured where pictures are proven afterwards.
  case settleTime = "settle_time"
  /// The same from the start, however soon the list moves on.
  case firstScreen = "first_screen_complete"
  /// From a slot's reuse to the end of the transfer that it had waited for, of those that were given up.
  case cancelLatency = "cancel_latency"

  /// What the waits are counted in.
  func ticksPerSecond(at refreshRate: Int) -> Int {
    self == .cancelLatency ? TransferTally.ticksPerSecond : refreshRate
  }
}

/// The estimate of how long something was waited for, in ms.
public struct WaitEstimate: Sendable, Hashable {
  /// A quantile of the waits.
  public enum Quantile: String, Sendable, CaseIterable {
    /// 50 %, 75 %, 90 %, 95 %.
    case p50, p75, p90, p95

    /// What it is the quantile of.
    var share: Double {
      switch self {
      case .p50: 0.50
      case .p75: 0.75
      case .p90: 0.90
      case .p95: 0.95
      }
    }
  }

  /// The waits that were measured.
  public let count: Int
  /// How many were cut short.
  public let censored: Int
  /// The longest wait that ended; nil without any.
  public let longestOver: Double?
  /// The longest wait, cut short or not: what a quantile that is not known is larger than.
  public let longest: Double?
  private let quantiles: [Quantile: Double]
  private let intervals: [Quantile: ConfidenceInterval]

  /// The wait that the share was over within; nil when too many were cut short.
  public subscript(quantile: Quantile) -> Double? { quantiles[quantile] }

  /// Where the quantile lies; nil for less than six replicas.
  public func interval(_ quantile: Quantile) -> ConfidenceInterval? { intervals[quantile] }

  init(_ estimate: KaplanMeier, intervals: [Quantile: ConfidenceInterval] = [:]) {
    self.init(
      count: estimate.count, censored: estimate.censored,
      longestOver: estimate.longestOver?.milliseconds, longest: estimate.longest?.milliseconds,
      quantiles: Dictionary(
        uniqueKeysWithValues: Quantile.allCases.compactMap { quantile in
          estimate.quantile(quantile.share).map { (quantile, $0.milliseconds) }
        }), intervals: intervals)
  }

  init(
    count: Int, censored: Int, longestOver: Double?, longest: Double?, quantiles: [Quantile: Double],
    intervals: [Quantile: ConfidenceInterval]
  ) {
    self.count = count
    self.censored = censored
    self.longestOver = longestOver
    self.longest = longest
    self.quantiles = quantiles
    self.intervals = intervals
  }
}

extension WaitEstimate: Codable {
  /// Milliseconds. A quantile that is not known is null, and has a `<quantile>_bound` that says what it is
  /// greater than; `<quantile>_ci95` is its interval, if there is one.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: JSONKey.self)
    try object.encode("ms", forKey: "unit")
    try object.encode(Metric.Direction.lower, forKey: "better")
    try object.encode("kaplan-meier", forKey: "estimator")
    try object.encode(count, forKey: "n")
    try object.encode(censored, forKey: "n_censored")
    try object.encode(longestOver, forKey: "max_observed")
    try object.encode(longest, forKey: "max_waited")
    for quantile in Quantile.allCases {
      let value = self[quantile]
      try object.encode(value, forKey: JSONKey(quantile.rawValue))
      if value == nil, let longest {
        try object.encode(">\(longest)", forKey: JSONKey(quantile.rawValue + "_bound"))
      }
      if let interval = intervals[quantile] {
        try object.encode(interval, forKey: JSONKey(quantile.rawValue + "_ci95"))
      }
    }
  }

  /// Reads what ``encode(to:)`` writes.
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
      count: try object.located("n"), censored: try object.located("n_censored"),
      longestOver: try object.decodeIfPresent(Double.self, forKey: "max_observed"),
      longest: try object.decodeIfPresent(Double.self, forKey: "max_waited"), quantiles: quantiles,
      intervals: intervals)
  }
}
