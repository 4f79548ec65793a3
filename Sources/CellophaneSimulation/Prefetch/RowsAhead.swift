/// The next rows in the direction of the scroll, nearest first; those behind are given up when it turns, as by
/// Glide's `ListPreloader`.
struct RowsAhead: PrefetchPolicy {
  private let count: Int

  /// At most `count` rows.
  init(count: Int) { self.count = max(0, min(count, SimulationConfiguration.rowsAheadLimits.upperBound)) }

  func rows(for motion: ListMotion) -> [Int] { motion.rows(beyondIn: motion.direction, atMost: count) }
}

/// The rows within some screens ahead and, after those, within some behind, nearest first: the tuning of
/// Texture's `ASAbstractLayoutController`, which loads 2.5 screens ahead and 1.5 behind.
struct ScreensAround: PrefetchPolicy {
  private let leading: Double
  private let trailing: Double

  init(leading: Double, trailing: Double) {
    let limits = PrefetchRule.screenCounts
    // max() of what is no number with a number is the number, if that comes second.
    self.leading = min(max(limits.lowerBound, leading), limits.upperBound)
    self.trailing = min(max(limits.lowerBound, trailing), limits.upperBound)
  }

  func rows(for motion: ListMotion) -> [Int] {
    let behind: ListMotion.Direction = motion.direction == .down ? .up : .down
    return motion.rows(beyondIn: motion.direction, screens: leading)
      + motion.rows(beyondIn: behind, screens: trailing)
  }
}
