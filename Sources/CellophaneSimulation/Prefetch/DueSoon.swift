/// Rows that come in soon if the list goes on as fast as now, the first to come in first. What would be out
/// again before it can be there is passed over.
///
/// The idea of RecyclerView's `GapWorker`, which orders what it prepares by deadline, with the time that
/// loading takes in place of the time until the next frame. Nothing while the list rests: nothing is due.
struct DueSoon: PrefetchPolicy {
  /// A row is due within two loads: one to be in time, one for those in front of it.
  private static let loadsAhead = 2.0

  func rows(for motion: ListMotion) -> [Int] {
    let speed = abs(motion.velocity)
    let load = motion.loadTime.seconds
    let horizon = speed * Self.loadsAhead * load
    guard horizon > 0 else { return [] }
    // No screen scrolls farther than its list is long.
    let length = Double(motion.layout.rows) * Double(motion.layout.rowHeight)
    let reach = Int(min(horizon, length) / Double(motion.layout.rowHeight)) + 1
    return motion.rows(beyondIn: motion.direction, atMost: reach).filter { row in
      let (entry, exit) = motion.distances(to: row)
      return entry < horizon && exit >= speed * load
    }
  }
}
