/// Rows that come in soon if the list goes on as fast as now, the first to come in first. What would be out
/// again before it can be there is passed over.
///
/// The idea of RecyclerView's `GapWorker`, which orders what it prepares by deadline, with the time that
/// loading takes in place of the time until the next frame. Nothing while the list rests: nothing is due.
public struct DueSoon: PrefetchPolicy {
  /// A row is due within two loads: one to be in time, one for those in front of it.
  private static let loadsAhead = 2.0

  /// The policy; it has no parameters.
  public init() {}

  /// The rows to load; see ``PrefetchPolicy/rows(for:loadTime:)``.
  public func rows(for motion: ListMotion, loadTime: Duration) -> [Int] {
    let speed = abs(motion.velocity)
    let load = loadTime / .seconds(1)
    let horizon = speed * Self.loadsAhead * load
    guard horizon > 0 else { return [] }
    // No screen scrolls farther than its list is long.
    return motion.rows(beyondIn: motion.direction, within: min(horizon, motion.layout.length)).filter { row in
      let (entry, exit) = motion.distances(to: row)
      return entry < horizon && exit >= speed * load
    }
  }
}
