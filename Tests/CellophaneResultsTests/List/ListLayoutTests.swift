import Cellophane
@testable import CellophaneResults
import Testing

@Suite struct ListLayoutTests {
  static func make(rows: Int = 100, rowHeight: Int = 120, picture: Int = 112, height: Int = 823) throws
    -> ListLayout
  {
    try ListLayout(
      rows: rows, rowHeight: rowHeight, picture: PixelSize(width: picture, height: picture),
      viewport: PixelSize(width: 412, height: height))
  }

  @Test(arguments: [
    (0.0, 0..<7), (1, 0..<7), (17, 0..<7), (17.5, 0..<8), (119.5, 0..<8), (120, 1..<8), (11_177, 93..<100),
    (20_000, 100..<100),
  ])
  func `a row is visible while a part of it is in the viewport`(offset: Double, rows: Range<Int>) throws {
    #expect(try Self.make().visibleRows(at: offset) == rows)
  }

  /// Rows of 120 px with centered images of 112 px: 4 px remain above and below.
  @Test(
    arguments: [
      (0, 0, 112), (0, 4, 112), (0, 60, 56), (0, 115, 1), (0, 115.5, 0), (0, 120, 0), (6, 0, 99),
      (7, 0, 0), (7, 22, 1), (6, 13, 112),
    ] as [(Int, Double, Double)])
  func `the visible area of an image has its pixel lines in the viewport`(
    row: Int, offset: Double, lines: Double
  ) throws {
    #expect(try Self.make().visibleArea(of: row, at: offset) == lines * 112)
  }

  @Test(arguments: [
    (5, 112, 823), (120, 112, 823), (44, 44, 823), (420, 400, 700), (823, 800, 823), (2000, 1000, 500),
  ])
  func `a list has more slots than rows that are visible at once`(rowHeight: Int, picture: Int, height: Int)
    throws
  {
    let layout = try Self.make(
      rows: 2000, rowHeight: rowHeight, picture: min(picture, rowHeight), height: height)
    for step in 0..<2000 {
      let visible = layout.visibleRows(at: Double(step) * 0.75)
      #expect(visible.count <= layout.visibleAtOnce)
    }
    #expect(layout.visibleAtOnce < layout.slots)
  }

  /// Random lists, against rows that are placed one after the other.
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `each row begins at the end of the rows before it`(seed: UInt64) throws {
    let draw = SeededDraw(seed: seed)
    func pick(_ range: ClosedRange<Int>, _ name: String, _ id: Int = 0) -> Int {
      range.lowerBound + Int(draw.bits(name, id) % UInt64(range.count))
    }
    let (rows, columns, height) = (pick(1...60, "rows"), pick(1...4, "columns"), pick(60...900, "height"))
    let section: ListLayout.Section? =
      draw.chance(0.5, "section", 0)
      ? ListLayout.Section(rows: pick(1...9, "under"), header: pick(1...50, "header")) : nil
    let heights = draw.chance(0.7, "mixed", 0) ? (0..<rows).map { pick(20...200, "picture", $0) } : nil
    let layout = try ListLayout(
      rows: rows, rowHeight: 70, picture: PixelSize(width: 50, height: 60), columns: columns,
      section: section, pictureHeights: heights, viewport: PixelSize(width: 300, height: height))

    var extents: [ClosedRange<Double>] = []
    var (top, row) = (0.0, 0)
    while row < rows {
      if let section, row % section.rows == 0 { top += Double(section.header) }
      var band = [row]
      while band.count < columns, let last = band.last, last + 1 < rows,
        section.map({ (last + 1) % $0.rows != 0 }) ?? true
      { band.append(last + 1) }
      let bottom = top + Double(10 + (band.map { heights?[$0] ?? 60 }.max() ?? 0))
      extents += band.map { _ in top...bottom }
      (row, top) = (row + band.count, bottom)
    }
    #expect((0..<rows).map { layout.extent(of: $0) } == extents)
    #expect(layout.length == top)
    #expect(layout.longestOffset == max(0, top - Double(height)))
    var most = 0
    for offset in stride(from: -50, through: top + 50, by: 3.25) {
      let visible = layout.visibleRows(at: offset)
      let end = offset + Double(height)
      let expected = extents.indices.filter {
        extents[$0].upperBound > offset && extents[$0].lowerBound < end
      }
      guard Array(visible) == expected else {
        Issue.record("\(visible) instead of \(expected) at offset \(offset)")
        return
      }
      most = max(most, visible.count)
      for row in visible {
        let (extent, picture) = (extents[row], Double(heights?[row] ?? 60))
        let from = (extent.lowerBound + extent.upperBound - picture) / 2
        let lines = min(from + picture, end) - max(from, offset)
        #expect(layout.visibleArea(of: row, at: offset) == (lines >= 1 ? lines * 50 : 0))
      }
    }
    #expect(most <= layout.visibleAtOnce)
    #expect(layout.visibleAtOnce < layout.slots)
  }

  @Test func `the visible rows of a long list with different heights are found in few steps`() throws {
    let layout = try ListLayout(
      rows: 1_000_000, rowHeight: 70, picture: PixelSize(width: 50, height: 60),
      pictureHeights: (0..<1_000_000).map { 20 + $0 % 7 })
    var found = 0
    // A search through a million rows for each offset would take minutes.
    for offset in stride(from: 0, to: layout.longestOffset, by: 1_500) {
      found += layout.visibleRows(at: offset).count
    }
    #expect(found > 500_000)
  }

  @Test func `an invalid layout is refused`() {
    let side = PixelSize(width: 50, height: 60)
    for heights in [[], [60], [60, 0], [60, 20_000], [60, 60, 60]] {
      #expect(throws: LoadError.self) {
        try ListLayout(rows: 2, rowHeight: 70, picture: side, pictureHeights: heights)
      }
    }
    #expect(throws: LoadError.self) { try ListLayout(rows: 2, rowHeight: 70, picture: side, columns: 0) }
    #expect(throws: LoadError.self) {
      try ListLayout(rows: 2, rowHeight: 70, picture: side, section: ListLayout.Section(rows: 0, header: 1))
    }
    #expect(throws: LoadError.self) {
      try ListLayout(
        rows: 1_000_001, rowHeight: 70, picture: side, section: ListLayout.Section(rows: 1, header: 1))
    }
    #expect(throws: LoadError.self) { try Self.make(rows: 0) }
    #expect(throws: LoadError.self) { try Self.make(rows: .max) }
    #expect(throws: LoadError.self) { try Self.make(rowHeight: 0) }
    #expect(throws: LoadError.self) { try Self.make(rowHeight: 1, picture: 1) }
    #expect(throws: LoadError.self) { try Self.make(rowHeight: 100, picture: 101) }
    #expect(throws: LoadError.self) { try Self.make(height: -1) }
  }
}
