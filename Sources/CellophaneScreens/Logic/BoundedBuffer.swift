/// A queue of bounded length, and the senders who wait for room in it. Pure: transitions return what to do.
///
/// Every transition is O(1), amortized, but ``leave(_:)``, which is O(waiting senders).
struct BoundedBuffer<Element> {
  /// One who waits for room.
  typealias Sender = UInt64

  /// What became of an element that was offered.
  enum Offer {
    case stored
    /// This one was dropped: the oldest, or the one that was offered.
    case dropped(Element)
    /// There is no room, and nothing may be dropped: the sender has to wait.
    case full
  }

  private struct Entry {
    let element: Element
    let sender: Sender?
  }

  private let capacity: Int
  let overflow: BufferOverflow
  /// What is in the buffer, from `head` on, and behind the first `capacity` what waits to get in. Nil before `head`,
  /// so that nothing lives longer than its stay.
  private var entries: [Entry?] = []
  private var head = 0
  private var sendersSeen: Sender = 0
  /// How many elements were dropped.
  private(set) var dropped = 0

  /// An empty buffer for `capacity` elements, at least one.
  init(capacity: Int, overflow: BufferOverflow) {
    self.capacity = max(1, capacity)
    self.overflow = overflow
  }

  /// How many elements are in the buffer.
  var count: Int { min(entries.count - head, capacity) }

  /// Puts `element` in the buffer, if the rule for a full one allows it.
  mutating func offer(_ element: Element) -> Offer {
    if count < capacity {
      entries.append(Entry(element: element, sender: nil))
      return .stored
    }
    switch overflow {
    case .suspend: return .full
    case .dropNewest:
      dropped += 1
      return .dropped(element)
    case .dropOldest:
      dropped += 1
      let oldest = popFirst()?.element
      entries.append(Entry(element: element, sender: nil))
      return .dropped(oldest ?? element)
    }
  }

  /// Counts an element that its sender does not wait for.
  mutating func drop() { dropped += 1 }

  /// Puts a sender with its `element` in line behind a full buffer.
  mutating func wait(_ element: Element) -> Sender {
    sendersSeen += 1
    entries.append(Entry(element: element, sender: sendersSeen))
    return sendersSeen
  }

  /// Takes a sender out of the line, and its element with it; false when that has got in already.
  mutating func leave(_ sender: Sender) -> Bool {
    // Not `head + capacity`, which may be too large for a number.
    guard entries.count - head > capacity,
      let place = entries.dropFirst(head + capacity).firstIndex(where: { $0?.sender == sender })
    else { return false }
    entries.remove(at: place)
    return true
  }

  /// Takes the oldest element out, and tells whose element got in for it.
  mutating func take() -> (element: Element, admitted: Sender?)? {
    guard let element = popFirst()?.element else { return nil }
    return (element, entries.count - head >= capacity ? entries[head + capacity - 1]?.sender : nil)
  }

  /// Takes everything out, those in line included, which count as dropped.
  mutating func removeAll() {
    dropped += entries.count - head
    entries = []
    head = 0
  }

  private mutating func popFirst() -> Entry? {
    guard head < entries.count else { return nil }
    let first = entries[head]
    entries[head] = nil
    head += 1
    // Once half of it is spent, so that each element is moved once on the average.
    if head * 2 >= entries.count {
      entries.removeFirst(head)
      head = 0
    }
    return first
  }
}
