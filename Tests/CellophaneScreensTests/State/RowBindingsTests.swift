internal import Cellophane
@testable internal import CellophaneScreens
internal import Testing

@Suite("Bindings of slots to rows")
struct RowBindingsTests {
  private typealias Change = RowBindings.Change

  @Test("the slot that was out of sight for longest takes the next row, and a returning row keeps its slot")
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

  @Test("each slot is used once before any is reused")
  func fixed() {
    var bindings = RowBindings(count: 4)
    #expect(bindings.show(0..<3).map(\.row) == [0, 1, 2])
    #expect(bindings.show(1..<4) == [Change(slot: 3, row: 3)])
    #expect(bindings.show(2..<5) == [Change(slot: 0, row: 4)])
    #expect(bindings.show(1..<4) == [])
    #expect(bindings.show(0..<3) == [Change(slot: 0, row: 0)])
    bindings.removeAll(count: 3)
    #expect(bindings.rows == [nil, nil, nil])
    #expect(bindings.show(2..<5) == (0..<3).map { Change(slot: $0, row: $0 + 2) })
    bindings.removeAll()
    #expect(bindings.rows.count == 3)
  }

  /// A simple reference that searches all slots in each frame.
  private struct Reference {
    var rows: [Int?]
    var lastVisible: [Int]
    var frame = 0

    mutating func show(_ visible: Range<Int>) -> [Change] {
      frame += 1
      return visible.compactMap { row in
        if let slot = rows.firstIndex(of: row) {
          lastVisible[slot] = frame
          return nil
        }
        let unused = rows.indices.filter { slot in !visible.contains { rows[slot] == $0 } }
        guard let slot = unused.min(by: { lastVisible[$0] < lastVisible[$1] }) else { return nil }
        rows[slot] = row
        lastVisible[slot] = frame
        return Change(slot: slot, row: row)
      }
    }
  }

  @Test("random scrolling matches the reference", arguments: 0..<20)
  func reference(seed: Int) {
    var random = SplitMix64(seed: seed)
    var bindings = RowBindings(count: 6)
    var reference = Reference(
      rows: Array(repeating: nil, count: 6), lastVisible: Array(repeating: 0, count: 6))
    var first = 0
    for _ in 0..<400 {
      // Mostly the same rows or the next ones, sometimes none or distant ones.
      switch Int.random(in: 0..<20, using: &random) {
      case 0: first = Int.random(in: 0..<30, using: &random)
      case 1...4: first += 1
      case 5...8: first = max(0, first - 1)
      default: break
      }
      let isOther = Int.random(in: 0..<5, using: &random) == 0
      let visible = first..<first + (isOther ? Int.random(in: 0..<7, using: &random) : 5)
      #expect(bindings.show(visible) == reference.show(visible), "seed \(seed)")
      #expect(bindings.rows == reference.rows, "seed \(seed)")
      for row in 0..<40 { #expect(bindings.slot(of: row) == reference.rows.firstIndex(of: row)) }
    }
  }

  @Test(
    "each visible row has one slot, and there are only as many slots as rows were visible at once",
    arguments: 0..<200)
  func random(seed: Int) {
    var random = SplitMix64(seed: seed)
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
      // The reported changes lead to the current bindings.
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
