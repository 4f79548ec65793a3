/// A policy that loads the next rows in the scroll direction, nearest first, like Glide's `ListPreloader`.
///
/// When the direction changes, the loads of the other direction are cancelled. With a count of 0 it loads no rows.
public struct RowsAhead: PrefetchPolicy {
  /// The accepted counts: up to about ten screens.
  package static let counts = 0...200

  private let count: Int

  /// Creates a policy for at most `count` rows, clamped to 0...200.
  public init(count: Int) { self.count = min(max(Self.counts.lowerBound, count), Self.counts.upperBound) }

  /// Returns the rows to load; see ``PrefetchPolicy/rows(for:loadTime:)``.
  public func rows(for motion: ListMotion, loadTime: Duration) -> [Int] {
    motion.rows(beyondIn: motion.direction, atMost: count)
  }
}
