/// One body on its way over a ``FlowConnection``.
struct FlowStream {
  let number: Int
  /// In bytes.
  let size: Int
  let order: StreamOrder
  /// Uniform in 0..<1; below the chance of a loss in the last window there is one.
  let luck: Double
  /// When its first byte arrives.
  let start: Int64
  /// What is left, in bit/s · ns.
  var left: Int64
  /// In bit/s.
  var rate: Int64 = 0
  /// When nothing more of it comes, once it is given up.
  var cut: Int64?
  /// The bytes that came until it was given up.
  var wanted: Int?
  /// The end of the wait for its last segment, when that was lost.
  var heldUntil: Int64?
  /// True once everything was sent and what was lost of it came again.
  var isWhole: Bool

  init(
    number: Int, size: Int, order: StreamOrder, luck: Double, start: Int64, cut: Int64?, wanted: Int?
  ) {
    self.number = number
    self.size = size
    self.order = order
    self.luck = luck
    self.start = start
    self.cut = cut
    self.wanted = wanted
    left = Int64(size) * FlowTerms.byte
    isWhole = size == 0
  }

  /// The bytes that came.
  var received: Int {
    if heldUntil != nil { return size - min(size, FlowTerms.segment) }
    return size - Int((left + FlowTerms.byte - 1) / FlowTerms.byte)
  }

  /// The bytes that came after it was given up.
  var unwanted: Int { wanted.map { max(0, received - $0) } ?? 0 }
}
