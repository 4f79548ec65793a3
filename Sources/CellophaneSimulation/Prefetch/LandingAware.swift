/// Once the finger has left the list, it is known where it comes to rest: the rows there are loaded first,
/// then those on the way that stay visible for as long as loading takes, each in the order in which they
/// come in. What only flies by is passed over. A finger that stops the list ends the fling, and with it what was
/// wanted for its sake.
///
/// Ours; where a fling ends follows from the closed forms of ``Fling``.
struct LandingAware: PrefetchPolicy {
  /// Without a fling, the next screen in the direction of the scroll: where a finger goes on to (assumed).
  private static let screensWithoutFling = 1.0

  func rows(for motion: ListMotion) -> [Int] {
    guard let fling = motion.fling else {
      return motion.rows(
        beyondIn: motion.direction, within: Self.screensWithoutFling * motion.screen)
    }
    let landing = landing(of: fling, in: motion)
    let ahead = motion.rows(beyondIn: motion.direction, atMost: count(of: landing, in: motion))
    let staying = ahead.filter { landing.contains($0) }
    let passing = ahead.filter { !landing.contains($0) && isSeen($0, during: fling, in: motion) }
    return staying + passing
  }

  private func landing(of fling: Fling, in motion: ListMotion) -> Range<Int> {
    let distance = fling.travelled(after: fling.duration)
    let way = motion.direction == .down ? distance : -distance
    // As ScrollTrajectory rounds, so that no row depends on the last bits of a logarithm.
    let offset = ((motion.offset + way) * 64).rounded() / 64
    return motion.layout.visibleRows(at: min(max(offset, 0), motion.layout.longestOffset))
  }

  /// How many rows come in until the list rests.
  private func count(of landing: Range<Int>, in motion: ListMotion) -> Int {
    switch motion.direction {
    case .down: max(0, landing.upperBound - motion.visible.upperBound)
    case .up: max(0, motion.visible.lowerBound - landing.lowerBound)
    }
  }

  private func isSeen(_ row: Int, during fling: Fling, in motion: ListMotion) -> Bool {
    let (entry, exit) = motion.distances(to: row)
    guard let from = fling.time(toTravel: entry) else { return false }
    // Not out again when the list rests: it stays by its edge.
    guard let to = fling.time(toTravel: exit) else { return true }
    return .roundedSeconds(to - from) >= motion.loadTime
  }
}
