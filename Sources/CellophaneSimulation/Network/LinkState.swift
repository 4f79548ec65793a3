internal import Cellophane

/// The state that the exchanges of a ``FlowTransport`` share. Pure: the time, in ns, is a parameter.
struct LinkState {
  /// The end of an exchange on a connection.
  enum Outcome: Sendable { case complete, cancelled, timedOut }

  /// The end of the wait for a connection.
  enum ConnectionOutcome: Sendable {
    case assigned(ConnectionPool.Assignment, isNew: Bool)
    case cancelled, timedOut
  }

  /// An exchange that waits for a connection.
  struct Waiting {
    let result: OneShot<ConnectionOutcome>
    /// The maximum time that it waits for handshakes, in ns.
    let handshakeTimeout: Int64
    /// The time at which its wait for handshakes times out; nil while the pool is at its limit.
    var deadline: Int64?
    /// Ends the wait for an orphaned handshake that takes too long.
    var timer: Task<Void, Never>?
  }

  /// An exchange whose body is in transfer.
  struct Exchange {
    /// The number of its stream in the network, once that exists.
    var stream = 0
    let result = OneShot<Outcome>()
    let content: [UInt8]
    let body: StreamingBody
    let deadline: Int64
    /// The head of the response, until it has arrived.
    private var head: TransportResponse?
    /// The time at which the request was sent.
    private let sent: Int64
    private(set) var timeToFirstByte = Duration.zero
    private var delivered = 0

    /// Creates an exchange whose response has not arrived.
    init(_ response: TransportResponse, sentAt sent: Int64, into body: StreamingBody, deadline: Int64) {
      (content, self.body, self.sent, self.deadline) = (response.body, body, sent, deadline)
      head = response
      head?.body = []
    }

    /// Begins the body when the head of the response has arrived.
    mutating func begin(at now: Int64) {
      guard var head else { return }
      timeToFirstByte = .nanoseconds(now - sent)
      head.timeToFirstByte = timeToFirstByte
      body.begin(head)
      body.reserve(content.count)
      self.head = nil
    }

    /// Appends the data that arrived since the last call to the body.
    mutating func deliver(_ received: Int) {
      guard received > delivered else { return }
      body.append(content.span.extracting(delivered..<received))
      delivered = received
    }
  }

  var network: any LinkNetwork
  var radio: Radio
  var connections: ConnectionPools
  /// The exchanges that wait for a connection, by number.
  var waiting: [Int: Waiting] = [:]
  /// The number of round trips of a connection's handshakes.
  private let handshakes: Int64
  /// The time at which the uplink is idle.
  var uplinkFree: Int64 = 0
  /// In the order in which the bodies began.
  var exchanges: [Exchange] = []
  /// Cancelled streams that are read to their end, so that their connections can be reused.
  var draining: [(stream: Int, assignment: ConnectionPool.Assignment)] = []
  var timer: (due: Int64, task: Task<Void, Never>)?
  private var attempts: [String: Int] = [:]

  /// Creates the state of a link without connections.
  init(_ link: ModeledLink) {
    handshakes = Int64(link.handshakes)
    if let queue = link.profile.queue {
      network = PacketNetwork(link.terms, queue)
    } else {
      network = FlowNetwork(link.terms)
    }
    radio = Radio(link.profile.wakeUp)
    connections = ConnectionPools(link)
  }

  /// Returns the number of earlier attempts to get `target`, and counts this one.
  mutating func attempt(at target: String) -> Int {
    defer { attempts[target, default: 0] += 1 }
    return attempts[target, default: 0]
  }

  /// Requests a connection to `origin` for an exchange; returns the exchange's number.
  mutating func request(
    _ origin: String, _ result: OneShot<ConnectionOutcome>, handshakeTimeout: Int64, at now: Int64
  ) -> Int {
    updateDelay(at: now)
    let exchange = connections.request(origin, at: now)
    waiting[exchange] = Waiting(result: result, handshakeTimeout: handshakeTimeout)
    return exchange
  }

  /// Updates the time that handshakes wait in the queue of the link: once in each of their round trips.
  mutating func updateDelay(at now: Int64) { connections.delay = handshakes * network.delay(at: now) }

  /// Records that an exchange waits for handshakes; returns the time at which the wait times out.
  mutating func beginWaiting(_ exchange: Int, at now: Int64) -> Int64 {
    stopTimer(of: exchange)
    guard let entry = waiting[exchange] else { return now }
    let deadline = entry.deadline ?? now + entry.handshakeTimeout
    waiting[exchange]?.deadline = deadline
    return deadline
  }

  /// Ends the wait of an exchange for a connection. Returns the cell for its outcome; nil if it does not
  /// wait.
  mutating func endWaiting(_ exchange: Int) -> OneShot<ConnectionOutcome>? {
    stopTimer(of: exchange)
    return waiting.removeValue(forKey: exchange)?.result
  }

  private mutating func stopTimer(of exchange: Int) {
    waiting[exchange]?.timer?.cancel()
    waiting[exchange]?.timer = nil
  }

  /// Assigns a connection to a waiting exchange. Releases it again if the exchange was cancelled at the same
  /// time.
  mutating func assign(_ exchange: Int, _ assignment: ConnectionPool.Assignment, at now: Int64) {
    let isNew = network.window(of: assignment.connection) == nil
    if isNew { network.open(assignment.connection) }
    guard let result = endWaiting(exchange), result.settle(.assigned(assignment, isNew: isNew)) else {
      return release(assignment, isClear: true, at: now)
    }
  }

  /// Releases a connection.
  mutating func release(_ assignment: ConnectionPool.Assignment, isClear: Bool, at now: Int64) {
    network.advance(to: now)
    updateDelay(at: now)
    if !connections.release(assignment, isClear: isClear, at: now) { network.close(assignment.connection) }
  }

  /// Removes streams that are drained, and releases their connections.
  mutating func endDraining(at now: Int64) {
    let complete = draining.filter { network.finish($0.stream, at: now) }
    draining.removeAll { drained in complete.contains { $0.stream == drained.stream } }
    for drained in complete { release(drained.assignment, isClear: true, at: now) }
  }
}
