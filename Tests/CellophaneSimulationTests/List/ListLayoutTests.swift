import Cellophane
@testable import CellophaneSimulation
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
  func `rows are visible from their first line to their last`(offset: Double, rows: Range<Int>) throws {
    #expect(try Self.make().visibleRows(at: offset) == rows)
  }

  /// Rows of 120 px with pictures of 112 in the middle: 4 px above and below.
  @Test(
    arguments: [
      (0, 0, 112), (0, 4, 112), (0, 60, 56), (0, 115, 1), (0, 115.5, 0), (0, 120, 0), (6, 0, 99),
      (7, 0, 0), (7, 22, 1), (6, 13, 112),
    ] as [(Int, Double, Double)])
  func `as many lines of a picture are visible as lie in the viewport`(
    row: Int, offset: Double, lines: Double
  ) throws {
    #expect(try Self.make().visibleArea(of: row, at: offset) == lines * 112)
  }

  @Test(arguments: [
    (5, 112, 823), (120, 112, 823), (44, 44, 823), (420, 400, 700), (823, 800, 823), (2000, 1000, 500),
  ])
  func `there are slots for every place`(rowHeight: Int, picture: Int, height: Int) throws {
    let layout = try Self.make(
      rows: 2000, rowHeight: rowHeight, picture: min(picture, rowHeight), height: height)
    for step in 0..<2000 {
      let visible = layout.visibleRows(at: Double(step) * 0.75)
      #expect(visible.count <= layout.visibleAtOnce)
    }
    #expect(layout.visibleAtOnce < layout.slots)
  }

  @Test func `what cannot be laid out is refused`() {
    #expect(throws: LoadError.self) { try Self.make(rows: 0) }
    #expect(throws: LoadError.self) { try Self.make(rows: .max) }
    #expect(throws: LoadError.self) { try Self.make(rowHeight: 0) }
    #expect(throws: LoadError.self) { try Self.make(rowHeight: 1, picture: 1) }
    #expect(throws: LoadError.self) { try Self.make(rowHeight: 100, picture: 101) }
    #expect(throws: LoadError.self) { try Self.make(height: -1) }
  }
}

@Suite struct SlotBindingsTests {
  @Test func `the slot longest out of sight is taken first`() {
    var bindings = SlotBindings(count: 4)
    #expect(bindings.show(0..<3).map(\.row) == [0, 1, 2])
    #expect(bindings.show(1..<4) == [SlotBindings.Change(slot: 3, row: 3)])
    #expect(bindings.show(2..<5) == [SlotBindings.Change(slot: 0, row: 4)])
    #expect(bindings.show(1..<4) == [])
    #expect(bindings.show(0..<3) == [SlotBindings.Change(slot: 0, row: 0)])
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `every visible row has a slot of its own, whatever the order`(seed: UInt64) {
    let draw = SeededDraw(seed: seed)
    var bindings = SlotBindings(count: 9)
    for step in 0..<500 {
      let first = Int(draw.uniform(in: 0...60, "first", step))
      let visible = first..<first + Int(draw.uniform(in: 0...9.99, "count", step))
      let before = bindings
      for change in bindings.show(visible) {
        #expect(before.rows[change.slot].map { !visible.contains($0) } ?? true, "seed \(seed)")
        #expect(bindings.rows[change.slot] == change.row, "seed \(seed)")
      }
      for row in visible {
        #expect(bindings.slot(of: row).map { bindings.rows[$0] } == .some(row), "seed \(seed)")
        if let kept = before.slot(of: row) { #expect(bindings.slot(of: row) == kept, "seed \(seed)") }
      }
      #expect(
        Set(bindings.rows.compactMap(\.self)).count == bindings.rows.count { $0 != nil }, "seed \(seed)")
    }
  }
}
