/// A queue that is first in, first out, and can also remove its last element.
///
/// Removed elements are released in groups, which takes amortized constant time. An empty queue holds no
/// memory, because thousands of idle hosts are remembered.
struct Fifo<Element> {
  private var elements: [Element?] = []
  private var first = 0

  var isEmpty: Bool { first == elements.count }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func prepend(_ element: Element) {
    if first > 0 {
      first -= 1
      elements[first] = element
    } else {
      elements.insert(element, at: 0)
    }
  }

  mutating func filter(_ isKept: (Element) -> Bool) {
    elements = elements[first...].filter { $0.map(isKept) ?? false }
    first = 0
  }

  mutating func popLast() -> Element? {
    guard !isEmpty else { return nil }
    let element = elements.removeLast()
    if isEmpty { self = Fifo() }
    return element
  }

  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = elements[first].take()
    first += 1
    // At half: an earlier compaction would move elements too often, a later one would waste memory.
    if isEmpty {
      self = Fifo()
    } else if first * 2 >= elements.count {
      elements.removeFirst(first)
      first = 0
    }
    return element
  }
}
