/// A 95 % confidence interval of a number that was estimated from replicas; in JSON `[low, high]`. An end is
/// nil if it lies beyond all measured values, because a quantile was not reached in some of the resamples.
package struct ConfidenceInterval: Sendable, Hashable, Codable {
  /// The lower end.
  package let low: Double?
  /// The upper end.
  package let high: Double?

  /// Creates an interval between two ends; nil for an unknown end.
  init(low: Double?, high: Double?) {
    self.low = low
    self.high = high
  }

  /// Creates the interval that leaves out the share `tail` of `samples` at each end; nil if there are no samples. A sample
  /// may be infinite. The ends are interpolated between samples (Hyndman and Fan 1996, definition 7, the
  /// default of most software).
  init?(ofSamples samples: [Double], tail: Double = 0.025) {
    guard !samples.isEmpty else { return nil }
    // Selection instead of sorting: to sort takes longer than to draw the samples.
    var samples = samples
    var start = 0
    func quantile(_ share: Double) -> Double? {
      let position = share * Double(samples.count - 1)
      let below = samples.select(Int(position), from: start)
      start = Int(position)
      let above = samples[(start + 1)...].min() ?? below
      let value = below == above ? below : below + (above - below) * (position - position.rounded(.down))
      return value.isFinite ? value : nil
    }
    low = quantile(tail)
    high = quantile(1 - tail)
  }

  /// True if the interval contains 0. The sign of the number is then uncertain.
  package var coversZero: Bool { (low ?? -.infinity) <= 0 && (high ?? .infinity) >= 0 }

  /// Half of the interval's width; nil if an end is unknown.
  package var halfWidth: Double? { low.flatMap { low in high.map { ($0 - low) / 2 } } }

  /// The interval as a range, with an infinite bound for an unknown end; nil if the ends are not in order.
  package var range: ClosedRange<Double>? {
    let (low, high) = (low ?? -.infinity, high ?? .infinity)
    return low <= high ? low...high : nil
  }

  /// Decodes an array of two numbers or nulls.
  package init(from decoder: any Decoder) throws {
    var ends = try decoder.unkeyedContainer()
    low = try ends.decodeIfPresent(Double.self)
    high = try ends.decodeIfPresent(Double.self)
  }

  /// Encodes the format that ``init(from:)`` decodes.
  package func encode(to encoder: any Encoder) throws {
    var ends = encoder.unkeyedContainer()
    for end in [low, high] {
      if let end { try ends.encode(end) } else { try ends.encodeNil() }
    }
  }
}
