import Testing

@testable import CellophaneResults

@Suite struct SelectionTests {
  /// Returns seeded numbers: for an even seed many duplicates, for an odd seed mostly distinct numbers.
  static func values(_ seed: UInt64) -> [Double] {
    let draw = SeededDraw(seed: seed)
    let count = 1 + Int(draw.bits("count", 0) % 200)
    let range = seed.isMultiple(of: 2) ? 3.0 : 1e6
    return (0..<count).map { id in
      let value = (draw.uniform("value", id) * range).rounded(.down)
      return draw.chance(0.05, "infinite", id) ? .infinity : value
    }
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `selection gives the value that sorting puts at the position`(seed: UInt64) {
    let values = Self.values(seed)
    let sorted = values.sorted()
    for position in values.indices {
      var selected = values
      #expect(selected.select(position) == sorted[position])
      #expect(selected[..<position].allSatisfy { $0 <= sorted[position] })
      #expect(selected[position...].allSatisfy { $0 >= sorted[position] })
      #expect(selected.sorted() == sorted)
      let last = values.count - 1
      #expect(selected.select(last, from: position) == sorted[last])
    }
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `the ends of an interval are quantiles of the sorted samples`(seed: UInt64) {
    let samples = Self.values(seed)
    let sorted = samples.sorted()
    let ends = [0.025, 0.975].map { share -> Double? in
      let position = share * Double(sorted.count - 1)
      let (below, above) = (sorted[Int(position)], sorted[min(Int(position) + 1, sorted.count - 1)])
      let value = below == above ? below : below + (above - below) * (position - position.rounded(.down))
      return value.isFinite ? value : nil
    }
    let interval = ConfidenceInterval(ofSamples: samples)
    #expect([interval?.low, interval?.high] == ends)
  }
}
