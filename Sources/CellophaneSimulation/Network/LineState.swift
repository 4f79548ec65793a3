internal import Cellophane

/// Everything that the exchanges of a ``FlowTransport`` share. Pure: time comes in as a parameter, in ns.
struct LineState {
  /// How an exchange over a connection ended.
  enum Ending: Sendable { case whole, cancelled, late }

  /// An exchange whose body is on its way.
  struct Exchange {
    let stream: Int
    let cell: OneShot<Ending>
    let content: [UInt8]
    let body: ArrivingBody
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
  var queue: [OneShot<ConnectionPool.Place?>] = []
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

  /// A place on a connection, if there is one.
  mutating func take(at now: Int64) -> ConnectionPool.Place? {
    guard let place = connections.take(at: now) else { return nil }
    if place.isNew { network.open(place.connection) }
    return place
  }

  /// Takes a place back, and gives places to those who wait.
  mutating func giveBack(_ place: ConnectionPool.Place, isClear: Bool, at now: Int64) {
    network.advance(to: now)
    if !connections.giveBack(place, isClear: isClear) { network.close(place.connection) }
    // Those who were cancelled in this very moment take none.
    queue.removeAll { $0.isSettled }
    while !queue.isEmpty, let next = take(at: now) { queue.removeFirst().settle(next) }
  }

  /// Takes out what was drained.
  mutating func endDraining(at now: Int64) {
    let over = draining.filter { network.finish($0.stream, at: now) }
    draining.removeAll { drained in over.contains { $0.stream == drained.stream } }
    for drained in over { giveBack(drained.place, isClear: true, at: now) }
  }
}
