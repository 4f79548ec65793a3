/// What one loader did in one run.
public struct RunMetrics: Sendable, Hashable {
  /// How long rows waited for their pictures, in ms from the first vsync with the row to the first with its
  /// picture; from the Kaplan–Meier estimate, in which rows that left before count as having waited at
  /// least so long.
  public struct TimeToImage: Sendable, Hashable {
    /// A quantile of the waits.
    public enum Quantile: String, Sendable, CaseIterable {
      /// 50 %, 75 %, 90 %, 95 %.
      case p50, p75, p90, p95

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

    /// The wait that the share of rows did not exceed; nil when too many left before their picture came.
    public subscript(quantile: Quantile) -> Double? { quantiles[quantile] }

    init(_ estimate: KaplanMeier) {
      self.init(
        count: estimate.count, censored: estimate.censored,
        longestOver: estimate.longestOver?.milliseconds, longest: estimate.longest?.milliseconds,
        quantiles: Dictionary(
          uniqueKeysWithValues: Quantile.allCases.compactMap { quantile in
            estimate.quantile(quantile.share).map { (quantile, $0.milliseconds) }
          }))
    }

    init(count: Int, censored: Int, longestOver: Double?, longest: Double?, quantiles: [Quantile: Double]) {
      self.count = count
      self.censored = censored
      self.longestOver = longestOver
      self.longest = longest
      self.quantiles = quantiles
    }
  }

  /// How long rows waited.
  public let timeToImage: TimeToImage
  private let values: [Metric: Double]

  /// The value of `metric`; nil when it could not be measured.
  public subscript(metric: Metric) -> Double? { values[metric] }

  init(timeToImage: TimeToImage, values: [Metric: Double]) {
    self.timeToImage = timeToImage
    self.values = values
  }
}
