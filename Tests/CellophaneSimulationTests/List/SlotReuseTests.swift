import Testing

@testable import CellophaneSimulation

@Suite struct SlotReuseTests {
  /// Which slot stands for which row, with every frame looked at anew.
  private struct Reference {
    var rows: [Int?]
    var lastVisible: [Int]
    var turn = 0

    mutating func show(_ visible: Range<Int>) -> [SlotBindings.Change] {
      turn += 1
      return visible.compactMap { row in
        if let slot = rows.firstIndex(of: row) {
          lastVisible[slot] = turn
          return nil
        }
        let spare = rows.indices.filter { slot in !visible.contains { rows[slot] == $0 } }
        guard let slot = spare.min(by: { lastVisible[$0] < lastVisible[$1] }) else { return nil }
        rows[slot] = row
        lastVisible[slot] = turn
        return SlotBindings.Change(slot: slot, row: row)
      }
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `a row takes the slot that has been out of sight for longest`(seed: UInt64) {
    let draw = SeededDraw(seed: seed)
    var bindings = SlotBindings(count: 6)
    var reference = Reference(
      rows: Array(repeating: nil, count: 6), lastVisible: Array(repeating: 0, count: 6))
    var first = 0
    for step in 0..<400 {
      // Mostly the same rows or the next ones; now and then none, or others far away.
      switch draw.bits("way", step) % 20 {
      case 0: first = Int(draw.bits("jump", step) % 30)
      case 1...4: first += 1
      case 5...8: first = max(0, first - 1)
      default: break
      }
      let count = draw.chance(0.2, "height", step) ? Int(draw.bits("rows", step) % 7) : 5
      let visible = first..<first + count
      #expect(bindings.show(visible) == reference.show(visible))
      #expect(bindings.rows == reference.rows)
      for row in 0..<40 { #expect(bindings.slot(of: row) == reference.rows.firstIndex(of: row)) }
    }
  }
}
