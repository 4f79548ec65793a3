/// First in, first out, or the last first. Those that are gone are dropped together, so that each costs O(1) amortised; an empty one holds no
/// memory, because hosts with nothing to do are remembered by the thousand.
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
    // At half: a shorter rest would be moved too often, a longer one would hold too much.
    if isEmpty {
      self = Fifo()
    } else if first * 2 >= elements.count {
      elements.removeFirst(first)
      first = 0
    }
    return element
  }
}
