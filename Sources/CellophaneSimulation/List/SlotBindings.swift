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
  /// The rows that were visible last, and the slot of each: most frames ask for no other.
  private var visible = 0..<0
  private var visibleSlots: [Int] = []

  /// `count` slots that stand for nothing.
  init(count: Int) {
    rows = Array(repeating: nil, count: count)
    lastVisible = Array(repeating: 0, count: count)
  }

  /// The slot of `row`, if it has one.
  func slot(of row: Int) -> Int? {
    visible.contains(row) ? visibleSlots[row - visible.lowerBound] : slots[row]
  }

  /// Gives every row of `visible` a slot, taking the one first that has been out of sight for longest. A row
  /// that comes back before its slot was taken keeps it. O(1) for the same rows as before, else O(rows · slots), with a
  /// handful of both.
  mutating func show(_ visible: Range<Int>) -> [Change] {
    precondition(visible.count <= rows.count, "more visible rows than slots")
    // Their slots are still those that were visible last.
    if visible == self.visible { return [] }
    turn += 1
    var changes: [Change] = []
    self.visible = visible
    visibleSlots.removeAll(keepingCapacity: true)
    for row in visible {
      guard let slot = slots[row] ?? spare(beside: visible) else { preconditionFailure("no slot to spare") }
      if rows[slot] != row {
        if let old = rows[slot] { slots[old] = nil }
        rows[slot] = row
        slots[row] = slot
        changes.append(Change(slot: slot, row: row))
      }
      lastVisible[slot] = turn
      visibleSlots.append(slot)
    }
    return changes
  }

  private func spare(beside visible: Range<Int>) -> Int? {
    rows.indices
      .filter { slot in rows[slot].map { !visible.contains($0) } ?? true }
      .min { lastVisible[$0] < lastVisible[$1] }
  }
}
