/// A body in transfer on a ``PacketConnection``.
struct PacketStream: Sendable {
  let number: Int
  /// The size of the body, in bytes.
  let size: Int
  let order: StreamOrder
  /// The time from which it is sent, as it is at the bottleneck.
  let start: Int64
  /// The time after which a cancelled stream is not sent.
  var cutoff: Int64?
  /// The number of bytes that arrived before the stream was cancelled; nil while it is not.
  var receivedBeforeCancel: Int?
  /// The number of bytes that have not been sent for the first time; nil if all have. An empty body is one packet.
  private(set) var unsent: Int?
  /// The number of bytes that arrived, in any order.
  private(set) var received = 0
  /// The positions of its first and its last packet on the connection; nil before they are sent.
  private(set) var sequences: ClosedRange<Int>?
  /// True once the first packet has arrived and can be delivered.
  var hasBegun = false
  /// True once all data has arrived and can be delivered.
  var isComplete = false
  /// False once a cancelled stream sends nothing more.
  private(set) var isSending = true
  /// The number of its packets that are on their way.
  private var pending = 0

  init(number: Int, size: Int, order: StreamOrder, start: Int64, cutoff: Int64? = nil) {
    self.number = number
    self.size = size
    self.order = order
    self.start = start
    self.cutoff = cutoff
    receivedBeforeCancel = cutoff == nil ? nil : 0
    unsent = size
  }

  /// The number of bytes that were sent for the first time.
  var sent: Int { size - (unsent ?? 0) }
  /// True if nothing more arrives of a cancelled stream.
  var hasEnded: Bool { !isSending && pending == 0 }
  /// The number of bytes that arrived after the stream was cancelled.
  var receivedAfterCancel: Int { receivedBeforeCancel.map { max(0, received - $0) } ?? 0 }

  /// Takes the next data, at most `room` bytes, for a packet at `sequence`. Returns its size.
  mutating func take(_ room: Int, as sequence: Int) -> Int {
    let bytes = min(room, unsent ?? 0)
    unsent = sent + bytes == size ? nil : (unsent ?? 0) - bytes
    sequences = (sequences?.lowerBound ?? sequence)...sequence
    pending += 1
    return bytes
  }

  /// Counts a retransmission.
  mutating func resend() { pending += 1 }

  /// Counts a lost packet.
  mutating func lose() { pending -= 1 }

  mutating func receive(_ bytes: Int) {
    received += bytes
    pending -= 1
  }

  /// Begins and completes the stream as far as its data can be delivered: up to the first `hole`. Returns true if that
  /// changes something.
  mutating func deliver(upTo hole: Int) -> Bool {
    guard let sequences, !isComplete else { return false }
    let before = hasBegun
    let hasArrived = received > 0 || (size == 0 && pending == 0)
    hasBegun = hasBegun || (hasArrived && sequences.lowerBound < hole)
    isComplete = hasBegun && received == size && sequences.upperBound < hole
    return isComplete || hasBegun != before
  }

  /// Stops sending.
  mutating func stop() {
    unsent = nil
    isSending = false
  }
}
