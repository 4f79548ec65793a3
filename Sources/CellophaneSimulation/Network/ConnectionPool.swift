internal import Cellophane

/// The connections of one client to one origin. Pure: time comes in as a parameter, in ns; what follows is told as
/// events.
struct ConnectionPool {
  /// How exchanges share connections.
  enum Sharing: Sendable, Hashable {
    /// HTTP/1.1: one exchange at a time over each, the one used last is used first; at most so many connections,
    /// without a limit as many as there are exchanges.
    case http1(limit: Int?)
    /// HTTP/2: all over one.
    case http2
  }

  /// Where an exchange goes on.
  struct Place: Sendable, Equatable {
    /// The connection's number, from 1.
    let connection: Int
    /// When the handshakes are over.
    let ready: Int64
  }

  /// What follows for an exchange, by its number.
  enum Event: Equatable {
    /// It has a place.
    case placed(Int, Place)
    /// It waits for a connection that is made for nobody.
    case waits(Int)
    /// It makes a connection, whose handshakes are over at a time: ``end(_:isThere:at:)``.
    case connects(Int, Place)
  }

  /// A connection that is being made.
  private struct Making {
    let connection: Int
    /// The exchange that makes it; nil when that one left or found another.
    var exchange: Int?
  }

  /// The most streams at once over a connection: the least that RFC 9113, section 6.5.2 recommends, and what most
  /// servers allow.
  static let mostStreams = 100

  private let sharing: Sharing
  /// How long the handshakes take, in ns.
  private let setup: Int64
  private var idle: [Int] = []
  private var shared: Place?
  private var making: [Making] = []
  /// Who waits while connections are made.
  private var queue: ConnectionQueue<Int>
  /// Who waits because all places are taken. Numbers are in the order of asking.
  private var crowd: [Int] = []
  private var busy = 0
  private var events: [Event] = []
  /// How many were opened.
  private(set) var opened = 0
  /// The most exchanges that went on at once.
  private(set) var mostBusy = 0

  /// Over HTTP/1.1, the connections that are there or being made.
  var open: Int { busy + idle.count + making.count }

  /// No connections.
  init(_ sharing: Sharing, setup: Duration = .zero) {
    self.sharing = sharing
    self.setup = setup.wholeNanoseconds
    let limit: Int? = if case .http1(let limit) = sharing { limit } else { nil }
    queue = ConnectionQueue(limit: limit)
  }

  /// What has followed and was not told yet.
  mutating func nextEvent() -> Event? { events.isEmpty ? nil : events.removeFirst() }

  /// Finds a place for `exchange`, now or later; it has a higher number than those before.
  mutating func ask(_ exchange: Int, at now: Int64) {
    switch sharing {
    case .http1:
      if let last = idle.popLast() {
        place(exchange, Place(connection: last, ready: now))
      } else if queue.hasUnclaimed {
        queue.join(exchange, .wait)
        noteBusy()
        events.append(.waits(exchange))
      } else {
        queue.join(exchange, .connect)
        connect(exchange, at: now)
      }
    case .http2:
      guard busy < Self.mostStreams else { return crowd.append(exchange) }
      if shared == nil {
        opened += 1
        shared = Place(connection: opened, ready: now + setup)
      }
      if let shared {
        place(exchange, Place(connection: shared.connection, ready: max(now, shared.ready)))
      }
    }
  }

  /// Lets an exchange go that has no place. The connection that it makes, if any, is made nevertheless.
  mutating func leave(_ exchange: Int) {
    queue.leave(exchange)
    // Nearly always the first, or not there: the crowd of a line that does not move is long.
    if let index = crowd.firstIndex(where: { $0 >= exchange }), crowd[index] == exchange {
      crowd.remove(at: index)
    }
    retire(exchange)
  }

  /// Lets an exchange that has waited for long make a connection of its own.
  mutating func loseHope(_ exchange: Int, at now: Int64) {
    if queue.connect(exchange) { connect(exchange, at: now) }
  }

  /// Ends the handshakes of a connection, which is there or failed; returns the exchange that has none because of that.
  mutating func end(_ connection: Int, isThere: Bool, at now: Int64) -> Int? {
    guard let index = making.firstIndex(where: { $0.connection == connection }) else { return nil }
    let exchange = making.remove(at: index).exchange
    if let exchange {
      queue.leave(exchange)
      if isThere { place(exchange, Place(connection: connection, ready: now)) }
    } else {
      queue.endSpare()
      if isThere { give(connection, at: now) }
    }
    letIn(at: now)
    return isThere ? nil : exchange
  }

  /// Gives a place back. False when its connection is closed by that: over HTTP/1.1 what is still on its way of an
  /// exchange that was not whole is in the way of the next.
  mutating func giveBack(_ place: Place, isClear: Bool, at now: Int64) -> Bool {
    busy -= 1
    if sharing != .http2, isClear { give(place.connection, at: now) }
    letIn(at: now)
    return isClear || sharing == .http2
  }

  /// Gives a connection that is free to the first who waits for one, or makes one.
  private mutating func give(_ connection: Int, at now: Int64) {
    let making = making
    let waiting = queue.first { exchange in making.contains { $0.exchange == exchange } }
    guard let first = [waiting, crowd.first].compactMap(\.self).min() else { return idle.append(connection) }
    leave(first)
    place(first, Place(connection: connection, ready: now))
  }

  /// Lets those go on who can: who wait for connections that are not made any more, and who found all places taken.
  private mutating func letIn(at now: Int64) {
    while let next = queue.nextToConnect() { connect(next, at: now) }
    while let next = crowd.first, hasRoom {
      crowd.removeFirst()
      ask(next, at: now)
    }
  }

  private var hasRoom: Bool {
    switch sharing {
    case .http1(let limit): limit.map { open < $0 } ?? true
    case .http2: busy < Self.mostStreams
    }
  }

  /// Begins the handshakes of a connection for an exchange that is in the queue.
  private mutating func connect(_ exchange: Int, at now: Int64) {
    guard hasRoom else {
      queue.leave(exchange)
      crowd.append(exchange)
      return crowd.sort()
    }
    opened += 1
    let there = Place(connection: opened, ready: now + setup)
    guard setup > 0 else {
      queue.leave(exchange)
      return place(exchange, there)
    }
    making.append(Making(connection: opened, exchange: exchange))
    noteBusy()
    events.append(.connects(exchange, there))
  }

  /// Has the connection that `exchange` makes made for nobody, or not at all when there are too many.
  private mutating func retire(_ exchange: Int) {
    guard let index = making.firstIndex(where: { $0.exchange == exchange }) else { return }
    if queue.keep() { making[index].exchange = nil } else { making.remove(at: index) }
  }

  private mutating func place(_ exchange: Int, _ place: Place) {
    busy += 1
    noteBusy()
    events.append(.placed(exchange, place))
  }

  private mutating func noteBusy() { mostBusy = max(mostBusy, busy + queue.count) }
}
