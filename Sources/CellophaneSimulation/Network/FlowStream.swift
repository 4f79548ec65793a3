/// A body in transfer on a ``FlowConnection``.
struct FlowStream {
  let number: Int
  /// The size of the body, in bytes.
  let size: Int
  let order: StreamOrder
  /// A uniform number in 0..<1. If it is below the chance of a loss in the last window, a segment is lost.
  let lossDraw: Double
  /// The time at which the first byte arrives.
  let start: Int64
  /// The amount that remains, in bit/s · ns.
  var remaining: Int64
  /// The current rate, in bit/s.
  var rate: Int64 = 0
  /// The time after which no more data of a cancelled stream arrives.
  var cutoff: Int64?
  /// The number of bytes that arrived before the stream was cancelled; nil while it is not.
  var receivedBeforeCancel: Int?
  /// The time at which its lost last segment is retransmitted.
  var stalledUntil: Int64?
  /// True once all data was sent and lost data was retransmitted.
  var isComplete: Bool

  init(
    number: Int, size: Int, order: StreamOrder, lossDraw: Double, start: Int64, cutoff: Int64?,
    receivedBeforeCancel: Int?
  ) {
    self.number = number
    self.size = size
    self.order = order
    self.lossDraw = lossDraw
    self.start = start
    self.cutoff = cutoff
    self.receivedBeforeCancel = receivedBeforeCancel
    remaining = Int64(size) * FlowTerms.byte
    isComplete = size == 0
  }

  /// The number of bytes that arrived.
  var received: Int {
    if stalledUntil != nil { return size - min(size, FlowTerms.segment) }
    return size - Int((remaining + FlowTerms.byte - 1) / FlowTerms.byte)
  }

  /// The number of bytes that arrived after the stream was cancelled.
  var receivedAfterCancel: Int { receivedBeforeCancel.map { max(0, received - $0) } ?? 0 }
}
