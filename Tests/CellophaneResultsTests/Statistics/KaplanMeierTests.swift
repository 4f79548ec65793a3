@testable import CellophaneResults
import Testing

@Suite struct KaplanMeierTests {
  static func estimate(_ waits: [(Int, hasEnded: Bool)], ticksPerSecond: Int) -> KaplanMeier {
    var histogram = WaitHistogram()
    for (ticks, hasEnded) in waits { histogram.add(ticks, hasEnded: hasEnded) }
    return KaplanMeier(histogram, ticksPerSecond: ticksPerSecond)
  }

  /// Weeks of remission of patients treated with 6-mercaptopurine (Freireich and others, Blood 1963), a textbook
  /// example. The expected values are those of lifelines 0.30.3 for Python.
  @Test func `the estimate matches a textbook example`() {
    let weeks = [6, 6, 6, 6, 7, 9, 10, 10, 11, 13, 16, 17, 19, 20, 22, 23, 25, 32, 32, 34, 35]
    let hasEnded = [1, 1, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0]
    let estimate = Self.estimate(zip(weeks, hasEnded).map { ($0, $1 == 1) }, ticksPerSecond: 1)
    let expected = [
      (0, 1.0), (6, 0.857142857), (7, 0.806722689), (10, 0.752941176), (13, 0.690196078), (16, 0.627450980),
      (22, 0.537815126), (23, 0.448179272), (35, 0.448179272),
    ]
    for (week, surviving) in expected {
      #expect(abs(estimate.surviving(.seconds(week)) - surviving) < 1e-9, "week \(week)")
    }
    #expect(estimate.quantile(0.25) == .seconds(13))
    #expect(estimate.quantile(0.5) == .seconds(23))
    #expect(estimate.quantile(0.6) == nil)
    #expect(estimate.longest == .seconds(35))
    #expect(estimate.longestObserved == .seconds(23))
    #expect(estimate.count == 21)
    #expect(estimate.censored == 12)
  }

  /// 500 waits with many ties. The expected values are those of lifelines 0.30.3 and of scipy 1.17.1, which agree.
  @Test func `the estimate matches independent implementations`() {
    let draw = SeededDraw(seed: 3)
    let waits = (0..<500).map { (Int(draw.bits("wait", $0) % 400), draw.bits("over", $0) % 10 < 7) }
    let estimate = Self.estimate(waits, ticksPerSecond: 1_000)
    #expect(estimate.censored == 156)
    let quantiles = [0.25, 0.5, 0.75, 0.9, 0.95].map { estimate.quantile($0) }
    #expect(quantiles == [144, 260, 353, 381, 391].map { Duration.milliseconds($0) })
    let surviving = [(0, 1.0), (10, 0.981870504), (100, 0.843180172), (250, 0.533508563), (399, 0)]
    for (time, expected) in surviving {
      #expect(abs(estimate.surviving(.milliseconds(time)) - expected) < 1e-9, "\(time) ms")
    }
  }

  @Test func `without censoring, the estimate is the empirical distribution`() {
    let estimate = Self.estimate((1...100).map { ($0, true) }, ticksPerSecond: 1_000)
    for percent in 1...100 {
      #expect(estimate.quantile(Double(percent) / 100) == .milliseconds(percent))
    }
  }

  @Test func `an estimate without waits has no quantile`() {
    let estimate = Self.estimate([], ticksPerSecond: 60)
    #expect(estimate.quantile(0.5) == nil)
    #expect(estimate.surviving(.zero) == 1)
    #expect(estimate.longest == nil)
  }

  @Test func `waits that are all censored have no quantile, but a lower bound`() {
    let estimate = Self.estimate([5, 9, 7].map { ($0, false) }, ticksPerSecond: 1)
    #expect(estimate.quantile(0.01) == nil)
    #expect(estimate.longest == .seconds(9))
    #expect(estimate.longestObserved == nil)
  }
}
