import Cellophane
import CellophaneTesting
import Testing

@testable import CellophaneSimulation

@Suite struct ConnectionPoolTests {
  typealias Assignment = ConnectionPool.Assignment
  typealias Event = ConnectionPool.Event

  /// Everything that has followed.
  private func events(_ pool: inout ConnectionPool) -> [Event] {
    var events: [Event] = []
    while let event = pool.nextEvent() { events.append(event) }
    return events
  }

  @Test func `connections are made up to the limit, and used again, the last one first`() {
    var pool = ConnectionPool(.http1(limit: 2), setup: .nanoseconds(10))
    let places = (1...2).map { Assignment(connection: $0, ready: 10) }
    for exchange in 1...3 { pool.request(exchange, at: 0) }
    // Both are taken.
    #expect(events(&pool) == [.connects(1, places[0]), .connects(2, places[1])])
    for place in places {
      let failed = pool.endHandshake(of: place.connection, hasSucceeded: true, at: 10)
      #expect(failed == nil)
    }
    #expect(events(&pool) == [.assigned(1, places[0]), .assigned(2, places[1])])
    let isOpen = pool.release(places[0], isClear: true, at: 20)
    #expect(isOpen)
    #expect(events(&pool) == [.assigned(3, Assignment(connection: 1, ready: 20))])
    for place in places { _ = pool.release(place, isClear: true, at: 25) }
    for exchange in 4...5 { pool.request(exchange, at: 30) }
    #expect(
      events(&pool) == [
        .assigned(4, Assignment(connection: 2, ready: 30)),
        .assigned(5, Assignment(connection: 1, ready: 30)),
      ])
    #expect(pool.peakExchanges == 2)
    #expect(pool.opened == 2)
  }

  @Test func `a connection that is closed makes room for a new one`() {
    var pool = ConnectionPool(.http1(limit: 1))
    for exchange in 1...2 { pool.request(exchange, at: 0) }
    let first = Assignment(connection: 1, ready: 0)
    #expect(events(&pool) == [.assigned(1, first)])
    let isOpen = pool.release(first, isClear: false, at: 1)
    #expect(!isOpen)
    #expect(events(&pool) == [.assigned(2, Assignment(connection: 2, ready: 1))])
    #expect(pool.opened == 2)
  }

  @Test func `over HTTP 2 all exchanges share a connection, and wait for its one handshake`() {
    var pool = ConnectionPool(.http2, setup: .nanoseconds(10))
    let first = Assignment(connection: 1, ready: 10)
    for exchange in 1...2 { pool.request(exchange, at: 4 * Int64(exchange - 1)) }
    #expect(events(&pool) == [.assigned(1, first), .assigned(2, first)])
    let isOpen = pool.release(first, isClear: false, at: 4)
    #expect(isOpen)
    for exchange in 3...ConnectionPool.maxStreams + 2 { pool.request(exchange, at: 20) }
    let later = Assignment(connection: 1, ready: 20)
    #expect(events(&pool) == (3...ConnectionPool.maxStreams + 1).map { .assigned($0, later) })
    _ = pool.release(later, isClear: true, at: 30)
    #expect(events(&pool) == [.assigned(ConnectionPool.maxStreams + 2, Assignment(connection: 1, ready: 30))])
    #expect(pool.opened == 1)
    #expect(pool.peakExchanges == ConnectionPool.maxStreams)
  }

  @Test func `no more connections are made for nobody than there may be`() {
    var pool = ConnectionPool(.http1(limit: nil), setup: .nanoseconds(10))
    for exchange in 1...8 { pool.request(exchange, at: 0) }
    for exchange in 1...8 { pool.cancel(exchange) }
    _ = events(&pool)
    // Six are worth waiting for.
    for exchange in 9...15 { pool.request(exchange, at: 1) }
    #expect(
      events(&pool) == (9...14).map { .waits($0) } + [.connects(15, Assignment(connection: 9, ready: 11))])
  }

  /// Exchanges that come, end, break off and are given up at random, over connections that fail at random. Under odd
  /// seeds some lose hope, each of whom may make a connection more, besides the six that are made for nobody.
  @Test(arguments: [nil, 1, 3], 1...40)
  func `everybody gets a place who waits for one, over no more connections than exchanges at once`(
    limit: Int?, seed: Int
  ) {
    var pool = ConnectionPool(.http1(limit: limit), setup: .nanoseconds(10))
    let isPatient = seed.isMultiple(of: 2)
    let draw = SeededDraw(seed: UInt64(seed))
    var (waiting, impatient): (Set<Int>, Set<Int>) = ([], [])
    var placed: [Assignment] = []
    var handshakes: [Assignment] = []
    var (asked, most) = (0, 0)
    func follow() {
      while let event = pool.nextEvent() {
        switch event {
        case .waits(let exchange): impatient.insert(exchange)
        case .connects(let exchange, let place):
          impatient.remove(exchange)
          handshakes.append(place)
        case .assigned(let exchange, let place):
          impatient.remove(exchange)
          #expect(waiting.remove(exchange) != nil, "seed \(seed): \(exchange) has a place already")
          #expect(
            !placed.contains { $0.connection == place.connection }, "seed \(seed): a place given twice")
          placed.append(place)
        }
      }
      most = max(most, waiting.count + placed.count)
    }
    func endHandshake(at now: Int64, isThere: Bool) {
      let place = handshakes.removeFirst()
      if let failed = pool.endHandshake(of: place.connection, hasSucceeded: isThere, at: now) {
        waiting.remove(failed)
      }
      follow()
    }
    for step in 0..<300 {
      let (now, luck) = (Int64(step), draw.uniform("step", step))
      let choice = Int(draw.uniform("choice", step) * 1_000)
      if luck < 0.4, waiting.count + placed.count < 6 {
        asked += 1
        waiting.insert(asked)
        pool.request(asked, at: now)
      } else if luck < 0.55, !waiting.isEmpty {
        let exchange = waiting.sorted()[choice % waiting.count]
        waiting.remove(exchange)
        impatient.remove(exchange)
        pool.cancel(exchange)
      } else if luck < 0.75, !placed.isEmpty {
        _ = pool.release(placed.remove(at: choice % placed.count), isClear: luck < 0.68, at: now)
      } else if luck < 0.95, !handshakes.isEmpty {
        endHandshake(at: now, isThere: luck < 0.93)
      } else if !isPatient, let exchange = impatient.min() {
        impatient.remove(exchange)
        pool.connectSeparately(exchange, at: now)
      }
      follow()
      #expect(pool.open <= min(limit ?? .max, most + (isPatient ? 0 : 6)), "seed \(seed), step \(step)")
    }
    // Whoever waits has somebody to wait for.
    while !handshakes.isEmpty || !placed.isEmpty {
      if !placed.isEmpty { _ = pool.release(placed.removeFirst(), isClear: true, at: 1_000) }
      follow()
      if !handshakes.isEmpty { endHandshake(at: 1_000, isThere: true) }
    }
    #expect(waiting.isEmpty, "seed \(seed): \(waiting.sorted())")
  }
}
