#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A mapping of numbers to coordinates along an axis.
struct Scale: Sendable {
  /// The kind of mapping: equal distances for equal differences, or for equal factors.
  enum Kind: Sendable { case linear, logarithmic }

  let kind: Kind
  /// The range of numbers.
  let domain: ClosedRange<Double>
  /// The coordinates of the lower and the upper bound of ``domain``. `start` can be larger than `end`.
  let start, end: Double

  /// Creates a scale over `domain`. An empty interval is widened.
  init(_ domain: ClosedRange<Double>, to start: Double, _ end: Double, kind: Kind = .linear) {
    self.kind = kind
    let widest = max(domain.upperBound, domain.lowerBound + max(abs(domain.lowerBound) * 1e-9, 1e-9))
    self.domain = domain.lowerBound...widest
    self.start = start
    self.end = end
  }

  /// Returns the coordinate of `value`. A value outside of the domain gets the coordinate of the nearer end.
  func callAsFunction(_ value: Double) -> Double {
    let value = min(max(value, domain.lowerBound), domain.upperBound)
    let share =
      switch kind {
      case .linear: (value - domain.lowerBound) / (domain.upperBound - domain.lowerBound)
      case .logarithmic: log(value / domain.lowerBound) / log(domain.upperBound / domain.lowerBound)
      }
    return start + (end - start) * share
  }

  /// Returns about `count` round numbers within the domain.
  func ticks(about count: Int) -> [Double] {
    switch kind {
    case .linear: linearTicks(about: count)
    case .logarithmic: logarithmicTicks(about: count)
    }
  }

  private func linearTicks(about count: Int) -> [Double] {
    let rough = (domain.upperBound - domain.lowerBound) / Double(max(1, count))
    let magnitude = pow(10, log10(rough).rounded(.down))
    let step = [1, 2, 5, 10].map { $0 * magnitude }.first { $0 >= rough } ?? rough
    let first = Int((domain.lowerBound / step - 1e-9).rounded(.up))
    let last = Int((domain.upperBound / step + 1e-9).rounded(.down))
    guard first <= last, last - first < 100 else { return [] }
    return (first...last).map { Double($0) * step }
  }

  private func logarithmicTicks(about count: Int) -> [Double] {
    let lowest = Int(log10(domain.lowerBound).rounded(.down))
    let highest = Int(log10(domain.upperBound).rounded(.up))
    guard lowest <= highest, highest - lowest < 30 else { return [] }
    func ticks(_ mantissas: [Double]) -> [Double] {
      (lowest...highest).flatMap { power in mantissas.map { $0 * pow(10, Double(power)) } }.filter {
        // A tolerance of 1e-9, because powers are not exact.
        domain.lowerBound * (1 - 1e-9)...domain.upperBound * (1 + 1e-9) ~= $0
      }
    }
    let fine = ticks([1, 2, 5])
    return fine.count <= 2 * count ? fine : ticks([1])
  }
}
