internal import Cellophane

/// Everything that the exchanges of a ``FlowTransport`` share. Pure: time comes in as a parameter, in ns.
struct LineState {
  /// How an exchange over a connection ended.
  enum Ending: Sendable { case whole, cancelled, late }

  /// How the wait for a connection ended.
  enum Turn: Sendable { case place(ConnectionPool.Place, isNew: Bool), cancelled, late }

  /// An exchange that waits for a connection.
  struct Waiting {
    let turn: OneShot<Turn>
    /// How long it waits at most for handshakes.
    let patience: Int64
    /// When it has waited too long; nil while all places are taken.
    var deadline: Int64?
    /// Goes off when it has waited long for a connection that is made for nobody.
    var alarm: Task<Void, Never>?
  }

  /// An exchange whose body is on its way.
  struct Exchange {
    let stream: Int
    let cell: OneShot<Ending>
    let content: [UInt8]
    let body: StreamingBody
    let deadline: Int64
    var delivered = 0

    /// Hands over what has arrived.
    mutating func deliver(_ received: Int) {
      guard received > delivered else { return }
      body.append(content.span.extracting(delivered..<received))
      delivered = received
    }
  }

  var network: FlowNetwork
  var connections: ConnectionPool
  /// By their numbers.
  var waiting: [Int: Waiting] = [:]
  private var asked = 0
  /// When the last request has gone up.
  var uplinkFree: Int64 = 0
  /// In the order in which their bodies began.
  var exchanges: [Exchange] = []
  /// Streams that nobody wants, read to their end to keep their connections.
  var draining: [(stream: Int, place: ConnectionPool.Place)] = []
  var alarm: (due: Int64, task: Task<Void, Never>)?
  private var attempts: [String: Int] = [:]

  /// A line without connections.
  init(_ line: ModelledLine) {
    network = FlowNetwork(line.terms)
    connections = ConnectionPool(line.sharing, setup: line.setup)
  }

  /// Counts the attempts to get `target`, from 0.
  mutating func attempt(at target: String) -> Int {
    defer { attempts[target, default: 0] += 1 }
    return attempts[target, default: 0]
  }

  /// Asks for a place for an exchange that waits at most `patience` for handshakes; returns its number.
  mutating func ask(_ turn: OneShot<Turn>, patience: Int64, at now: Int64) -> Int {
    asked += 1
    waiting[asked] = Waiting(turn: turn, patience: patience)
    connections.ask(asked, at: now)
    return asked
  }

  /// Notes that an exchange waits for handshakes; returns when it has waited too long.
  mutating func beginWaiting(_ exchange: Int, at now: Int64) -> Int64 {
    stopAlarm(of: exchange)
    guard let entry = waiting[exchange] else { return now }
    let deadline = entry.deadline ?? now + entry.patience
    waiting[exchange]?.deadline = deadline
    return deadline
  }

  /// Ends the wait of an exchange for a place; returns its turn when it waited.
  mutating func endWaiting(_ exchange: Int) -> OneShot<Turn>? {
    stopAlarm(of: exchange)
    return waiting.removeValue(forKey: exchange)?.turn
  }

  private mutating func stopAlarm(of exchange: Int) {
    waiting[exchange]?.alarm?.cancel()
    waiting[exchange]?.alarm = nil
  }

  /// Gives a place to an exchange that waits for one. One that was cancelled in this very moment takes none.
  mutating func place(_ exchange: Int, _ place: ConnectionPool.Place, at now: Int64) {
    let isNew = network.window(of: place.connection) == nil
    if isNew { network.open(place.connection) }
    guard let turn = endWaiting(exchange), turn.settle(.place(place, isNew: isNew)) else {
      return giveBack(place, isClear: true, at: now)
    }
  }

  /// Takes a place back.
  mutating func giveBack(_ place: ConnectionPool.Place, isClear: Bool, at now: Int64) {
    network.advance(to: now)
    if !connections.giveBack(place, isClear: isClear, at: now) { network.close(place.connection) }
  }

  /// Takes out what was drained.
  mutating func endDraining(at now: Int64) {
    let over = draining.filter { network.finish($0.stream, at: now) }
    draining.removeAll { drained in over.contains { $0.stream == drained.stream } }
    for drained in over { giveBack(drained.place, isClear: true, at: now) }
  }
}
