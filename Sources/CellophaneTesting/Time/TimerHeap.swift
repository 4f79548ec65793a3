/// Values by due time; among equals, first in, first out. A binary heap: O(log n) to insert and remove.
struct TimerHeap<Value> {
  private struct Timer {
    let at: Int64
    let number: UInt64
    let value: Value

    func precedes(_ other: Timer) -> Bool {
      at != other.at ? at < other.at : number < other.number
    }
  }

  private var heap: [Timer] = []
  private var inserted: UInt64 = 0

  var first: (at: Int64, value: Value)? { heap.first.map { ($0.at, $0.value) } }

  mutating func insert(_ value: Value, at: Int64) {
    inserted += 1
    heap.append(Timer(at: at, number: inserted, value: value))
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].precedes(heap[parent]) else { break }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeFirst() {
    guard let last = heap.popLast(), !heap.isEmpty else { return }
    heap[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if heap[child].precedes(heap[least]) { least = child }
      }
      if least == parent { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
