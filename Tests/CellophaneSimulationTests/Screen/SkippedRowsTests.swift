import Cellophane
import TestSupport
import Testing

@testable import CellophaneResults

/// The effect of skipping rows that a fling shows too briefly. ``LandingAware`` and the same policy without skipping
/// play the same flings.
@Suite struct SkippedRowsTests {
  /// ``LandingAware`` with a load time of zero, so that it skips no row.
  private struct WithoutSkipping: PrefetchPolicy {
    func rows(for motion: ListMotion, loadTime: Duration) -> [Int] {
      LandingAware().rows(for: motion, loadTime: .zero)
    }
  }

  @Test func `without skipping, the policy requests every row of the fling`() throws {
    let layout = try ListLayout(rows: 1_000, rowHeight: 100, picture: PixelSize(width: 90, height: 90))
    let motion = ListMotion(
      layout, viewport: 800, offset: 1_000, velocity: 8_000, fling: Fling(.ios, speed: 8_000))
    let (all, few) = (
      WithoutSkipping().rows(for: motion, loadTime: .seconds(1)),
      LandingAware().rows(for: motion, loadTime: .seconds(1))
    )
    #expect(all == Array(18..<18 + all.count) && all.suffix(few.count) == few[...])
    #expect(few.count * 2 < all.count, "\(few.count) of \(all.count)")
  }

  /// A load takes 0.4 s and six run concurrently, so the flings of a skimmer pass more rows than can load. In single
  /// runs skipping may be worse: a stopped fling rests at rows that the policy skipped.
  @Test(.thorough) func `skipping reduces the blank share over several runs`() throws {
    func blank(_ policy: some PrefetchPolicy) throws -> [Double] {
      try (1...6 as ClosedRange<UInt64>).map { seed in
        let scene = try Scene(rows: 1_200, profile: .skimmer, seed: seed, seconds: 15) { _ in
          .milliseconds(400)
        }
        let played = try #require(try scene.playCellophane(policy: policy))
        return try #require(RunMeasurement(played.observation) { _ in nil }.overall[.blankRatio])
      }
    }
    let (skipping, loading) = (try blank(LandingAware()), try blank(WithoutSkipping()))
    // The sum of the six runs is a fifteenth lower.
    #expect(
      skipping.reduce(0, +) < 0.95 * loading.reduce(0, +), "with skipping \(skipping), without \(loading)")
    #expect(
      zip(skipping, loading).contains { $0 < $1 - 0.03 }, "with skipping \(skipping), without \(loading)")
  }
}
