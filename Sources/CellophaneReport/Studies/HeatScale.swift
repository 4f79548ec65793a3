/// A mapping of numbers to shades, linear from the best number to the worst.
struct HeatScale: Sendable {
  /// The number with the weakest shade, and the number with the strongest.
  let best, worst: Double

  /// Creates a scale over `values`, or nil if fewer than two of them differ. Without a better direction, the
  /// lowest value gets the weakest shade.
  init?(_ values: some Sequence<Double>, better: Metric.Direction?) {
    let known = values.filter(\.isFinite)
    guard let lowest = known.min(), let highest = known.max(), lowest < highest else { return nil }
    (best, worst) = better == .higher ? (highest, lowest) : (lowest, highest)
  }

  /// Returns the index of the shade of `value` among `count` shades: 0 for the best, the last one for the
  /// worst.
  func shade(of value: Double, among count: Int) -> Int {
    let share = (value - best) / (worst - best)
    return min(count - 1, Int(min(max(share, 0), 1) * Double(count)))
  }
}

extension StudyResult {
  /// Returns the scale of `number` over all cases, or nil if the formatted ends of the scale are equal.
  func heatScale(of number: StudyNumber) -> HeatScale? {
    let scale = HeatScale(cases.compactMap { $0.metrics[number.path]?.mean }, better: number.path.better)
    return scale.flatMap { number.format($0.best) == number.format($0.worst) ? nil : $0 }
  }
}
