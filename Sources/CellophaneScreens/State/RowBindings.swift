/// Which slot stands for which row. Pure: binding says what changed and touches nothing else.
package struct RowBindings: Sendable {
  /// A slot that now stands for another row, or for a row whose content is another.
  package struct Change: Equatable, Sendable {
    package let slot: Int
    package let row: Int
  }

  /// The row of each slot.
  package private(set) var rows: [Int?]
  /// The rows that were visible last.
  package private(set) var visible = 0..<0
  private var slots: [Int: Int] = [:]
  /// The slot of each visible row: most frames ask for no other.
  private var visibleSlots: [Int] = []
  private var lastVisible: [Int]
  private var turn = 0

  /// `count` slots that stand for nothing, each of which is taken before another is used again.
  package init(count: Int = 0) {
    let count = max(0, count)
    rows = Array(repeating: nil, count: count)
    lastVisible = Array(repeating: 0, count: count)
  }

  /// The slot of `row`, if it has one. O(1).
  package func slot(of row: Int) -> Int? {
    visible.contains(row) ? visibleSlots[row - visible.lowerBound] : slots[row]
  }

  /// Gives every row of `visible` a slot, taking the one first that has been out of sight for longest, and a new one when all
  /// are in sight. A row that comes back before its slot was taken keeps it. O(1) for the same rows as before, else
  /// O(rows · slots), with a handful of both.
  package mutating func show(_ visible: Range<Int>) -> [Change] {
    if visible == self.visible { return [] }
    turn += 1
    var changes: [Change] = []
    self.visible = visible
    visibleSlots.removeAll(keepingCapacity: true)
    for row in visible {
      let slot = slots[row] ?? spare(beside: visible)
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

  /// Forgets what every slot stands for, as if there had been `count` slots from the start, or as many as there are. The next
  /// ``show(_:)`` binds all that come in.
  package mutating func removeAll(count: Int? = nil) { self = RowBindings(count: count ?? rows.count) }

  private mutating func spare(beside visible: Range<Int>) -> Int {
    let spare = rows.indices
      .filter { slot in rows[slot].map { !visible.contains($0) } ?? true }
      .min { lastVisible[$0] < lastVisible[$1] }
    if let spare { return spare }
    rows.append(nil)
    lastVisible.append(0)
    return rows.count - 1
  }
}
