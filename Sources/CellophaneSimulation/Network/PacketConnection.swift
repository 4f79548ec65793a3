/// A connection of a ``PacketNetwork``: its congestion control and its streams.
///
/// The window doubles each round trip until the first loss (slow start, RFC 5681, without HyStart). A loss reduces it to 0.7
/// of its size, once for all packets that were sent before. It then grows by 0.53 segments per round trip: CUBIC in its region
/// of small windows (RFC 9438, section 4.3). A loss is noticed when a packet in the place of the lost one would be
/// acknowledged, and the data is sent again before all other data.
struct PacketConnection: Sendable {
  /// The factor of the window at a loss (RFC 9438, section 4.6).
  private static let reduction = 0.7
  /// The growth of the window per round trip, in segments (RFC 9438, section 4.3).
  private static let growth = 3 * (1 - reduction) / (1 + reduction)

  let number: Int
  /// The congestion window, in bytes.
  private var exactWindow = Double(FlowTerms.initialWindow)
  var streams: [PacketStream] = []
  var isClosed = false
  /// The window from which growth is slow; nil before the first loss.
  private var threshold: Int?
  private var inFlight = 0
  private var reductions = 0
  private var nextSequence = 0
  private var lastSent: Int64 = 0
  /// The lost packets that are noticed and not sent again yet.
  private var lost: [Packet] = []
  /// The lost data that has not arrived: its positions, and their streams.
  private var holes: [Int: Int] = [:]

  init(number: Int) { self.number = number }

  /// The congestion window, in bytes.
  var window: Int { Int(exactWindow) }

  /// Adds a stream.
  mutating func add(_ stream: PacketStream, _ terms: FlowTerms, at now: Int64) {
    if streams.isEmpty, inFlight == 0 {
      let restarted = terms.window(window, afterIdle: now - lastSent)
      if restarted < window { exactWindow = Double(restarted) }
    }
    streams.append(stream)
  }

  /// Returns the next packet that the window allows; nil if there is none.
  mutating func nextPacket(_ terms: FlowTerms, at now: Int64) -> Packet? {
    guard inFlight == 0 || inFlight + FlowTerms.segment <= window else { return nil }
    if !lost.isEmpty {
      let packet = lost.removeFirst()
      if let index = streams.firstIndex(where: { $0.number == packet.stream }) { streams[index].resend() }
      return send(packet.bytes, of: packet.stream, as: packet.sequence, at: now)
    }
    let ready = streams.indices.filter { streams[$0].unsent != nil && streams[$0].start <= now }
    // Of the streams that share the connection, the one that has sent least.
    let served = terms.scheduling.served(ready) { streams[$0].order }
    guard let index = served.min(by: { streams[$0].sent < streams[$1].sent }) else { return nil }
    let room = max(
      FlowTerms.segment, min(terms.packet, (window - inFlight) / FlowTerms.segment * FlowTerms.segment))
    let bytes = streams[index].take(room, as: nextSequence)
    defer { nextSequence += 1 }
    return send(bytes, of: streams[index].number, as: nextSequence, at: now)
  }

  private mutating func send(_ bytes: Int, of stream: Int, as sequence: Int, at now: Int64) -> Packet {
    inFlight += bytes
    lastSent = now
    return Packet(
      connection: number, stream: stream, bytes: bytes, sequence: sequence, reductions: reductions,
      arrival: now)
  }

  /// Records that the buffer or the link has lost a packet, before its sender notices.
  mutating func lose(_ packet: Packet) {
    holes[packet.sequence] = packet.stream
    if let index = streams.firstIndex(where: { $0.number == packet.stream }) { streams[index].lose() }
  }

  /// Receives a packet. Returns true if a stream has begun or is complete.
  mutating func receive(_ packet: Packet, _ terms: FlowTerms) -> Bool {
    holes[packet.sequence] = nil
    if let index = streams.firstIndex(where: { $0.number == packet.stream }) {
      streams[index].receive(packet.bytes)
    }
    // Over TCP data is delivered in the order in which it was sent.
    let first = holes.keys.min() ?? .max
    var changes = false
    for index in streams.indices {
      let number = streams[index].number
      let hole = terms.isOrdered ? first : holes.filter { $0.value == number }.keys.min() ?? .max
      if streams[index].deliver(upTo: hole) { changes = true }
    }
    return changes
  }

  /// Processes the acknowledgement of a packet, or of the packets behind a lost one.
  mutating func acknowledge(_ packet: Packet, isLost: Bool, _ terms: FlowTerms) {
    let isLimited = inFlight + terms.packet > window || (threshold == nil && 2 * inFlight >= window)
    inFlight -= packet.bytes
    if isLost {
      lost.append(packet)
      guard packet.reductions == reductions else { return }
      exactWindow = max(Double(2 * FlowTerms.segment), exactWindow * Self.reduction)
      (threshold, reductions) = (window, reductions + 1)
    } else if isLimited, packet.reductions == reductions {
      if let threshold, window >= threshold {
        exactWindow += Double(packet.bytes * FlowTerms.segment) * Self.growth / exactWindow
      } else {
        exactWindow += Double(packet.bytes)
      }
    }
  }

  /// Ends cancelled streams at their cutoff, and removes those whose data has arrived. Returns the bytes that
  /// removed streams received after they were cancelled.
  mutating func endCancelled(at now: Int64) -> Int {
    var receivedAfterCancel = 0
    for index in streams.indices.reversed() {
      guard let cutoff = streams[index].cutoff else { continue }
      if cutoff <= now { streams[index].stop() }
      guard streams[index].isComplete || streams[index].hasEnded else { continue }
      receivedAfterCancel += streams[index].receivedAfterCancel
      streams.remove(at: index)
    }
    return receivedAfterCancel
  }
}
