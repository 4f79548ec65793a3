/// Once the finger has left the list, it is known where it comes to rest: all rows on the way are loaded that stay there
/// or are seen for as long as loading takes, in the order in which they come in; what only flies by is passed over.
/// Behind them, and alone where a list tells of no fling, come the next rows in the direction of the scroll. A finger that
/// stops the list ends the fling, and with it what was wanted for its sake.
///
/// The default of a ``Prefetcher``: in the simulator's suite it leaves less blank than the next eight rows
/// (``RowsAhead``) in about a third of the cases, whether the list tells of flings or not, and in none more.
///
/// Ours; where a fling ends follows from the closed forms of ``Fling``. The place where it ends does not come first: most
/// fast flings are stopped or followed by another before, and what comes in until then is seen, too.
public struct LandingAware: PrefetchPolicy {
  /// Beyond what comes in by itself: at least eight rows, and at least a screen, because most who scroll go on.
  package static let rowsBeyond = 8
  private static let screensBeyond = 1.0
  /// The most rows of the way that are looked at, from here on and again before the landing. 1 000 are more than are
  /// loaded during any fling, and take less than a tenth of a millisecond; a list may announce that it comes to rest a
  /// million rows away.
  private static let reach = 1_000

  /// The policy; it has no parameters.
  public init() {}

  /// The rows to load; see ``PrefetchPolicy/rows(for:loadTime:)``.
  public func rows(for motion: ListMotion, loadTime: Duration) -> [Int] {
    let screen = motion.rows(beyondIn: motion.direction, within: Self.screensBeyond * motion.viewport)
    let beyond = max(Self.rowsBeyond, screen.count)
    guard let fling = motion.fling, let offset = motion.landing else {
      return motion.rows(beyondIn: motion.direction, atMost: beyond)
    }
    let landing = motion.layout.rows(from: offset, to: offset + motion.viewport)
    let count = count(of: landing, in: motion)
    let near = min(count, Self.reach)
    let skipped = max(near, count - Self.reach)
    let way =
      motion.rows(beyondIn: motion.direction, atMost: near)
      + motion.rows(beyondIn: motion.direction, atMost: count - skipped, behind: skipped)
    let seen = way.filter {
      landing.contains($0) || isSeen($0, during: fling, in: motion, loadTime: loadTime)
    }
    return seen + motion.rows(beyondIn: motion.direction, atMost: beyond, behind: count)
  }

  /// How many rows come in until the list rests.
  private func count(of landing: Range<Int>, in motion: ListMotion) -> Int {
    switch motion.direction {
    case .down: max(0, landing.upperBound - motion.visible.upperBound)
    case .up: max(0, motion.visible.lowerBound - landing.lowerBound)
    }
  }

  private func isSeen(_ row: Int, during fling: Fling, in motion: ListMotion, loadTime: Duration) -> Bool {
    let (entry, exit) = motion.distances(to: row)
    guard let from = fling.time(toTravel: entry) else { return false }
    // Not out again when the list rests: it stays by its edge.
    guard let to = fling.time(toTravel: exit) else { return true }
    // In whole ns, so that nothing is decided by the last bit of a logarithm.
    return ((to - from) * 1e9).rounded() >= loadTime / .nanoseconds(1)
  }
}
