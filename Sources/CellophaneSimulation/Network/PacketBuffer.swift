internal import CellophaneNetwork

/// A packet of a ``PacketNetwork``.
struct Packet: Sendable {
  let connection: Int
  let stream: Int
  let bytes: Int
  /// The position of the data on its connection. A retransmission has that of the lost packet.
  let sequence: Int
  /// The number of window reductions of the connection when the packet was sent.
  let reductions: Int
  /// The time at which it reached the buffer.
  let arrival: Int64
  /// True if the buffer was full. The packet keeps its place, because its loss is noticed when later packets arrive.
  var isLost = false
}

/// The buffer in front of the bottleneck, first in, first out, and the packet that is on the link.
struct PacketBuffer: Sendable {
  private let terms: FlowTerms
  /// The number of bytes that can wait.
  private let limit: Int
  private var codel: CoDel?
  private var waiting = PacketQueue<Packet>()
  private var waitingBytes = 0
  /// The packet on the link, and the time at which its last bit arrives.
  private(set) var sending: (packet: Packet, end: Int64)?

  /// Creates an empty buffer.
  init(_ terms: FlowTerms, _ discipline: QueueDiscipline) {
    self.terms = terms
    switch discipline {
    case .dropTail(let time):
      let bytes = Int128(terms.mean) * Int128(time.wholeNanoseconds) / Int128(FlowTerms.byte)
      limit = max(terms.packet, Int(min(bytes, Int128(FlowTerms.maxBody))))
    case .codel:
      limit = CoDel.maxPackets * FlowTerms.segment
      codel = CoDel()
    }
  }

  /// The time at which the data in the buffer has been sent; `now` if there is none.
  func end(at now: Int64) -> Int64 {
    terms.end(of: Int128(waitingBytes) * Int128(FlowTerms.byte), from: sending?.end ?? now)
  }

  /// Adds a packet. Returns false if it does not fit and is lost.
  mutating func add(_ packet: Packet) -> Bool {
    var packet = packet
    packet.isLost = waitingBytes + packet.bytes > limit
    if !packet.isLost { waitingBytes += packet.bytes }
    waiting.append(packet)
    return !packet.isLost
  }

  /// Takes the packet off the link whose last bit has arrived by `now`.
  mutating func takeSent(by now: Int64) -> Packet? {
    guard let (packet, end) = sending, end <= now else { return nil }
    sending = nil
    return packet
  }

  /// Sends the next packet over an idle link; returns a lost packet before it instead, if there is one.
  mutating func sendNext(at now: Int64) -> Packet? {
    guard sending == nil, let packet = waiting.popFirst() else { return nil }
    if packet.isLost { return packet }
    waitingBytes -= packet.bytes
    if codel?.drops(arrivedAt: packet.arrival, waitingBytes: waitingBytes, at: now) == true { return packet }
    sending = (packet, terms.end(of: Int128(packet.bytes) * Int128(FlowTerms.byte), from: now))
    return nil
  }
}
