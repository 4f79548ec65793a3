import Cellophane
import Testing

@testable import CellophaneSimulation

/// What passing over the rows that fly by is good for: the same policy without it, on the same flings.
@Suite struct FlyByTests {
  /// ``LandingAware``, to which a row is seen long enough however short that is.
  private struct WithoutSkipping: PrefetchPolicy {
    func rows(for motion: ListMotion, loadTime: Duration) -> [Int] {
      LandingAware().rows(for: motion, loadTime: .zero)
    }
  }

  @Test func `without it, every row on the way is asked for`() throws {
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

  /// Rows take 0.4 s, six at once; a skimmer's flings pass more of them. Not so in every run: a fling that is stopped
  /// rests where rows were to fly by.
  @Test func `with it, less is missing on the whole`() throws {
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
    // A fifteenth less, of six runs together.
    #expect(skipping.reduce(0, +) < 0.95 * loading.reduce(0, +), "\(skipping), without \(loading)")
    #expect(zip(skipping, loading).contains { $0 < $1 - 0.03 }, "\(skipping), without \(loading)")
  }
}
