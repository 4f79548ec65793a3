internal import Testing

@testable internal import CellophaneResults

@Suite struct ConfidenceIntervalTests {
  @Test(
    arguments: [
      (1, 2, 1...2), (3, 3, 3...3), (nil, 2, -.infinity...2), (1, nil, 1 ... .infinity),
      (nil, nil, -.infinity ... .infinity), (2, 1, nil), (.nan, 1, nil), (1, .nan, nil),
    ] as [(Double?, Double?, ClosedRange<Double>?)])
  func `a range has infinite bounds for unknown ends, and none for ends that are not in order`(
    low: Double?, high: Double?, range: ClosedRange<Double>?
  ) {
    #expect(ConfidenceInterval(low: low, high: high).range == range)
  }
}
