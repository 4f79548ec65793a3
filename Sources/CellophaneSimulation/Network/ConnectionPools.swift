/// The connections of one client to all origins of a link: a ``ConnectionPool`` for each. Pure: the time, in ns, is a
/// parameter.
struct ConnectionPools {
  private var pools: [ConnectionPool]
  /// The indices of the origins, in the order of their first exchange.
  private var indices: [String: Int] = [:]
  private var events: [ConnectionPool.Event] = []
  private var requested = 0
  private var exchanges = 0
  /// The peak number of concurrent exchanges.
  private(set) var peakExchanges = 0

  /// The time that handshakes which start now wait in the queue of the link, in ns.
  var delay: Int64 = 0 {
    didSet { if delay != oldValue { for index in pools.indices { pools[index].delay = delay } } }
  }

  /// The number of connections opened so far.
  var opened: Int { pools.reduce(0) { $0 + $1.opened } }

  /// Creates empty pools for the origins of `link`.
  init(_ link: ModeledLink) {
    pools = (0..<link.origins).map { index in
      ConnectionPool(
        link.sharing, setup: link.setup, rates: link.rates, firstNumber: index + 1, step: link.origins)
    }
  }

  /// Removes and returns the next event; nil if absent.
  mutating func nextEvent() -> ConnectionPool.Event? { events.isEmpty ? nil : events.removeFirst() }

  /// Requests a connection to an origin. Returns the number of the exchange, which is higher than those of all earlier
  /// ones.
  mutating func request(_ origin: String, at now: Int64) -> Int {
    requested += 1
    let index = indices[origin] ?? indices.count % pools.count
    indices[origin] = index
    let exchange = requested * pools.count + index
    change(exchange % pools.count) { $0.request(exchange, at: now) }
    return exchange
  }

  /// Cancels the request of an exchange that has no connection.
  mutating func cancel(_ exchange: Int) { change(exchange % pools.count) { $0.cancel(exchange) } }

  /// Makes an exchange that has waited too long for an orphaned handshake set up a connection itself.
  mutating func connectSeparately(_ exchange: Int, at now: Int64) {
    change(exchange % pools.count) { $0.connectSeparately(exchange, at: now) }
  }

  /// Records the end of a connection's handshakes. Returns the exchange that fails with them; nil if there is
  /// none.
  mutating func endHandshake(of connection: Int, hasSucceeded: Bool, at now: Int64) -> Int? {
    change((connection - 1) % pools.count) {
      $0.endHandshake(of: connection, hasSucceeded: hasSucceeded, at: now)
    }
  }

  /// Releases the connection of an exchange. Returns false if the connection closes.
  mutating func release(_ assignment: ConnectionPool.Assignment, isClear: Bool, at now: Int64) -> Bool {
    change((assignment.connection - 1) % pools.count) { $0.release(assignment, isClear: isClear, at: now) }
  }

  /// Applies `change` to a pool, and takes its events.
  private mutating func change<Value>(_ index: Int, _ change: (inout ConnectionPool) -> Value) -> Value {
    exchanges -= pools[index].exchanges
    let value = change(&pools[index])
    exchanges += pools[index].exchanges
    peakExchanges = max(peakExchanges, exchanges)
    while let event = pools[index].nextEvent() { events.append(event) }
    return value
  }
}
