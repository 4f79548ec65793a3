@testable internal import CellophaneScreens
internal import Testing

@Suite("Slots for rows")
struct RowBindingsTests {
  private typealias Change = RowBindings.Change

  @Test("the one longest out of sight takes the next row, and a row that comes back keeps its own")
  func reuse() {
    var bindings = RowBindings()
    let changes = [0..<3, 0..<3, 1..<3, 0..<3, 1..<4, 2..<6].map { bindings.show($0) }
    #expect(changes[0] == (0..<3).map { Change(slot: $0, row: $0) })
    #expect(changes[1] == [] && changes[2] == [] && changes[3] == [])
    #expect(changes[4] == [Change(slot: 0, row: 3)])
    #expect(changes[5] == [Change(slot: 1, row: 4), Change(slot: 3, row: 5)])
    #expect(bindings.rows == [3, 4, 2, 5])
    bindings.removeAll()
    #expect(bindings.slot(of: 3) == nil)
    let bound = bindings.show(2..<4).map(\.row)
    #expect(bound == [2, 3])
  }

  @Test(
    "any scrolling: each visible row has one slot of its own, and there are never more than were in sight",
    arguments: 0..<200)
  func random(seed: Int) {
    var random = Seeded(seed)
    var bindings = RowBindings()
    var most = 0
    var before: [Int?] = []
    for _ in 0..<100 {
      let start = Int.random(in: 0..<40, using: &random)
      let visible = start..<start + Int.random(in: 0..<9, using: &random)
      let changes = bindings.show(visible)
      most = max(most, visible.count)
      let slots = visible.map { bindings.slot(of: $0) }
      #expect(Set(slots.compactMap(\.self)).count == visible.count, "seed \(seed)")
      #expect(
        zip(visible, slots).allSatisfy { row, slot in slot.map { bindings.rows[$0] } == row }, "seed \(seed)")
      #expect(bindings.rows.count == most, "seed \(seed)")
      // What is told is what changed.
      for change in changes {
        while before.count <= change.slot { before.append(nil) }
        before[change.slot] = change.row
      }
      #expect(before == bindings.rows, "seed \(seed)")
      if Int.random(in: 0..<20, using: &random) == 0 {
        bindings.removeAll()
        before = before.map { _ in nil }
      }
    }
  }
}
