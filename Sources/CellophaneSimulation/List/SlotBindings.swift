/// Which slot stands for which row. Pure: binding says what changed and touches nothing else.
struct SlotBindings: Sendable {
  /// A slot that now stands for another row.
  struct Change: Equatable, Sendable {
    let slot: Int
    let row: Int
  }

  private(set) var rows: [Int?]
  private var slots: [Int: Int] = [:]
  private var lastVisible: [Int]
  private var turn = 0

  /// `count` slots that stand for nothing.
  init(count: Int) {
    rows = Array(repeating: nil, count: count)
    lastVisible = Array(repeating: 0, count: count)
  }

  /// The slot of `row`, if it has one.
  func slot(of row: Int) -> Int? { slots[row] }

  /// Gives every row of `visible` a slot, taking the one first that has been out of sight for longest. A row
  /// that comes back before its slot was taken keeps it. O(rows · slots), with a handful of both.
  mutating func show(_ visible: Range<Int>) -> [Change] {
    precondition(visible.count <= rows.count, "more visible rows than slots")
    turn += 1
    var changes: [Change] = []
    for row in visible {
      if let slot = slots[row] {
        lastVisible[slot] = turn
      } else if let slot = spare(beside: visible) {
        if let old = rows[slot] { slots[old] = nil }
        rows[slot] = row
        slots[row] = slot
        lastVisible[slot] = turn
        changes.append(Change(slot: slot, row: row))
      }
    }
    return changes
  }

  private func spare(beside visible: Range<Int>) -> Int? {
    rows.indices
      .filter { slot in rows[slot].map { !visible.contains($0) } ?? true }
      .min { lastVisible[$0] < lastVisible[$1] }
  }
}
