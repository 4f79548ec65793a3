import Testing

@testable import CellophaneSimulation

@Suite struct SelectionTests {
  /// Numbers by a seed, of many values or of few.
  static func values(_ seed: UInt64) -> [Double] {
    let draw = SeededDraw(seed: seed)
    let count = 1 + Int(draw.bits("count", 0) % 200)
    let kinds = seed.isMultiple(of: 2) ? 3.0 : 1e6
    return (0..<count).map { id in
      let value = (draw.uniform("value", id) * kinds).rounded(.down)
      return draw.chance(0.05, "infinite", id) ? .infinity : value
    }
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `a selected value is the one that sorting finds there`(seed: UInt64) {
    let values = Self.values(seed)
    let sorted = values.sorted()
    for place in values.indices {
      var selected = values
      #expect(selected.select(place) == sorted[place])
      #expect(selected[..<place].allSatisfy { $0 <= sorted[place] })
      #expect(selected[place...].allSatisfy { $0 >= sorted[place] })
      #expect(selected.sorted() == sorted)
      let last = values.count - 1
      #expect(selected.select(last, from: place) == sorted[last])
    }
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `an interval has the ends that sorted samples give`(seed: UInt64) {
    let samples = Self.values(seed)
    let sorted = samples.sorted()
    let ends = [0.025, 0.975].map { share -> Double? in
      let place = share * Double(sorted.count - 1)
      let (below, above) = (sorted[Int(place)], sorted[min(Int(place) + 1, sorted.count - 1)])
      let value = below == above ? below : below + (above - below) * (place - place.rounded(.down))
      return value.isFinite ? value : nil
    }
    let interval = ConfidenceInterval(ofSamples: samples)
    #expect([interval?.low, interval?.high] == ends)
  }
}
