/// The bindings of slots to rows. Pure: binding returns the changes and has no effects.
package struct RowBindings: Sendable {
  /// A slot that was bound to another row, or to a row with other content.
  package struct Change: Equatable, Sendable {
    package let slot: Int
    package let row: Int
  }

  /// The row of each slot.
  package private(set) var rows: [Int?]
  /// The rows that were visible last.
  package private(set) var visible = 0..<0
  private var slots: [Int: Int] = [:]
  /// The slots of the visible rows. Most frames need no others.
  private var visibleSlots: [Int] = []
  private var lastVisible: [Int]
  /// The number of frames that changed the visible rows.
  private var frame = 0

  /// Creates `count` unbound slots. Each is used once before any is reused.
  package init(count: Int = 0) {
    let count = max(0, count)
    rows = Array(repeating: nil, count: count)
    lastVisible = Array(repeating: 0, count: count)
  }

  /// Returns the slot of `row`, if it has one. O(1).
  package func slot(of row: Int) -> Int? {
    visible.contains(row) ? visibleSlots[row - visible.lowerBound] : slots[row]
  }

  /// Binds a slot to each row of `visible`. It prefers the slot that was out of sight for longest, and
  /// creates one if all are in sight. A row that returns before its slot is reused keeps it. O(1) for the
  /// same rows as before, otherwise O(rows · slots); both are small.
  package mutating func show(_ visible: Range<Int>) -> [Change] {
    if visible == self.visible { return [] }
    frame += 1
    var changes: [Change] = []
    self.visible = visible
    visibleSlots.removeAll(keepingCapacity: true)
    for row in visible {
      let slot = slots[row] ?? unusedSlot(outside: visible)
      if rows[slot] != row {
        if let old = rows[slot] { slots[old] = nil }
        rows[slot] = row
        slots[row] = slot
        changes.append(Change(slot: slot, row: row))
      }
      lastVisible[slot] = frame
      visibleSlots.append(slot)
    }
    return changes
  }

  /// Unbinds every slot, as if there had been `count` slots from the start; nil keeps their number. The next
  /// ``show(_:)`` binds all visible rows.
  package mutating func removeAll(count: Int? = nil) { self = RowBindings(count: count ?? rows.count) }

  private mutating func unusedSlot(outside visible: Range<Int>) -> Int {
    let unused = rows.indices
      .filter { slot in rows[slot].map { !visible.contains($0) } ?? true }
      .min { lastVisible[$0] < lastVisible[$1] }
    if let unused { return unused }
    rows.append(nil)
    lastVisible.append(0)
    return rows.count - 1
  }
}
