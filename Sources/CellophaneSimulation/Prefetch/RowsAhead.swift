/// The next rows in the direction of the scroll, nearest first; those behind are given up when it turns, as by
/// Glide's `ListPreloader`.
struct RowsAhead: PrefetchPolicy {
  private let count: Int

  /// At most `count` rows.
  init(count: Int) { self.count = max(0, min(count, PrefetchRule.rowCounts.upperBound)) }

  func rows(for motion: ListMotion) -> [Int] { motion.rows(beyondIn: motion.direction, atMost: count) }
}
