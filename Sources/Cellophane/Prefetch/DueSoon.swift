/// Loads the rows that become visible soon at the present speed, in that order. Skips rows that would be out of view before
/// they could be loaded.
///
/// Based on RecyclerView's `GapWorker`, which orders its work by deadline, with the load time instead of the time until the
/// next frame. Loads no rows while the list rests.
package struct DueSoon: PrefetchPolicy {
  /// A row is due within two load times: one for its own load, one for the loads before it.
  private static let loadsAhead = 2.0

  /// Creates the policy, which has no parameters.
  package init() {}

  /// Returns the rows to load; see ``PrefetchPolicy/rows(for:loadTime:)``.
  package func rows(for motion: ListMotion, loadTime: Duration) -> [Int] {
    let speed = abs(motion.velocity)
    let load = loadTime / .seconds(1)
    let horizon = speed * Self.loadsAhead * load
    guard horizon > 0 else { return [] }
    // A list scrolls at most its own length.
    return motion.rows(beyondIn: motion.direction, within: min(horizon, motion.layout.length)).filter { row in
      let (entry, exit) = motion.distances(to: row)
      return entry < horizon && exit >= speed * load
    }
  }
}
