internal import Testing

@testable internal import CellophaneResults

@Suite struct DifferenceFamilyTests {
  private func difference(_ low: Double?, _ high: Double?, p: Double = 0.001) -> MetricDifference {
    MetricDifference(
      mean: low.flatMap { low in high.map { (low + $0) / 2 } },
      Estimate(interval: ConfidenceInterval(low: low, high: high), p: p))
  }

  private static let (lower, higher, neither) = (
    MetricPath.metric(.transfers), MetricPath.metric(.memoryHits), MetricPath.metric(.appearances)
  )

  @Test(
    arguments: [
      (1, 2, lower, .worse), (1, 2, higher, .better), (1, 2, neither, .more), (-2, -1, lower, .better),
      (-2, -1, neither, .less), (-2, 1, lower, nil), (0, 1, lower, nil), (-1, 0, neither, nil),
      (1, nil, lower, .worse), (nil, -1, lower, .better), (-1, nil, lower, nil),
    ] as [(Double?, Double?, MetricPath, DifferenceFamily.Claim?)])
  func `a difference with an interval that includes 0 supports no claim`(
    low: Double?, high: Double?, path: MetricPath, claim: DifferenceFamily.Claim?
  ) {
    let difference = difference(low, high)
    #expect(DifferenceFamily([difference]).claim(difference, in: path) == claim)
    #expect(DifferenceFamily([]).claim(nil, in: path) == nil)
  }

  /// The numbers of Holm's example: the first and the second are below their limits, the third is not.
  @Test func `each further comparison lowers the limit of all`() {
    let all = [0.01, 0.04, 0.03, 0.005].map { difference(1, 2, p: $0) }
    let family = DifferenceFamily(all)
    #expect(all.map { family.claim($0, in: Self.lower) != nil } == [true, false, false, true])
    #expect(DifferenceFamily([all[1]]).claim(all[1], in: Self.lower) == .worse)
    // The order does not matter, and unknown differences do not count.
    let unknown = MetricDifference(mean: nil, nil)
    #expect(DifferenceFamily(all.reversed() + [unknown]) == family)
    #expect(family.claim(unknown, in: Self.lower) == nil)
  }

  @Test func `a difference of shares below 0.05 points is none`() {
    for (size, claim) in [(0.0004, nil), (0.0006, DifferenceFamily.Claim.worse)] {
      let one = difference(size * 0.9, size * 1.1)
      #expect(DifferenceFamily([one]).claim(one, in: .metric(.blankRatio)) == claim)
      #expect(DifferenceFamily([one]).claim(one, in: Self.lower) == .worse)
    }
  }
}
