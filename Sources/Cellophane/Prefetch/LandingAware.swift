/// Once the finger has left the list, it is known where it comes to rest: the rows there are loaded first,
/// then those on the way that stay visible for as long as loading takes, each in the order in which they
/// come in. What only flies by is passed over. A finger that stops the list ends the fling, and with it what was
/// wanted for its sake.
///
/// Ours; where a fling ends follows from the closed forms of ``Fling``.
public struct LandingAware: PrefetchPolicy {
  /// Without a fling, the next screen in the direction of the scroll: where a finger goes on to (assumed).
  private static let screensWithoutFling = 1.0

  /// The policy; it has no parameters.
  public init() {}

  /// The rows to load; see ``PrefetchPolicy/rows(for:loadTime:)``.
  public func rows(for motion: ListMotion, loadTime: Duration) -> [Int] {
    guard let fling = motion.fling, let offset = motion.landing else {
      return motion.rows(
        beyondIn: motion.direction, within: Self.screensWithoutFling * motion.viewport)
    }
    let landing = motion.layout.rows(from: offset, to: offset + motion.viewport)
    let ahead = motion.rows(beyondIn: motion.direction, atMost: count(of: landing, in: motion))
    let staying = ahead.filter { landing.contains($0) }
    let passing = ahead.filter {
      !landing.contains($0) && isSeen($0, during: fling, in: motion, loadTime: loadTime)
    }
    return staying + passing
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
