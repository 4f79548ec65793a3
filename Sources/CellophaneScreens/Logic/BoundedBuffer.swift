/// A queue of bounded length, and the senders that wait for room in it. Pure: transitions return actions.
///
/// Every transition is amortized O(1), except ``leave(_:)``, which is O(waiting senders).
struct BoundedBuffer<Element> {
  /// The number of a sender that waits for room.
  typealias Sender = UInt64

  /// The result of an offer.
  enum Offer {
    case stored
    /// An element was dropped: the oldest one, or the offered one.
    case dropped(Element)
    /// There is no room and nothing may be dropped. The sender must wait.
    case full
  }

  private struct Entry {
    let element: Element
    let sender: Sender?
  }

  private let capacity: Int
  let overflow: BufferOverflow
  /// The buffered elements, from `head` on. After the first `capacity` of them, the elements of waiting
  /// senders. Entries before `head` are nil, so that they do not outlive their stay.
  private var entries: [Entry?] = []
  private var head = 0
  private var sendersSeen: Sender = 0
  /// The number of dropped elements.
  private(set) var dropped = 0

  /// Creates an empty buffer for `capacity` elements, at least one.
  init(capacity: Int, overflow: BufferOverflow) {
    self.capacity = max(1, capacity)
    self.overflow = overflow
  }

  /// The number of buffered elements.
  var count: Int { min(entries.count - head, capacity) }

  /// Adds `element` to the buffer. If the buffer is full, the overflow rule decides.
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

  /// Counts a dropped element whose sender does not wait.
  mutating func drop() { dropped += 1 }

  /// Queues a sender with its `element` behind a full buffer.
  mutating func wait(_ element: Element) -> Sender {
    sendersSeen += 1
    entries.append(Entry(element: element, sender: sendersSeen))
    return sendersSeen
  }

  /// Removes a waiting sender and its element. Returns false if the element is already in the buffer.
  mutating func leave(_ sender: Sender) -> Bool {
    // Not `head + capacity`, which may overflow.
    guard entries.count - head > capacity,
      let place = entries.dropFirst(head + capacity).firstIndex(where: { $0?.sender == sender })
    else { return false }
    entries.remove(at: place)
    return true
  }

  /// Removes the oldest element. Returns it with the sender whose element takes its room.
  mutating func take() -> (element: Element, admitted: Sender?)? {
    guard let element = popFirst()?.element else { return nil }
    return (element, entries.count - head >= capacity ? entries[head + capacity - 1]?.sender : nil)
  }

  /// Removes all elements, also those of waiting senders. They count as dropped.
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
    // Compacts once half of the array is unused, so that each element moves once on average.
    if head * 2 >= entries.count {
      entries.removeFirst(head)
      head = 0
    }
    return first
  }
}
