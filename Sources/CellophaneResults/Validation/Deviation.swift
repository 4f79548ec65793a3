/// The deviation of modeled times from measured times.
package struct Deviation: Sendable, Hashable, Codable {
  /// Quantiles of the times of one side, in ms.
  package struct Quantiles: Sendable, Hashable, Codable {
    /// The median.
    package let p50: Double
    /// The 95th percentile.
    package let p95: Double

    /// Computes the quantiles of `times` by the nearest rank. `times` are sorted and not empty.
    init(_ times: [Double]) {
      p50 = Self.rank(0.5, of: times)
      p95 = Self.rank(0.95, of: times)
    }

    private static func rank(_ share: Double, of times: [Double]) -> Double {
      times[max(0, Int((share * Double(times.count)).rounded(.up)) - 1)]
    }
  }

  /// The measured times.
  package let real: Quantiles
  /// The modeled times.
  package let virtual: Quantiles
  /// The maximum distance of the two distributions (Kolmogorov-Smirnov): 0 if they are equal, 1 if they do
  /// not overlap.
  package let distance: Double
  /// The median absolute error of the model for one transfer, in ms.
  package let typicalError: Double

  /// The median of the model minus the measured median, in ms.
  package var medianError: Double { virtual.p50 - real.p50 }

  private enum CodingKeys: String, CodingKey {
    case real = "real_ms"
    case virtual = "virtual_ms"
    case distance = "ks"
    case typicalError = "median_abs_error_ms"
  }

  /// Computes the deviation of pairs of times, in ms. Returns nil without pairs.
  package init?(_ pairs: [(real: Double, virtual: Double)]) {
    guard !pairs.isEmpty else { return nil }
    let real = pairs.map(\.real).sorted()
    let virtual = pairs.map(\.virtual).sorted()
    self.real = Quantiles(real)
    self.virtual = Quantiles(virtual)
    distance = Self.distance(real, virtual)
    typicalError = Quantiles(pairs.map { abs($0.virtual - $0.real) }.sorted()).p50
  }

  /// Returns the Kolmogorov-Smirnov distance of two sorted samples. O(n).
  static func distance(_ first: [Double], _ second: [Double]) -> Double {
    var (i, j, distance) = (0, 0, 0.0)
    while i < first.count, j < second.count {
      let value = min(first[i], second[j])
      while i < first.count, first[i] == value { i += 1 }
      while j < second.count, second[j] == value { j += 1 }
      distance = max(
        distance, abs(Double(i) / Double(first.count) - Double(j) / Double(second.count)))
    }
    return distance
  }
}
