#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Student's t distribution and the normal distribution, for the correction of percentile intervals.
enum StudentT {
  /// Returns the probability that a t variable with `freedom` degrees of freedom is farther from 0 than `value`. O(freedom).
  ///
  /// Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
  static func twoSidedTail(_ value: Double, freedom: Int) -> Double {
    let angle = atan(abs(value) / Double(freedom).squareRoot())
    let (sine, cosine) = (sin(angle), cos(angle))
    var (term, sum) = (1.0, 0.0)
    let isOdd = freedom % 2 == 1
    for step in 0..<freedom / 2 {
      sum += term
      let numerator = Double(2 * step + (isOdd ? 2 : 1))
      term *= numerator / (numerator + 1) * cosine * cosine
    }
    return max(0, 1 - (isOdd ? 2 / .pi * (angle + sine * cosine * sum) : sine * sum))
  }

  /// Returns the value that a t variable exceeds with the probability `tail`, 0 to 1/2.
  static func quantile(tail: Double, freedom: Int) -> Double {
    solve { twoSidedTail($0, freedom: freedom) / 2 > tail }
  }

  /// Returns the probability that a normal variable exceeds `value`.
  static func normalTail(_ value: Double) -> Double { erfc(value / 2.squareRoot()) / 2 }

  /// Returns the value that a normal variable exceeds with the probability `tail`, 0 to 1/2.
  static func normalQuantile(tail: Double) -> Double { solve { normalTail($0) > tail } }

  /// Returns the value between 0 and 1 000 at which the condition turns false, by bisection.
  private static func solve(_ isBelow: (Double) -> Bool) -> Double {
    var (low, high) = (0.0, 1_000.0)
    // 1 000 · 2⁻⁶⁰ is below 10⁻¹⁵.
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if isBelow(middle) { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}

extension Estimate {
  /// Returns the estimate of a number of `count` replicas from its value in each resample.
  ///
  /// A percentile interval is too narrow: in effect, it uses the normal distribution and divides the variance by n. The tails
  /// here correct both for a mean (Hesterberg, "What Teachers Should Know about the Bootstrap", The American
  /// Statistician 69, 2015: expanded percentile interval).
  init(percentilesOf samples: [Double], count: Int) {
    let widening = (Double(count) / Double(count - 1)).squareRoot()
    let tail = StudentT.normalTail(widening * StudentT.quantile(tail: 0.025, freedom: count - 1))
    let p = samples.isEmpty ? nil : Self.p(of: 0, among: samples)
    self.init(
      interval: ConfidenceInterval(ofSamples: samples, tail: tail),
      p: p.map { p in
        p >= 1
          ? 1 : StudentT.twoSidedTail(StudentT.normalQuantile(tail: p / 2) / widening, freedom: count - 1)
      })
  }
}
