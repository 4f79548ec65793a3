/// A policy that loads the next rows in the scroll direction, nearest first, like Glide's `ListPreloader`.
///
/// It loads a number of rows, and at least the rows of a number of screens. One number suits few lists: eight large images
/// are several screens, and eight small ones less than a screen. When the direction changes, the loads of the other direction
/// are cancelled. With a count and screens of 0 it loads no rows.
///
/// The default of a ``Prefetcher`` is eight rows and two and a half screens, as many as Texture loads ahead.
public struct RowsAhead: PrefetchPolicy {
  /// The accepted counts: up to about ten screens.
  package static let counts = 0...200
  /// The accepted numbers of screens.
  package static let screenCounts = ScreensAround.counts

  private let count: Int
  private let screens: Double

  /// Creates a policy for at most `count` rows, or as many as `screens` screens show if these are more. Clamped to 0...200
  /// and 0...10.
  public init(count: Int, screens: Double = 0) {
    self.count = min(max(Self.counts.lowerBound, count), Self.counts.upperBound)
    // With the number as the first argument, max() ignores NaN.
    self.screens = min(max(Self.screenCounts.lowerBound, screens), Self.screenCounts.upperBound)
  }

  /// Returns the rows to load; see ``PrefetchPolicy/rows(for:loadTime:)``.
  public func rows(for motion: ListMotion, loadTime: Duration) -> [Int] {
    let within = screens > 0 ? motion.rows(beyondIn: motion.direction, within: screens * motion.viewport) : []
    return within.count >= count ? within : motion.rows(beyondIn: motion.direction, atMost: count)
  }
}
