/// A reorder buffer: restores the order of positions with bounded memory. Pure.
struct ResultOrder<Element: Sendable>: Sendable {
  /// The maximum distance to the next position. 10 000: at a thousand records per second, a record that takes
  /// ten seconds delays no other.
  static var mostWaiting: Int { 10_000 }
  /// The maximum number of buffered bytes, as the caller counts them. 32 MB: with the longest records, a
  /// quarter of the memory of a run.
  static var mostBytes: Int { 32 << 20 }

  private var waiting: [Int: (element: Element?, bytes: Int)] = [:]
  private var bytes = 0
  /// The next position of the output.
  private var next = 0

  init() {}

  /// Returns whether the element at `position` may start. The next position always may.
  func admits(_ position: Int) -> Bool {
    position <= next || position < next + Self.mostWaiting && bytes < Self.mostBytes
  }

  /// Adds a finished element, or nil for a position without one. Returns the elements that are now in order.
  mutating func insert(_ element: Element?, bytes: Int, at position: Int) -> [Element] {
    waiting[position] = (element, bytes)
    self.bytes += bytes
    var ready: [Element] = []
    while let (element, bytes) = waiting.removeValue(forKey: next) {
      next += 1
      self.bytes -= bytes
      if let element { ready.append(element) }
    }
    return ready
  }

  /// Removes and returns all buffered elements, in order.
  mutating func rest() -> [Element] {
    let rest = waiting.sorted { $0.key < $1.key }.compactMap(\.value.element)
    waiting = [:]
    bytes = 0
    return rest
  }
}
