internal import Testing

@testable internal import CellophaneReport

@Suite struct ScaleTests {
  @Test(
    arguments: [
      (0.0, 100.0, 5, [0, 20, 40, 60, 80, 100]), (0, 1, 2, [0, 0.5, 1]), (3, 11, 4, [4, 6, 8, 10]),
      (0, 0, 4, []), (-10, 10, 4, [-10, -5, 0, 5, 10]),
    ] as [(Double, Double, Int, [Double])])
  func `linear ticks are round numbers`(low: Double, high: Double, count: Int, ticks: [Double]) {
    #expect(Scale(low...high, to: 0, 1).ticks(about: count).filter { $0 > 1e-6 || low < high } == ticks)
  }

  @Test(
    arguments: [
      (10.0, 1_000.0, 8, [10, 20, 50, 100, 200, 500, 1_000]), (1, 1e6, 4, [1, 10, 100, 1e3, 1e4, 1e5, 1e6]),
    ] as [(Double, Double, Int, [Double])])
  func `logarithmic ticks are round numbers`(low: Double, high: Double, count: Int, ticks: [Double]) {
    let found = Scale(low...high, to: 0, 1, kind: .logarithmic).ticks(about: count)
    #expect(found.count == ticks.count && zip(found, ticks).allSatisfy { abs($0 / $1 - 1) < 1e-9 })
  }

  @Test func `positions follow the values, also in reverse, and stay within the range`() {
    let scale = Scale(0...10, to: 100, 0)
    #expect([0, 5, 10, -5, 50].map { scale($0) } == [100, 50, 0, 100, 0])
    let logarithmic = Scale(1...100, to: 0, 2, kind: .logarithmic)
    #expect([1.0, 10, 100, 0].map { logarithmic($0) } == [0, 1, 2, 0])
  }
}
