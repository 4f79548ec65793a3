internal import Cellophane
internal import CellophaneNetwork

/// The connections of one client to one origin. Pure: the time, in ns, is a parameter, and results are
/// events.
struct ConnectionPool {
  /// The way in which exchanges share connections.
  enum Sharing: Sendable, Hashable {
    /// HTTP/1.1: one exchange at a time per connection. The most recently used idle connection is used first.
    /// At most `limit` connections; nil for one per exchange.
    case http1(limit: Int?)
    /// HTTP/2 and HTTP/3: all exchanges share one connection.
    case multiplexed
  }

  /// The connection of an exchange.
  struct Assignment: Sendable, Equatable {
    /// The connection's number, from 1.
    let connection: Int
    /// The time at which the connection's handshakes are complete.
    let ready: Int64
  }

  /// A change in the state of an exchange, which is identified by its number.
  enum Event: Equatable {
    /// The exchange has a connection.
    case assigned(Int, Assignment)
    /// The exchange waits for an orphaned handshake.
    case waits(Int)
    /// The exchange sets up a connection. At the end of its handshakes call
    /// ``endHandshake(of:hasSucceeded:at:)``.
    case connects(Int, Assignment)
  }

  /// A connection that is being set up.
  private struct Handshake {
    let connection: Int
    /// The exchange that sets it up; nil if the handshake is orphaned.
    var exchange: Int?
  }

  /// The maximum number of concurrent streams of a connection. 100: the minimum that RFC 9113, section 6.5.2
  /// recommends, and the limit of most servers.
  static let maxStreams = 100

  private let sharing: Sharing
  /// The time that the handshakes of a connection take, in ns.
  private let setup: Int64
  /// The rate of the link over time; nil if it is constant. Handshakes do not end while it is 0.
  private let rates: RateSchedule?
  /// The time that handshakes which start now wait in the queue of the link, in ns.
  var delay: Int64 = 0
  private var idle: [Int] = []
  private var shared: Assignment?
  private var handshakes: [Handshake] = []
  /// The exchanges that wait while connections are being set up.
  private var queue: ConnectionQueue<Int>
  /// The exchanges that wait because the pool is at its limit, in the order of their numbers.
  private var blocked: [Int] = []
  private var busy = 0
  private var events: [Event] = []
  /// The number of connections opened so far.
  private(set) var opened = 0
  /// The numbers of the connections: the first one, and the difference of two.
  private let numbers: (first: Int, step: Int)

  /// The number of exchanges that have a connection or wait for handshakes.
  var exchanges: Int { busy + queue.count }

  /// The number of the connection opened last.
  private var lastNumber: Int { numbers.first + (opened - 1) * numbers.step }

  /// The number of HTTP/1.1 connections that are open or being set up.
  var open: Int { busy + idle.count + handshakes.count }

  /// Creates an empty pool. The numbers of its connections are `firstNumber` and each `step` above it.
  init(
    _ sharing: Sharing, setup: Duration = .zero, rates: RateSchedule? = nil, firstNumber: Int = 1,
    step: Int = 1
  ) {
    numbers = (firstNumber, step)
    self.rates = rates
    self.sharing = sharing
    self.setup = setup.wholeNanoseconds
    let limit: Int? = if case .http1(let limit) = sharing { limit } else { nil }
    queue = ConnectionQueue(limit: limit)
  }

  /// Removes and returns the next event; nil if absent.
  mutating func nextEvent() -> Event? { events.isEmpty ? nil : events.removeFirst() }

  /// Requests a connection for `exchange`. Its number is higher than those of all earlier exchanges.
  mutating func request(_ exchange: Int, at now: Int64) {
    switch sharing {
    case .http1:
      if let last = idle.popLast() {
        assign(exchange, Assignment(connection: last, ready: now))
      } else if queue.hasUnclaimedOrphan {
        queue.join(exchange, .wait)
        events.append(.waits(exchange))
      } else {
        queue.join(exchange, .connect)
        connect(exchange, at: now)
      }
    case .multiplexed:
      guard busy < Self.maxStreams else { return blocked.append(exchange) }
      if shared == nil {
        opened += 1
        shared = Assignment(connection: lastNumber, ready: endOfSetup(from: now))
      }
      if let shared {
        assign(exchange, Assignment(connection: shared.connection, ready: max(now, shared.ready)))
      }
    }
  }

  /// Cancels the request of an exchange that has no connection. A handshake that it started continues as an
  /// orphan.
  mutating func cancel(_ exchange: Int) {
    queue.leave(exchange)
    // Usually the first, or absent: the list grows long while a link stalls.
    if let index = blocked.firstIndex(where: { $0 >= exchange }), blocked[index] == exchange {
      blocked.remove(at: index)
    }
    orphanHandshake(of: exchange)
  }

  /// Makes an exchange that has waited too long for an orphaned handshake set up a connection itself.
  mutating func connectSeparately(_ exchange: Int, at now: Int64) {
    if queue.connect(exchange) { connect(exchange, at: now) }
  }

  /// Records the end of a connection's handshakes. Returns the exchange that fails with them; nil if there is
  /// none.
  mutating func endHandshake(of connection: Int, hasSucceeded: Bool, at now: Int64) -> Int? {
    guard let index = handshakes.firstIndex(where: { $0.connection == connection }) else { return nil }
    let exchange = handshakes.remove(at: index).exchange
    if let exchange {
      queue.leave(exchange)
      if hasSucceeded { assign(exchange, Assignment(connection: connection, ready: now)) }
    } else {
      queue.removeOrphan()
      if hasSucceeded { offer(connection, at: now) }
    }
    admitWaiting(at: now)
    return hasSucceeded ? nil : exchange
  }

  /// Releases the connection of an exchange. Returns false if the connection closes: over HTTP/1.1 the rest
  /// of an incomplete response would block the next exchange.
  mutating func release(_ assignment: Assignment, isClear: Bool, at now: Int64) -> Bool {
    busy -= 1
    if sharing != .multiplexed, isClear { offer(assignment.connection, at: now) }
    admitWaiting(at: now)
    return isClear || sharing == .multiplexed
  }

  /// Assigns a free connection to the first exchange that waits for one; otherwise keeps it idle.
  private mutating func offer(_ connection: Int, at now: Int64) {
    let handshakes = handshakes
    let waiting = queue.first { exchange in handshakes.contains { $0.exchange == exchange } }
    guard let first = [waiting, blocked.first].compactMap(\.self).min() else {
      return idle.append(connection)
    }
    cancel(first)
    assign(first, Assignment(connection: connection, ready: now))
  }

  /// Continues the exchanges that can continue: those whose orphaned handshake is gone, and those that waited
  /// at the limit.
  private mutating func admitWaiting(at now: Int64) {
    while let next = queue.nextToConnect() { connect(next, at: now) }
    while let next = blocked.first, hasRoom {
      blocked.removeFirst()
      request(next, at: now)
    }
  }

  private var hasRoom: Bool {
    switch sharing {
    case .http1(let limit): limit.map { open < $0 } ?? true
    case .multiplexed: busy < Self.maxStreams
    }
  }

  /// Returns the end of handshakes that start now.
  private func endOfSetup(from now: Int64) -> Int64 {
    guard setup > 0 else { return now }
    let end = now + setup + delay
    return rates?.nextFlow(from: end) ?? end
  }

  /// Starts the handshakes of a connection for an exchange in the queue.
  private mutating func connect(_ exchange: Int, at now: Int64) {
    guard hasRoom else {
      queue.leave(exchange)
      blocked.append(exchange)
      return blocked.sort()
    }
    opened += 1
    let assignment = Assignment(connection: lastNumber, ready: endOfSetup(from: now))
    guard setup > 0 else {
      queue.leave(exchange)
      return assign(exchange, assignment)
    }
    handshakes.append(Handshake(connection: lastNumber, exchange: exchange))
    events.append(.connects(exchange, assignment))
  }

  /// Turns the handshake that `exchange` started into an orphan, or drops it if there are too many orphans.
  private mutating func orphanHandshake(of exchange: Int) {
    guard let index = handshakes.firstIndex(where: { $0.exchange == exchange }) else { return }
    if queue.addOrphan() { handshakes[index].exchange = nil } else { handshakes.remove(at: index) }
  }

  private mutating func assign(_ exchange: Int, _ assignment: Assignment) {
    busy += 1
    events.append(.assigned(exchange, assignment))
  }
}
