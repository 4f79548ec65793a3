/// The next rows in the direction of the scroll, nearest first; those behind are given up when it turns, as by
/// Glide's `ListPreloader`. With a count of 0, nothing is loaded before it comes in.
public struct RowsAhead: PrefetchPolicy {
  /// The counts that are accepted: up to some ten screens.
  public static let counts = 0...200

  private let count: Int

  /// At most `count` rows; one that is not accepted counts as the nearest that is.
  public init(count: Int) { self.count = min(max(Self.counts.lowerBound, count), Self.counts.upperBound) }

  /// The rows to load; see ``PrefetchPolicy/rows(for:loadTime:)``.
  public func rows(for motion: ListMotion, loadTime: Duration) -> [Int] {
    motion.rows(beyondIn: motion.direction, atMost: count)
  }
}
