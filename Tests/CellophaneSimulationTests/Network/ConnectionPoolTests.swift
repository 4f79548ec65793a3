import Testing

@testable import CellophaneSimulation

@Suite struct ConnectionPoolTests {
  typealias Place = ConnectionPool.Place

  @Test func `connections are made up to the limit, and used again, the last one first`() {
    var pool = ConnectionPool(.http1(limit: 2), setup: .nanoseconds(10))
    let first = Place(connection: 1, isNew: true, ready: 10)
    let second = Place(connection: 2, isNew: true, ready: 10)
    let place1 = pool.take(at: 0)
    #expect(place1 == first)
    let place2 = pool.take(at: 0)
    #expect(place2 == second)
    let place3 = pool.take(at: 0)
    #expect(place3 == nil)
    let isOpen4 = pool.giveBack(first, isClear: true)
    #expect(isOpen4)
    let isOpen5 = pool.giveBack(second, isClear: true)
    #expect(isOpen5)
    let place6 = pool.take(at: 30)
    #expect(place6 == Place(connection: 2, isNew: false, ready: 30))
    let place7 = pool.take(at: 30)
    #expect(place7 == Place(connection: 1, isNew: false, ready: 30))
    #expect(pool.mostBusy == 2)
    #expect(pool.opened == 2)
  }

  @Test func `a connection that is closed makes room for a new one`() throws {
    var pool = ConnectionPool(.http1(limit: 1))
    let taken = pool.take(at: 0)
    let first = try #require(taken)
    let isOpen8 = pool.giveBack(first, isClear: false)
    #expect(!isOpen8)
    let place9 = pool.take(at: 1)
    #expect(place9 == Place(connection: 2, isNew: true, ready: 1))
    #expect(pool.opened == 2)
  }

  @Test func `over HTTP 2 all exchanges share a connection, and wait for its one handshake`() {
    var pool = ConnectionPool(.http2, setup: .nanoseconds(10))
    let first = Place(connection: 1, isNew: true, ready: 10)
    let place10 = pool.take(at: 0)
    #expect(place10 == first)
    let place11 = pool.take(at: 4)
    #expect(place11 == Place(connection: 1, isNew: false, ready: 10))
    let isOpen12 = pool.giveBack(first, isClear: false)
    #expect(isOpen12)
    let place13 = pool.take(at: 20)
    #expect(place13 == Place(connection: 1, isNew: false, ready: 20))
    for _ in 2..<ConnectionPool.mostStreams {
      let place = pool.take(at: 20)
      #expect(place != nil)
    }
    let place14 = pool.take(at: 20)
    #expect(place14 == nil)
    #expect(pool.opened == 1)
    #expect(pool.mostBusy == ConnectionPool.mostStreams)
  }
}
