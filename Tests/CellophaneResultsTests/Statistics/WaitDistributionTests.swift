@testable import CellophaneResults
import Testing

@Suite struct WaitDistributionTests {
  static func distribution(_ waits: [(Int, hasEnded: Bool)], ticksPerSecond: Int) -> WaitDistribution {
    var histogram = WaitHistogram()
    for (ticks, hasEnded) in waits { histogram.add(ticks, hasEnded: hasEnded) }
    return WaitDistribution(histogram, ticksPerSecond: ticksPerSecond)
  }

  /// Weeks of remission of patients treated with 6-mercaptopurine (Freireich and others, Blood 1963), as a competing event.
  @Test func `a wait that is cut short counts as one that never ended`() {
    let weeks = [6, 6, 6, 6, 7, 9, 10, 10, 11, 13, 16, 17, 19, 20, 22, 23, 25, 32, 32, 34, 35]
    let hasEnded = [1, 1, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0]
    let waits = Self.distribution(zip(weeks, hasEnded).map { ($0, $1 == 1) }, ticksPerSecond: 1)
    let expected = [(5, 0), (6, 3), (7, 4), (9, 4), (10, 5), (13, 6), (16, 7), (22, 8), (23, 9), (35, 9)]
    for (week, ended) in expected {
      #expect(abs(waits.ended(within: .seconds(week)) - Double(ended) / 21) < 1e-12, "week \(week)")
    }
    #expect(waits.quantile(0.25) == .seconds(13) && waits.quantile(0.42) == .seconds(23))
    // 9 of 21 is 42.9 %. The Kaplan-Meier estimate has a median of 23 weeks.
    #expect(waits.quantile(0.43) == nil)
    #expect(waits.longest == .seconds(35) && waits.longestEnded == .seconds(23))
    #expect(waits.count == 21 && waits.cutShort == 12)
  }

  /// The definition, by sorting: a wait that was cut short is infinite.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `quantiles are those of the waits in which cut short is infinite`(seed: UInt64) {
    let draw = SeededDraw(seed: seed)
    let waits = (0..<Int(draw.bits("n", 0) % 300 + 1)).map {
      (Int(draw.bits("wait", $0) % 400), draw.bits("over", $0) % 10 < 7)
    }
    let distribution = Self.distribution(waits, ticksPerSecond: 1_000)
    let sorted = waits.map { $1 ? Double($0) : .infinity }.sorted()
    for percent in 1...100 {
      let position = (percent * sorted.count + 99) / 100 - 1
      let expected = sorted[position].isFinite ? Duration.milliseconds(sorted[position]) : nil
      #expect(distribution.quantile(Double(percent) / 100) == expected, "seed \(seed), \(percent) %")
    }
  }

  /// The Kaplan-Meier estimate gives the second loader, which shows fewer images, the shorter quantiles.
  @Test func `a loader that shows fewer images is never better`() {
    let ours = Self.distribution([(0, true), (2, true), (7, true), (9, false)], ticksPerSecond: 1)
    let theirs = Self.distribution([(2, true), (5, true), (5, false), (5, false)], ticksPerSecond: 1)
    #expect(ours.quantile(0.75) == .seconds(7) && theirs.quantile(0.75) == nil)
    for second in 0...10 {
      #expect(ours.ended(within: .seconds(second)) >= theirs.ended(within: .seconds(second)))
    }
  }

  @Test func `without waits there is no quantile`() {
    let waits = Self.distribution([], ticksPerSecond: 60)
    #expect(waits.quantile(0.5) == nil && waits.longest == nil && waits.ended(within: .seconds(1)) == 0)
  }

  @Test func `waits that are all cut short have no quantile`() {
    let waits = Self.distribution([5, 9, 7].map { ($0, false) }, ticksPerSecond: 1)
    #expect(waits.quantile(0.01) == nil && waits.longest == .seconds(9) && waits.longestEnded == nil)
  }

  @Test func `the share of waits that ended counts all waits`() {
    var waits = WaitHistogram()
    #expect(waits.shareEnded(within: 9) == nil)
    for (ticks, hasEnded) in [(0, true), (6, true), (7, true), (3, false)] {
      waits.add(ticks, hasEnded: hasEnded)
    }
    #expect([0, 5, 6, 7, 99].map { waits.shareEnded(within: $0) } == [0.25, 0.25, 0.5, 0.75, 0.75])
  }
}
