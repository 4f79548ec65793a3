/// Values ordered by due time, and by insertion when the times are equal. A binary heap: O(log n) to insert and remove.
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
    let timer = Timer(at: at, number: inserted, value: value)
    heap.append(timer)
    // Moves a hole instead of the timer, which halves the copies.
    var hole = heap.count - 1
    while hole > 0 {
      let parent = (hole - 1) / 2
      guard timer.precedes(heap[parent]) else { break }
      heap[hole] = heap[parent]
      hole = parent
    }
    heap[hole] = timer
  }

  mutating func removeFirst() {
    guard let last = heap.popLast(), !heap.isEmpty else { return }
    var hole = 0
    while true {
      var child = 2 * hole + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
      guard heap[child].precedes(last) else { break }
      heap[hole] = heap[child]
      hole = child
    }
    heap[hole] = last
  }
}
