/// The bodies that share one access link, as flows. A flow has a constant rate between two events, so that
/// only events are computed. Pure: the time, in ns, is a parameter.
///
/// The connections that have data and may send share the link equally. A connection sends its congestion
/// window as fast as its share allows, and the next window one round trip later (RFC 5681), until the window
/// fills the link. The rate of the link may change at given times. ``StreamScheduling`` orders the streams of a
/// connection. Losses limit the window to its mean under loss (Mathis, Semke, Mahdavi, Ott: CCR 27(3), 1997). A
/// loss at the end of a body delays the body.
///
/// All numbers are integers: rates in bit/s, remaining data in bit/s · ns. The same flows end at the same ns
/// on every machine.
struct FlowNetwork: LinkNetwork {
  /// The parameters that all connections of the link share.
  let terms: FlowTerms
  private(set) var time: Int64 = 0
  private var connections: [FlowConnection] = []
  private var streamsBegun = 0
  private var removedAfterCancel = 0

  /// Creates an idle link.
  init(_ terms: FlowTerms) { self.terms = terms }

  /// Opens a connection with a new number and an initial window.
  mutating func open(_ connection: Int) {
    connections.append(FlowConnection(number: connection, window: terms.firstWindow))
  }

  /// Begins a body of `size` bytes on an open connection. Its first byte arrives at `now`. Returns the
  /// stream's number.
  ///
  /// - Parameters:
  ///   - lossDraw: A uniform number in 0..<1. The higher it is, the less likely a loss hits the last window.
  /// - Precondition: `now` is not before an earlier time; `size` is at most ``FlowTerms/maxBody``.
  mutating func begin(
    _ size: Int, over connection: Int, order: StreamOrder = StreamOrder(), lossDraw: Double = 1, at now: Int64
  ) -> Int {
    advance(to: now)
    return add(size, over: connection, order: order, lossDraw: lossDraw, from: now, until: nil)
  }

  /// Begins a body that its client cancelled before the first byte, which arrives at `start`. The origin
  /// sends until it learns of the cancellation, so bytes arrive for one round trip from `now` on.
  mutating func beginCancelled(
    _ size: Int, over connection: Int, order: StreamOrder = StreamOrder(), from start: Int64, at now: Int64
  ) {
    advance(to: now)
    guard start < now + terms.roundTrip else { return }
    _ = add(size, over: connection, order: order, lossDraw: 1, from: start, until: now + terms.roundTrip)
  }

  private mutating func add(
    _ size: Int, over connection: Int, order: StreamOrder, lossDraw: Double, from start: Int64,
    until cutoff: Int64?
  ) -> Int {
    precondition((0...FlowTerms.maxBody).contains(size), "a body of \(size) bytes")
    guard let index = connections.firstIndex(where: { $0.number == connection }) else {
      preconditionFailure("connection \(connection) is not open")
    }
    streamsBegun += 1
    connections[index].add(
      FlowStream(
        number: streamsBegun, size: size, order: order, lossDraw: lossDraw, start: start, cutoff: cutoff,
        receivedBeforeCancel: cutoff == nil ? nil : 0), terms, at: time)
    divideCapacity()
    return streamsBegun
  }

  /// Removes a stream that is complete; returns false if it is not.
  mutating func finish(_ stream: Int, at now: Int64) -> Bool {
    advance(to: now)
    guard let (connection, index) = location(of: stream), connections[connection].streams[index].isComplete
    else {
      return false
    }
    removedAfterCancel += connections[connection].streams[index].receivedAfterCancel
    connections[connection].remove(index, at: time)
    rebalance()
    return true
  }

  /// Cancels a stream; returns the bytes that arrived before `now`. Bytes continue to arrive for one round
  /// trip: half of it is in flight, and the origin sends the other half before it learns of the cancellation.
  mutating func cancel(_ stream: Int, at now: Int64) -> Int {
    advance(to: now)
    guard let (connection, index) = location(of: stream) else { return 0 }
    let received = connections[connection].streams[index].received
    connections[connection].streams[index].receivedBeforeCancel = received
    connections[connection].streams[index].cutoff = now + terms.roundTrip
    return received
  }

  /// Cancels a stream but receives it to its end. ``finish(_:at:)`` removes it.
  mutating func drain(_ stream: Int) {
    guard let (connection, index) = location(of: stream) else { return }
    connections[connection].streams[index].receivedBeforeCancel =
      connections[connection].streams[index].received
  }

  /// Closes a connection. It accepts no new streams, and is removed after its cancelled streams end.
  mutating func close(_ connection: Int) {
    guard let index = connections.firstIndex(where: { $0.number == connection }) else { return }
    connections[index].isClosed = true
    rebalance()
  }

  /// Returns true: without a queue, the first byte of a stream arrives when it begins.
  func hasBegun(_ stream: Int) -> Bool { true }

  /// Returns 0: without a queue, nothing waits.
  func delay(at now: Int64) -> Int64 { 0 }

  /// Returns the bytes of a stream that arrived by the last event.
  func received(of stream: Int) -> Int? {
    location(of: stream).map { connections[$0.connection].streams[$0.stream].received }
  }

  /// Returns the bytes of a stream that have not arrived.
  func remaining(of stream: Int) -> Int? {
    location(of: stream).map {
      let stream = connections[$0.connection].streams[$0.stream]
      return stream.size - stream.received
    }
  }

  /// Returns the congestion window of a connection, in bytes.
  func window(of connection: Int) -> Int? { connections.first { $0.number == connection }?.window }

  /// The number of connections that are open or still carry cancelled streams.
  var openConnections: Int { connections.count }

  /// The total number of bytes that streams received after they were cancelled.
  var receivedAfterCancel: Int {
    connections.reduce(removedAfterCancel) { $0 + $1.streams.reduce(0) { $0 + $1.receivedAfterCancel } }
  }

  /// The complete streams, in the order in which they began on each connection.
  var completed: [Int] {
    connections.flatMap { $0.streams.filter { $0.isComplete && $0.cutoff == nil }.map(\.number) }
  }

  /// The total rate of all streams, in bit/s.
  var rate: Int64 { connections.reduce(0) { $0 + $1.streams.reduce(0) { $0 + $1.rate } } }

  /// The time of the next event; nil while nothing is in transfer.
  var next: Int64? {
    let next = connections.compactMap { $0.next(terms, after: time) }.min()
    guard let rates = terms.rates, connections.contains(where: { $0.canSend(terms, at: time) }) else {
      return next
    }
    return [next, rates.nextChange(after: time)].compactMap(\.self).min()
  }

  /// Advances the time to `now`.
  mutating func advance(to now: Int64) {
    precondition(now >= time, "time goes forward")
    while let next, next <= now {
      flow(until: next)
      for index in connections.indices {
        removedAfterCancel += connections[index].processEvents(terms, at: next)
      }
      rebalance()
    }
    flow(until: now)
  }

  private mutating func flow(until now: Int64) {
    for index in connections.indices { connections[index].flow(for: now - time) }
    time = now
  }

  /// Removes closed connections without streams, and divides the capacity again.
  private mutating func rebalance() {
    connections.removeAll { $0.isClosed && $0.streams.isEmpty }
    divideCapacity()
  }

  /// Divides the capacity between the connections that can send. A connection that its window limits sends
  /// nothing, so equal shares are max-min fair.
  private mutating func divideCapacity() {
    let sending = connections.indices.filter { connections[$0].canSend(terms, at: time) }
    for index in connections.indices { connections[index].setRate(0, terms, at: time) }
    var free = terms.rate(at: time)
    guard free > 0 else { return }
    for (position, index) in sending.enumerated() {
      // At least 1 bit/s, so that every stream ends.
      let rate = max(1, free / Int64(sending.count - position))
      connections[index].setRate(rate, terms, at: time)
      free -= min(free, rate)
    }
  }

  private func location(of stream: Int) -> (connection: Int, stream: Int)? {
    for index in connections.indices {
      if let position = connections[index].streams.firstIndex(where: { $0.number == stream }) {
        return (index, position)
      }
    }
    return nil
  }
}
