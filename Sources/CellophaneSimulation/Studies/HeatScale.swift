/// Shades numbers by where they lie between the best and the worst of them.
struct HeatScale: Sendable {
  /// The number that is shaded least, and the one that is shaded most.
  let best, worst: Double

  /// A scale for `values`; of those of which neither more nor less is better, the least is shaded least. Nil when there
  /// are no two different ones.
  init?(_ values: some Sequence<Double>, better: Metric.Direction?) {
    let known = values.filter(\.isFinite)
    guard let least = known.min(), let most = known.max(), least < most else { return nil }
    (best, worst) = better == .higher ? (most, least) : (least, most)
  }

  /// Which of `count` shades `value` has: 0 the best, and the last the worst.
  func shade(of value: Double, among count: Int) -> Int {
    let share = (value - best) / (worst - best)
    return min(count - 1, Int(min(max(share, 0), 1) * Double(count)))
  }
}

extension StudyResult {
  /// What shades `number` in its cases; nil where no two of them read as different.
  func heatScale(of number: StudyNumber) -> HeatScale? {
    let scale = HeatScale(cases.compactMap { $0.metrics[number.path]?.mean }, better: number.path.better)
    return scale.flatMap { number.format($0.best) == number.format($0.worst) ? nil : $0 }
  }
}
