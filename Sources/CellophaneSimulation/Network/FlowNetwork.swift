/// The bodies that come down one access line, as flows: between two events each has a constant rate, so that
/// nothing needs to be computed but the events. Pure: time comes in as a parameter, in ns.
///
/// The line is shared equally by the connections that have something to send and may send it. A connection sends its
/// congestion window as fast as its share lets it, and the next window a round trip later (RFC 5681), until the window
/// fills the line; between the streams of a connection RFC 9218 decides. Losses bound the window to the mean that they
/// leave (Mathis, Semke, Mahdavi, Ott: CCR 27(3), 1997), and one at the end of a body holds it back for a while.
///
/// All numbers are integers: rates in bit/s, what is left of a flow in bit/s · ns. The same flows end at the same ns
/// on every machine.
struct FlowNetwork {
  /// What each connection of the line has in common.
  let terms: FlowTerms
  private(set) var time: Int64 = 0
  private var connections: [FlowConnection] = []
  private var streamsBegun = 0
  private var lostBefore = 0

  /// An idle line.
  init(_ terms: FlowTerms) { self.terms = terms }

  /// Makes a connection with a number of its own, whose window is that of a new one.
  mutating func open(_ connection: Int) {
    connections.append(FlowConnection(number: connection, window: terms.firstWindow))
  }

  /// Lets the first byte of a body of `size` bytes arrive now, over a connection that is open. Returns the stream's
  /// number.
  ///
  /// - Parameters:
  ///   - luck: Uniform in 0..<1; the higher, the less probably its last window is hit by a loss.
  /// - Precondition: `now` is not before any time given earlier; `size` is at most ``FlowTerms/largestBody``.
  mutating func begin(
    _ size: Int, over connection: Int, order: StreamOrder = StreamOrder(), luck: Double = 1, at now: Int64
  ) -> Int {
    advance(to: now)
    return add(size, over: connection, order: order, luck: luck, from: now, until: nil)
  }

  /// Lets a body come whose client gave it up before its first byte, which arrives at `start`: the origin sends it
  /// until it hears of that, so that bytes arrive for a round trip from now on.
  mutating func beginUnwanted(
    _ size: Int, over connection: Int, order: StreamOrder = StreamOrder(), from start: Int64, at now: Int64
  ) {
    advance(to: now)
    guard start < now + terms.roundTrip else { return }
    _ = add(size, over: connection, order: order, luck: 1, from: start, until: now + terms.roundTrip)
  }

  private mutating func add(
    _ size: Int, over connection: Int, order: StreamOrder, luck: Double, from start: Int64, until cut: Int64?
  ) -> Int {
    precondition((0...FlowTerms.largestBody).contains(size), "a body of \(size) bytes")
    guard let index = connections.firstIndex(where: { $0.number == connection }) else {
      preconditionFailure("connection \(connection) is not open")
    }
    streamsBegun += 1
    connections[index].add(
      FlowStream(
        number: streamsBegun, size: size, order: order, luck: luck, start: start, cut: cut,
        wanted: cut == nil ? nil : 0), terms, at: time)
    share()
    return streamsBegun
  }

  /// Takes out a stream that is whole; returns false when it is not.
  mutating func finish(_ stream: Int, at now: Int64) -> Bool {
    advance(to: now)
    guard let (connection, index) = place(of: stream), connections[connection].streams[index].isWhole else {
      return false
    }
    lostBefore += connections[connection].streams[index].unwanted
    connections[connection].remove(index, at: time)
    clear()
    return true
  }

  /// Gives a stream up; returns the bytes that came until now. What the origin sends before it hears of that still
  /// comes: half a round trip's worth is on its way down, and as much is sent while the news is on its way up.
  mutating func cancel(_ stream: Int, at now: Int64) -> Int {
    advance(to: now)
    guard let (connection, index) = place(of: stream) else { return 0 }
    let received = connections[connection].streams[index].received
    connections[connection].streams[index].wanted = received
    connections[connection].streams[index].cut = now + terms.roundTrip
    return received
  }

  /// Gives a stream up and lets it come to its end all the same. ``finish(_:at:)`` takes it out.
  mutating func drain(_ stream: Int) {
    guard let (connection, index) = place(of: stream) else { return }
    connections[connection].streams[index].wanted = connections[connection].streams[index].received
  }

  /// Closes a connection: it carries nothing new, and is gone when what was given up has come.
  mutating func close(_ connection: Int) {
    guard let index = connections.firstIndex(where: { $0.number == connection }) else { return }
    connections[index].isClosed = true
    clear()
  }

  /// The bytes of a stream that came until the last event.
  func received(of stream: Int) -> Int? {
    place(of: stream).map { connections[$0.connection].streams[$0.stream].received }
  }

  /// The bytes of a stream that have not come.
  func remaining(of stream: Int) -> Int? {
    place(of: stream).map {
      let stream = connections[$0.connection].streams[$0.stream]
      return stream.size - stream.received
    }
  }

  /// The window of a connection, in bytes.
  func window(of connection: Int) -> Int? { connections.first { $0.number == connection }?.window }

  /// The connections that carry something or may.
  var openConnections: Int { connections.count }

  /// The bytes that came of streams after they were given up.
  var receivedAfterCancel: Int {
    connections.reduce(lostBefore) { $0 + $1.streams.reduce(0) { $0 + $1.unwanted } }
  }

  /// The streams that are whole, in the order in which they began on each connection.
  var whole: [Int] {
    connections.flatMap { $0.streams.filter { $0.isWhole && $0.cut == nil }.map(\.number) }
  }

  /// The rate at which bytes come now, in bit/s.
  var rate: Int64 { connections.reduce(0) { $0 + $1.streams.reduce(0) { $0 + $1.rate } } }

  /// When anything changes by itself next; nil while nothing flows.
  var next: Int64? { connections.compactMap { $0.next(terms, after: time) }.min() }

  /// Lets time pass until `now`.
  mutating func advance(to now: Int64) {
    precondition(now >= time, "time goes forward")
    while let next, next <= now {
      flow(until: next)
      for index in connections.indices { lostBefore += connections[index].turn(terms, at: next) }
      clear()
    }
    flow(until: now)
  }

  private mutating func flow(until now: Int64) {
    for index in connections.indices { connections[index].flow(for: now - time) }
    time = now
  }

  /// Forgets what is closed and empty, and divides the line anew.
  private mutating func clear() {
    connections.removeAll { $0.isClosed && $0.streams.isEmpty }
    share()
  }

  /// Divides the line between the connections that send: a connection is held back by nothing but its window, and
  /// then it sends nothing, so that equal shares are max-min fair.
  private mutating func share() {
    let sending = connections.indices.filter { connections[$0].sends(terms, at: time) }
    for index in connections.indices { connections[index].setRate(0, at: time) }
    var free = terms.capacity
    for (place, index) in sending.enumerated() {
      // At least 1 bit/s, so that every stream ends.
      let rate = max(1, free / Int64(sending.count - place))
      connections[index].setRate(rate, at: time)
      free -= min(free, rate)
    }
  }

  private func place(of stream: Int) -> (connection: Int, stream: Int)? {
    for index in connections.indices {
      if let place = connections[index].streams.firstIndex(where: { $0.number == stream }) {
        return (index, place)
      }
    }
    return nil
  }
}
