internal import Cellophane
internal import Testing

@Suite("Row layouts")
struct RowLayoutTests {
  @Test("the rows between two offsets are those that are at least partly there", arguments: 0..<20)
  func rows(seed: Int) {
    var random = SplitMix64(seed: seed)
    let columns = Int.random(in: 1...4, using: &random)
    let even = EvenRows(
      count: Int.random(in: 0...30, using: &random),
      height: Double.random(in: 1...9, using: &random).rounded(),
      columns: columns)
    let uneven = UnevenRows(
      heights: (0..<30).map { _ in Double.random(in: 0...9, using: &random).rounded() })
    for layout in [even, uneven] as [any RowLayout] {
      for _ in 0..<200 {
        let from = Double.random(in: -20...300, using: &random).rounded()
        let to = from + Double.random(in: 1...80, using: &random).rounded()
        let expected = (0..<layout.count).filter {
          let extent = layout.extent(of: $0)
          return extent.upperBound > max(0, from) && extent.lowerBound < to && to > 0
        }
        let rows = layout.rows(from: from, to: to)
        // A row without a height may be included or not.
        let seen = rows.filter { layout.extent(of: $0).lowerBound < layout.extent(of: $0).upperBound }
        #expect(
          seen == expected.filter { layout.extent(of: $0).lowerBound < layout.extent(of: $0).upperBound },
          "seed \(seed), \(from)...\(to) of \(layout)")
        #expect(rows.lowerBound >= 0 && rows.upperBound <= layout.count)
      }
    }
  }

  @Test("a grid has several rows side by side")
  func grid() {
    let grid = EvenRows(count: 10, height: 50, columns: 3)
    #expect(grid.length == 200)
    #expect(grid.extent(of: 5) == 50...100)
    #expect(grid.rows(from: 60, to: 110) == 3..<9)
    #expect(grid.rows(from: 160, to: 900) == 9..<10)
  }

  @Test("a layout accepts any number", arguments: [Int.min, -1, 0, .max])
  func anyNumber(number: Int) {
    for height in [-1, 0, .nan, .infinity, 1e300] as [Double] {
      let layout = EvenRows(count: number, height: height, columns: number)
      #expect(layout.rows(from: -.infinity, to: .infinity) == 0..<layout.count)
      #expect(layout.rows(from: .nan, to: .nan).isEmpty)
      #expect(layout.length.isFinite)
    }
    #expect(UnevenRows(heights: [.nan, -1, 5]).length == 5)
    #expect(UnevenRows(heights: []).rows(from: 0, to: 9).isEmpty)
  }
}
