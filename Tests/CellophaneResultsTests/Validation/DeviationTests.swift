import Testing

@testable import CellophaneResults

@Suite struct DeviationTests {
  @Test(
    arguments: [
      ([1, 2, 3], [1, 2, 3], 0), ([1, 2], [3, 4], 1), ([1, 2, 3, 4], [3, 4, 5, 6], 0.5),
      ([1], [1, 1, 2, 2], 0.5),
      ([1, 1, 1, 5], [1, 5], 0.25),
    ] as [([Double], [Double], Double)])
  func `the distance of two samples is the largest difference of their distributions`(
    first: [Double], second: [Double], distance: Double
  ) {
    #expect(Deviation.distance(first, second) == distance)
    #expect(Deviation.distance(second, first) == distance)
  }

  @Test func `a deviation has the quantiles of both sides and the typical error`() throws {
    let pairs = (1...100).map { (real: Double($0), virtual: Double($0) + ($0 > 90 ? 10 : 1)) }
    let deviation = try #require(Deviation(pairs.reversed()))
    #expect((deviation.real.p50, deviation.real.p95) == (50, 95))
    #expect((deviation.virtual.p50, deviation.virtual.p95) == (51, 105))
    #expect((deviation.medianError, deviation.typicalError) == (1, 1))
    #expect(Deviation([]) == nil)
  }
}
