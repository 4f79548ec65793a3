internal import CellophaneNetwork

/// The bodies that share one access link with a buffer in front of it, packet by packet.
///
/// A packet waits for all packets before it, of every connection. A full buffer loses packets, or CoDel drops them.
/// Acknowledgements need a round trip from the arrival of a packet to the arrival of the data that they allow, as on a path
/// without other queues. Fast links send several segments as one packet, as network cards do.
///
/// All numbers but windows are integers, and windows use operations that are rounded correctly. The same bodies end at the
/// same ns on every machine.
struct PacketNetwork: LinkNetwork {
  /// The number of packets that ``next`` looks ahead. Then the time of the last one is the next event.
  private static let lookahead = 500

  private let terms: FlowTerms
  private(set) var time: Int64 = 0
  private var connections: [PacketConnection] = []
  private var buffer: PacketBuffer
  /// The packets whose acknowledgements are on their way.
  private var acknowledgements = PacketQueue<(time: Int64, packet: Packet, isLost: Bool)>()
  /// The next start or cutoff of a stream.
  private var nextTimer: Int64?
  private var streamsBegun = 0
  private var packetsSent = 0
  private var removedAfterCancel = 0
  private var foreseen: Int64??

  /// Creates an idle link with an empty buffer.
  init(_ terms: FlowTerms, _ discipline: QueueDiscipline) {
    self.terms = terms
    buffer = PacketBuffer(terms, discipline)
  }

  mutating func open(_ connection: Int) { connections.append(PacketConnection(number: connection)) }

  mutating func begin(
    _ size: Int, over connection: Int, order: StreamOrder = StreamOrder(), lossDraw: Double = 1, at now: Int64
  ) -> Int {
    advance(to: now)
    return add(size, over: connection, order, from: now, until: nil)
  }

  mutating func beginCancelled(
    _ size: Int, over connection: Int, order: StreamOrder = StreamOrder(), from start: Int64, at now: Int64
  ) {
    advance(to: now)
    guard start < now + terms.roundTrip else { return }
    _ = add(size, over: connection, order, from: start, until: now + terms.roundTrip)
  }

  private mutating func add(
    _ size: Int, over connection: Int, _ order: StreamOrder, from start: Int64, until cutoff: Int64?
  ) -> Int {
    precondition((0...FlowTerms.maxBody).contains(size), "a body of \(size) bytes")
    guard let index = connections.firstIndex(where: { $0.number == connection }) else {
      preconditionFailure("connection \(connection) is not open")
    }
    streamsBegun += 1
    connections[index].add(
      PacketStream(number: streamsBegun, size: size, order: order, start: start, cutoff: cutoff), terms,
      at: time)
    change(index)
    return streamsBegun
  }

  mutating func finish(_ stream: Int, at now: Int64) -> Bool {
    advance(to: now)
    guard let (connection, index) = location(of: stream), connections[connection].streams[index].isComplete
    else {
      return false
    }
    removedAfterCancel += connections[connection].streams[index].receivedAfterCancel
    connections[connection].streams.remove(at: index)
    change(connection)
    return true
  }

  mutating func cancel(_ stream: Int, at now: Int64) -> Int {
    advance(to: now)
    guard let (connection, index) = location(of: stream) else { return 0 }
    let received = connections[connection].streams[index].received
    connections[connection].streams[index].receivedBeforeCancel = received
    connections[connection].streams[index].cutoff = now + terms.roundTrip
    change(connection)
    return received
  }

  mutating func drain(_ stream: Int) {
    guard let (connection, index) = location(of: stream) else { return }
    connections[connection].streams[index].receivedBeforeCancel =
      connections[connection].streams[index].received
  }

  mutating func close(_ connection: Int) {
    guard let index = connections.firstIndex(where: { $0.number == connection }) else { return }
    connections[index].isClosed = true
    change(index)
  }

  func hasBegun(_ stream: Int) -> Bool {
    location(of: stream).map { connections[$0.connection].streams[$0.stream].hasBegun } ?? false
  }

  func received(of stream: Int) -> Int? {
    location(of: stream).map { connections[$0.connection].streams[$0.stream].received }
  }

  func remaining(of stream: Int) -> Int? {
    location(of: stream).map {
      let stream = connections[$0.connection].streams[$0.stream]
      return stream.size - stream.received
    }
  }

  func window(of connection: Int) -> Int? { connections.first { $0.number == connection }?.window }

  mutating func delay(at now: Int64) -> Int64 {
    advance(to: now)
    return buffer.end(at: now) - now
  }

  var receivedAfterCancel: Int {
    connections.reduce(removedAfterCancel) { $0 + $1.streams.reduce(0) { $0 + $1.receivedAfterCancel } }
  }

  var completed: [Int] {
    connections.flatMap { $0.streams.filter { $0.isComplete && $0.cutoff == nil }.map(\.number) }
  }

  /// The time at which a stream begins to arrive, or is complete.
  var next: Int64? {
    mutating get {
      if let foreseen { return foreseen }
      var future = self
      var last: Int64?
      for _ in 0..<Self.lookahead {
        guard let event = future.nextEvent else { break }
        last = event
        if future.process(event) { break }
      }
      foreseen = .some(last)
      return last
    }
  }

  mutating func advance(to now: Int64) {
    precondition(now >= time, "time goes forward")
    while let event = nextEvent, event <= now { _ = process(event) }
    time = now
    if let foreseen, foreseen ?? .max <= now { self.foreseen = nil }
  }

  /// The time at which a packet or an acknowledgement arrives, or a stream starts or stops.
  private var nextEvent: Int64? {
    [buffer.sending?.end, acknowledgements.first?.time, nextTimer].compactMap(\.self).min()
  }

  /// Processes the events at `now`. Returns true if a stream has begun to arrive or is complete.
  private mutating func process(_ now: Int64) -> Bool {
    time = now
    var isVisible = false
    if let packet = buffer.takeSent(by: now) { isVisible = arrive(packet) }
    while let first = acknowledgements.first, first.time <= now {
      _ = acknowledgements.popFirst()
      guard let index = index(of: first.packet) else { continue }
      connections[index].acknowledge(first.packet, isLost: first.isLost, terms)
      send(index)
    }
    if let nextTimer, nextTimer <= now {
      for index in connections.indices.reversed() { update(index) }
      setTimer()
    }
    sendNext()
    return isVisible
  }

  /// Receives a packet that was on the link, unless the link loses it.
  private mutating func arrive(_ packet: Packet) -> Bool {
    packetsSent += 1
    let isLost = loses(packetsSent)
    acknowledgements.append((time + terms.roundTrip, packet, isLost))
    guard let index = index(of: packet) else { return false }
    if isLost {
      connections[index].lose(packet)
      update(index)
      return false
    }
    defer { update(index) }
    return connections[index].receive(packet, terms)
  }

  /// Returns whether the link loses a packet, which is identified by its number on the link.
  private func loses(_ packet: Int) -> Bool {
    terms.loss > 0 && SeededDraw(seed: terms.seed).chance(terms.loss, "packet", packet)
  }

  /// Sends what the window of a connection allows.
  private mutating func send(_ index: Int) {
    while let packet = connections[index].nextPacket(terms, at: time) {
      if !buffer.add(packet) { connections[index].lose(packet) }
      sendNext()
    }
  }

  /// Sends the next packet over an idle link.
  private mutating func sendNext() {
    while let lost = buffer.sendNext(at: time) {
      acknowledgements.append((time + terms.roundTrip, lost, true))
      if !lost.isLost, let index = index(of: lost) { connections[index].lose(lost) }
    }
  }

  /// Updates a connection after a change from outside.
  private mutating func change(_ index: Int) {
    foreseen = nil
    send(index)
    update(index)
    setTimer()
  }

  /// Removes streams that have ended, and a closed connection without streams; otherwise sends.
  private mutating func update(_ index: Int) {
    removedAfterCancel += connections[index].endCancelled(at: time)
    if connections[index].isClosed, connections[index].streams.isEmpty {
      connections.remove(at: index)
    } else {
      send(index)
    }
  }

  private mutating func setTimer() {
    nextTimer = connections.flatMap(\.streams).flatMap { [$0.start, $0.isSending ? $0.cutoff : nil] }
      .compactMap(\.self).filter { $0 > time }.min()
  }

  private func index(of packet: Packet) -> Int? { connections.firstIndex { $0.number == packet.connection } }

  private func location(of stream: Int) -> (connection: Int, stream: Int)? {
    for index in connections.indices {
      if let position = connections[index].streams.firstIndex(where: { $0.number == stream }) {
        return (index, position)
      }
    }
    return nil
  }
}
