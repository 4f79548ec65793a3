/// The rows within some screens ahead and, after those, within some behind, nearest first: the tuning of
/// Texture's `ASAbstractLayoutController`.
struct ScreensAround: PrefetchPolicy {
  private let leading: Double
  private let trailing: Double

  init(leading: Double, trailing: Double) {
    let limits = PrefetchRule.screenCounts
    // With the number first, max() passes over what is none.
    self.leading = min(max(limits.lowerBound, leading), limits.upperBound)
    self.trailing = min(max(limits.lowerBound, trailing), limits.upperBound)
  }

  func rows(for motion: ListMotion) -> [Int] {
    motion.rows(beyondIn: motion.direction, within: leading * motion.screen)
      + motion.rows(beyondIn: motion.direction.opposite, within: trailing * motion.screen)
  }
}

/// The rows within 250 px on either side, those ahead first: Flutter's `cacheExtent` (its
/// `RenderAbstractViewport.defaultCacheExtent`).
struct CacheExtent: PrefetchPolicy {
  private static let extent = 250.0

  func rows(for motion: ListMotion) -> [Int] {
    motion.rows(beyondIn: motion.direction, within: Self.extent)
      + motion.rows(beyondIn: motion.direction.opposite, within: Self.extent)
  }
}

/// While the list moves, the rows within the height of one ahead, but at least a tenth and at most half of
/// the screen: the default of Jetpack Compose's `LazyLayoutCacheWindow`.
struct CacheWindow: PrefetchPolicy {
  private static let screens = 0.1...0.5

  func rows(for motion: ListMotion) -> [Int] {
    guard motion.velocity != 0 else { return [] }
    let least = Self.screens.lowerBound * motion.screen
    let most = Self.screens.upperBound * motion.screen
    let height = Double(motion.layout.rowHeight)
    return motion.rows(beyondIn: motion.direction, within: min(max(height, least), most))
  }
}
