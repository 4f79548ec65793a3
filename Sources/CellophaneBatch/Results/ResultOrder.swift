/// Brings what ends in any order into the order in which it began, in bounded memory. Pure.
struct ResultOrder<Element: Sendable>: Sendable {
  /// The most that waits. 10 000: at a thousand lines a second, one that takes ten seconds holds no other up.
  static var mostWaiting: Int { 10_000 }
  /// The most bytes that wait, as they are counted by who gives them. 32 MB: with the longest lines, still a quarter of
  /// what a run may take.
  static var mostBytes: Int { 32 << 20 }

  private var waiting: [Int: (element: Element?, bytes: Int)] = [:]
  private var bytes = 0
  /// The position whose turn it is.
  private var next = 0

  init() {}

  /// Whether what has this position may begin. The one whose turn it is always may.
  func admits(_ position: Int) -> Bool {
    position <= next || position < next + Self.mostWaiting && bytes < Self.mostBytes
  }

  /// Takes what ended, nil for what gives nothing, and returns what is next, in order.
  mutating func place(_ element: Element?, bytes: Int, at position: Int) -> [Element] {
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

  /// What is left behind one that never ended, in order.
  mutating func rest() -> [Element] {
    let rest = waiting.sorted { $0.key < $1.key }.compactMap(\.value.element)
    waiting = [:]
    bytes = 0
    return rest
  }
}
