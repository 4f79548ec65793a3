import Cellophane
import CellophaneTesting
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation

@Suite struct ConnectionPoolTests {
  typealias Assignment = ConnectionPool.Assignment
  typealias Event = ConnectionPool.Event

  /// Removes and returns all events.
  private func events(_ pool: inout ConnectionPool) -> [Event] {
    var events: [Event] = []
    while let event = pool.nextEvent() { events.append(event) }
    return events
  }

  @Test func `connections are opened up to the limit and reused, the most recent one first`() {
    var pool = ConnectionPool(.http1(limit: 2), setup: .nanoseconds(10))
    let assignments = (1...2).map { Assignment(connection: $0, ready: 10) }
    for exchange in 1...3 { pool.request(exchange, at: 0) }
    // Both connections are in use.
    #expect(events(&pool) == [.connects(1, assignments[0]), .connects(2, assignments[1])])
    for assignment in assignments {
      let failed = pool.endHandshake(of: assignment.connection, hasSucceeded: true, at: 10)
      #expect(failed == nil)
    }
    #expect(events(&pool) == [.assigned(1, assignments[0]), .assigned(2, assignments[1])])
    let isOpen = pool.release(assignments[0], isClear: true, at: 20)
    #expect(isOpen)
    #expect(events(&pool) == [.assigned(3, Assignment(connection: 1, ready: 20))])
    for assignment in assignments { _ = pool.release(assignment, isClear: true, at: 25) }
    for exchange in 4...5 { pool.request(exchange, at: 30) }
    #expect(
      events(&pool) == [
        .assigned(4, Assignment(connection: 2, ready: 30)),
        .assigned(5, Assignment(connection: 1, ready: 30)),
      ])
    #expect(pool.opened == 2)
  }

  @Test func `a closed connection allows a new one`() {
    var pool = ConnectionPool(.http1(limit: 1))
    for exchange in 1...2 { pool.request(exchange, at: 0) }
    let first = Assignment(connection: 1, ready: 0)
    #expect(events(&pool) == [.assigned(1, first)])
    let isOpen = pool.release(first, isClear: false, at: 1)
    #expect(!isOpen)
    #expect(events(&pool) == [.assigned(2, Assignment(connection: 2, ready: 1))])
    #expect(pool.opened == 2)
  }

  @Test func `over HTTP/2 all exchanges share one connection and its handshake`() {
    var pool = ConnectionPool(.multiplexed, setup: .nanoseconds(10))
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
    #expect(pool.exchanges == ConnectionPool.maxStreams)
  }

  @Test func `at most six orphaned handshakes remain for later exchanges`() {
    var pool = ConnectionPool(.http1(limit: nil), setup: .nanoseconds(10))
    for exchange in 1...8 { pool.request(exchange, at: 0) }
    for exchange in 1...8 { pool.cancel(exchange) }
    _ = events(&pool)
    // Six exchanges wait for the orphans, the seventh connects.
    for exchange in 9...15 { pool.request(exchange, at: 1) }
    #expect(
      events(&pool) == (9...14).map { .waits($0) } + [.connects(15, Assignment(connection: 9, ready: 11))])
  }

  /// Exchanges begin, end, break off and are cancelled at random, over connections that fail at random. Under odd
  /// seeds, exchanges also stop waiting for orphaned handshakes and connect separately. Then there may be six more
  /// connections: the maximum number of orphans.
  @Test(arguments: [nil, 1, 3], 1...40)
  func `each waiting exchange gets a connection, and there are no more connections than concurrent exchanges`(
    limit: Int?, seed: Int
  ) {
    var pool = ConnectionPool(.http1(limit: limit), setup: .nanoseconds(10))
    let waitsForOrphans = seed.isMultiple(of: 2)
    let draw = SeededDraw(seed: UInt64(seed))
    var (waiting, waitingForOrphan): (Set<Int>, Set<Int>) = ([], [])
    var assigned: [Assignment] = []
    var handshakes: [Assignment] = []
    var (requested, peak) = (0, 0)
    func processEvents() {
      while let event = pool.nextEvent() {
        switch event {
        case .waits(let exchange): waitingForOrphan.insert(exchange)
        case .connects(let exchange, let assignment):
          waitingForOrphan.remove(exchange)
          handshakes.append(assignment)
        case .assigned(let exchange, let assignment):
          waitingForOrphan.remove(exchange)
          #expect(waiting.remove(exchange) != nil, "seed \(seed): \(exchange) already has a connection")
          #expect(
            !assigned.contains { $0.connection == assignment.connection },
            "seed \(seed): a connection is assigned twice")
          assigned.append(assignment)
        }
      }
      peak = max(peak, waiting.count + assigned.count)
    }
    func endHandshake(at now: Int64, hasSucceeded: Bool) {
      let assignment = handshakes.removeFirst()
      if let failed = pool.endHandshake(of: assignment.connection, hasSucceeded: hasSucceeded, at: now) {
        waiting.remove(failed)
      }
      processEvents()
    }
    for step in 0..<300 {
      let (now, action) = (Int64(step), draw.uniform("step", step))
      let choice = Int(draw.uniform("choice", step) * 1_000)
      if action < 0.4, waiting.count + assigned.count < 6 {
        requested += 1
        waiting.insert(requested)
        pool.request(requested, at: now)
      } else if action < 0.55, !waiting.isEmpty {
        let exchange = waiting.sorted()[choice % waiting.count]
        waiting.remove(exchange)
        waitingForOrphan.remove(exchange)
        pool.cancel(exchange)
      } else if action < 0.75, !assigned.isEmpty {
        _ = pool.release(assigned.remove(at: choice % assigned.count), isClear: action < 0.68, at: now)
      } else if action < 0.95, !handshakes.isEmpty {
        endHandshake(at: now, hasSucceeded: action < 0.93)
      } else if !waitsForOrphans, let exchange = waitingForOrphan.min() {
        waitingForOrphan.remove(exchange)
        pool.connectSeparately(exchange, at: now)
      }
      processEvents()
      #expect(pool.open <= min(limit ?? .max, peak + (waitsForOrphans ? 0 : 6)), "seed \(seed), step \(step)")
    }
    // The remaining exchanges get connections when the others end.
    while !handshakes.isEmpty || !assigned.isEmpty {
      if !assigned.isEmpty { _ = pool.release(assigned.removeFirst(), isClear: true, at: 1_000) }
      processEvents()
      if !handshakes.isEmpty { endHandshake(at: 1_000, hasSucceeded: true) }
    }
    #expect(waiting.isEmpty, "seed \(seed): \(waiting.sorted())")
  }
}
