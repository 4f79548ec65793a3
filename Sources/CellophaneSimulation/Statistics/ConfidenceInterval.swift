/// Where a number lies that was estimated from replicas, with a confidence of 95 %: as JSON `[low, high]`. An end that
/// is not known, because a quantile was not reached in some of the samples, is nil and lies beyond everything measured.
public struct ConfidenceInterval: Sendable, Hashable, Codable {
  /// The lower end.
  public let low: Double?
  /// The upper end.
  public let high: Double?

  /// The interval between two ends; nil for one that is not known.
  init(low: Double?, high: Double?) {
    self.low = low
    self.high = high
  }

  /// The interval that holds the middle 95 % of `samples`, the largest of which may be infinite; nil without any.
  /// Between two samples it is interpolated (Hyndman and Fan 1996, definition 7, as most software does).
  init?(ofSamples samples: [Double]) {
    guard !samples.isEmpty else { return nil }
    // Not sorted as a whole, which takes longer than to draw the samples.
    var samples = samples
    var start = 0
    func quantile(_ share: Double) -> Double? {
      let place = share * Double(samples.count - 1)
      let below = samples.select(Int(place), from: start)
      start = Int(place)
      let above = samples[(start + 1)...].min() ?? below
      let value = below == above ? below : below + (above - below) * (place - place.rounded(.down))
      return value.isFinite ? value : nil
    }
    low = quantile(0.025)
    high = quantile(0.975)
  }

  /// True when 0 may be the number: then nothing can be said of its sign.
  public var coversZero: Bool { (low ?? -.infinity) <= 0 && (high ?? .infinity) >= 0 }

  /// Half of its width; nil when an end is not known.
  var halfWidth: Double? { low.flatMap { low in high.map { ($0 - low) / 2 } } }

  /// Two numbers or nulls.
  public init(from decoder: any Decoder) throws {
    var ends = try decoder.unkeyedContainer()
    low = try ends.decodeIfPresent(Double.self)
    high = try ends.decodeIfPresent(Double.self)
  }

  /// Writes what ``init(from:)`` reads.
  public func encode(to encoder: any Encoder) throws {
    var ends = encoder.unkeyedContainer()
    for end in [low, high] {
      if let end { try ends.encode(end) } else { try ends.encodeNil() }
    }
  }
}
