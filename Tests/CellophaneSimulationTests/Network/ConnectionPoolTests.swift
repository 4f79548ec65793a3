import Testing

@testable import CellophaneSimulation

@Suite struct ConnectionPoolTests {
  static let second: Int64 = 1_000_000_000

  @Test func `connections are made up to the limit, and used again, the last one first`() {
    var pool = ConnectionPool(limit: 2)
    let new = ConnectionPool.Connection(isNew: true, window: FlowNetwork.initialWindow)
    #expect(pool.take(at: 0) == new)
    #expect(pool.take(at: 0) == new)
    #expect(pool.take(at: 0) == nil)
    pool.giveBack(window: 20_000, at: 1)
    pool.giveBack(window: 30_000, at: 2)
    #expect(pool.take(at: 3) == ConnectionPool.Connection(isNew: false, window: 30_000))
    #expect(pool.take(at: 3) == ConnectionPool.Connection(isNew: false, window: 20_000))
    #expect(pool.mostOpen == 2)
  }

  @Test func `a connection that is closed makes room for a new one`() {
    var pool = ConnectionPool(limit: 1)
    _ = pool.take(at: 0)
    pool.close()
    #expect(pool.take(at: 1)?.isNew == true)
  }

  @Test(arguments: [(second, 20_000), (second + 1, FlowNetwork.initialWindow)])
  func `a window is forgotten after a second of rest`(rest: Int64, window: Int) {
    var pool = ConnectionPool(limit: nil)
    _ = pool.take(at: 0)
    pool.giveBack(window: 20_000, at: 5)
    #expect(pool.take(at: 5 + rest) == ConnectionPool.Connection(isNew: false, window: window))
  }
}
