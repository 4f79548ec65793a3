/// Loads the rows within a number of screens ahead, then those behind, nearest first: the tuning of Texture's
/// `ASAbstractLayoutController`.
package struct ScreensAround: PrefetchPolicy {
  /// The accepted numbers of screens. Ten: the default of React Native's lists on each side (`windowSize` 21).
  package static let counts = 0.0...10.0
  /// Texture's range for loading in its full mode.
  package static let texture = ScreensAround(leading: 2.5, trailing: 1.5)

  private let leading: Double
  private let trailing: Double

  /// Creates a policy for these numbers of screens, clamped to ``counts``.
  package init(leading: Double, trailing: Double) {
    // With the number as the first argument, max() ignores NaN.
    self.leading = min(max(Self.counts.lowerBound, leading), Self.counts.upperBound)
    self.trailing = min(max(Self.counts.lowerBound, trailing), Self.counts.upperBound)
  }

  /// Returns the rows to load; see ``PrefetchPolicy/rows(for:loadTime:)``.
  package func rows(for motion: ListMotion, loadTime: Duration) -> [Int] {
    motion.rows(beyondIn: motion.direction, within: leading * motion.viewport)
      + motion.rows(beyondIn: motion.direction.opposite, within: trailing * motion.viewport)
  }
}

/// Loads the rows within 250 px on either side, those ahead first: Flutter's `cacheExtent` (its
/// `RenderAbstractViewport.defaultCacheExtent`).
package struct CacheExtent: PrefetchPolicy {
  private static let extent = 250.0

  /// Creates the policy, which has no parameters.
  package init() {}

  /// Returns the rows to load; see ``PrefetchPolicy/rows(for:loadTime:)``.
  package func rows(for motion: ListMotion, loadTime: Duration) -> [Int] {
    motion.rows(beyondIn: motion.direction, within: Self.extent)
      + motion.rows(beyondIn: motion.direction.opposite, within: Self.extent)
  }
}

/// Loads the rows within the height of a visible row ahead while the list moves, but at least a tenth and at most half of a
/// screen: the default of Jetpack Compose's `LazyLayoutCacheWindow`.
package struct CacheWindow: PrefetchPolicy {
  private static let screens = 0.1...0.5

  /// Creates the policy, which has no parameters.
  package init() {}

  /// Returns the rows to load; see ``PrefetchPolicy/rows(for:loadTime:)``.
  package func rows(for motion: ListMotion, loadTime: Duration) -> [Int] {
    guard motion.velocity != 0, !motion.visible.isEmpty else { return [] }
    let least = Self.screens.lowerBound * motion.viewport
    let most = Self.screens.upperBound * motion.viewport
    let heights = motion.visible.reduce(0.0) { sum, row in
      let extent = motion.layout.extent(of: row)
      return sum + (extent.upperBound - extent.lowerBound)
    }
    let height = heights / Double(motion.visible.count)
    return motion.rows(beyondIn: motion.direction, within: min(max(height, least), most))
  }
}
