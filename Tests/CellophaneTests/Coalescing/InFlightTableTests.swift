@testable internal import Cellophane
internal import Testing

@Suite("In-flight table")
final class InFlightTableTests {
  typealias Table = InFlightTable<String, Int, String>
  var table = Table()

  /// Joins `key`. If that starts a flight, attaches work named after the key and the flight.
  func join(_ key: String, _ waiter: Int, _ priority: Priority = .normal) -> String {
    switch table.join(key, waiter, priority: priority) {
    case .start(let flight):
      table.attach("\(key)\(flight)", to: key, flight: flight)
      return "start \(flight)"
    case .joined(_, let change): return change.map { "raise \($0.work) \($0.priority)" } ?? "joined"
    }
  }

  /// Leaves `key`. Abandons the work after the last waiter.
  func leave(_ key: String, _ waiter: Int) -> String {
    switch table.leave(key, waiter) {
    case .nothing: "nothing"
    case .lower(let change): "lower \(change.work) \(change.priority)"
    case .last(let work, let flight):
      table.abandon(key, flight: flight).map { "abandon \($0)" } ?? "kept \(work)"
    }
  }

  @Test("the first waiter of a key starts a flight, the others join it")
  func joining() {
    #expect(join("a", 1) == "start 1")
    #expect(join("a", 2) == "joined")
    #expect(join("b", 3) == "start 2")
    #expect(table.count == 2)
    #expect(table.waiters(of: "a") == 2)
  }

  @Test("the end returns all waiters once, in the order in which they joined")
  func finishing() {
    for waiter in [5, 3, 9, 1] { _ = join("a", waiter) }
    #expect(table.finish("a", flight: 1) == [5, 3, 9, 1])
    #expect(table.finish("a", flight: 1).isEmpty)
    #expect(table.count == 0)
  }

  @Test("a waiter that leaves and joins again comes after the others")
  func comingBack() {
    for waiter in [1, 2, 3] { _ = join("a", waiter) }
    _ = leave("a", 1)
    _ = leave("a", 2)
    #expect(join("a", 2) == "joined" && join("a", 1) == "joined" && table.waiters(of: "a") == 3)
    #expect(table.finish("a", flight: 1) == [3, 2, 1])
    for waiter in [1, 2] { _ = join("a", waiter) }
    #expect(leave("a", 1) == "nothing" && join("a", 1, .prefetch) == "joined")
    #expect(table.reprioritize("a", 1, to: .visible)?.priority == .visible)
    #expect(table.reprioritize("a", 2, to: .prefetch) == nil)
    #expect(leave("a", 1) == "lower a2 prefetch" && leave("a", 2) == "abandon a2")
  }

  @Test("only the last waiter to leave abandons the work")
  func leaving() {
    _ = join("a", 1)
    _ = join("a", 2)
    #expect(leave("a", 1) == "nothing")
    #expect(leave("a", 1) == "nothing")
    #expect(leave("a", 2) == "abandon a1")
    #expect(leave("a", 2) == "nothing")
    #expect(table.count == 0)
  }

  @Test("the end does not return a waiter that has left")
  func leaverIsNotAnswered() {
    _ = join("a", 1)
    _ = join("a", 2)
    _ = leave("a", 1)
    #expect(table.finish("a", flight: 1) == [2])
    #expect(leave("a", 2) == "nothing")
  }

  @Test("a join after an abandonment starts a new flight, which the end of the old one does not affect")
  func rejoining() {
    _ = join("a", 1)
    #expect(leave("a", 1) == "abandon a1")
    #expect(join("a", 2) == "start 2")
    #expect(table.finish("a", flight: 1).isEmpty)
    #expect(table.finish("a", flight: 2) == [2])
  }

  @Test("work that continues without waiters can be joined")
  func unawaited() {
    _ = join("a", 1, .visible)
    guard case .last("a1", let flight) = table.leave("a", 1) else {
      Issue.record("the waiter was not the last")
      return
    }
    #expect(table.count == 1 && table.waiters(of: "a") == 0)
    // The new waiter determines the priority.
    #expect(join("a", 2, .normal) == "raise a1 normal")
    #expect(table.abandon("a", flight: flight) == nil)
    #expect(table.finish("a", flight: 1) == [2])
  }

  @Test("new work can replace stopped work in a flight")
  func renewal() {
    _ = join("a", 1)
    _ = table.leave("a", 1)
    _ = table.join("a", 2, priority: .normal)
    #expect(table.renew("a") == 2)
    table.attach("other", to: "a", flight: 2)
    #expect(table.finish("a", flight: 1).isEmpty && table.waiters(of: "a") == 1)
    #expect(leave("a", 2) == "abandon other" && table.count == 0)
  }

  @Test("work without waiters ends or is abandoned once")
  func unawaitedEnd() {
    _ = join("a", 1)
    _ = table.leave("a", 1)
    #expect(table.finish("a", flight: 1).isEmpty && table.count == 0)
    #expect(table.abandon("a", flight: 1) == nil)
    _ = join("a", 2)
    _ = table.leave("a", 2)
    #expect(table.abandon("a", flight: 1) == nil && table.abandon("a", flight: 2) == "a2")
    #expect(table.abandon("a", flight: 2) == nil && table.count == 0)
    #expect(join("a", 3) == "start 3")
  }

  @Test("work attached too late is not kept")
  func lateAttach() {
    _ = join("a", 1)
    _ = table.finish("a", flight: 1)
    table.attach("late", to: "a", flight: 1)
    #expect(table.count == 0)
  }

  @Test("the flight has the highest priority of its waiters")
  func priorities() {
    #expect(join("a", 1, .prefetch) == "start 1")
    #expect(join("a", 2, .visible) == "raise a1 visible")
    #expect(join("a", 3, .normal) == "joined")
    #expect(leave("a", 2) == "lower a1 normal")
    #expect(leave("a", 3) == "lower a1 prefetch")
    #expect(leave("a", 1) == "abandon a1")
  }

  @Test("a waiter can change its priority")
  func reprioritizing() {
    _ = join("a", 1, .prefetch)
    _ = join("a", 2, .prefetch)
    #expect(table.reprioritize("a", 1, to: .visible)?.priority == .visible)
    #expect(table.reprioritize("a", 2, to: .visible)?.priority == nil)
    #expect(table.reprioritize("a", 1, to: .prefetch)?.priority == nil)
    #expect(table.reprioritize("a", 2, to: .normal)?.priority == .normal)
    #expect(table.reprioritize("a", 7, to: .visible)?.priority == nil)
    #expect(table.reprioritize("z", 1, to: .visible)?.priority == nil)
  }

  @Test("random transitions agree with a plain model", arguments: 0..<20)
  func model(seed: Int) {
    var random = SplitMix64(seed: seed)
    var model: [String: [(waiter: Int, priority: Priority)]] = [:]
    var flights: [String: UInt64] = [:]
    // The keys with work that continues without waiters.
    var unawaited: Set<String> = []
    for step in 0..<2_000 {
      let key = ["a", "b", "c"][Int.random(in: 0..<3, using: &random)]
      let waiting = model[key, default: []]
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        let priority = Priority.allCases[Int.random(in: 0..<3, using: &random)]
        if case .start(let flight) = table.join(key, step, priority: priority) {
          #expect(waiting.isEmpty && !unawaited.contains(key), "seed \(seed)")
          table.attach("w", to: key, flight: flight)
          flights[key] = flight
        } else {
          #expect(!waiting.isEmpty || unawaited.contains(key), "seed \(seed)")
        }
        unawaited.remove(key)
        model[key, default: []].append((step, priority))
      case 5..<9:
        guard let leaver = waiting.randomElement(using: &random) else { continue }
        let rest = waiting.filter { $0.waiter != leaver.waiter }
        let before = waiting.map(\.priority).max()
        switch table.leave(key, leaver.waiter) {
        case .last(_, let flight):
          #expect(rest.isEmpty && flight == flights[key], "seed \(seed)")
          if Bool.random(using: &random) {
            unawaited.insert(key)
          } else {
            #expect(table.abandon(key, flight: flight) == "w", "seed \(seed)")
          }
        case .lower(let change): #expect(change.priority == rest.map(\.priority).max(), "seed \(seed)")
        case .nothing: #expect(rest.map(\.priority).max() == before, "seed \(seed)")
        }
        model[key] = rest
      default:
        guard let flight = flights[key], !waiting.isEmpty || unawaited.contains(key) else { continue }
        if Bool.random(using: &random) {
          let isAbandoned = table.abandon(key, flight: flight) != nil
          #expect(isAbandoned == waiting.isEmpty, "seed \(seed)")
          if isAbandoned { unawaited.remove(key) }
          continue
        }
        unawaited.remove(key)
        #expect(table.finish(key, flight: flight) == waiting.map(\.waiter), "seed \(seed)")
        model[key] = []
      }
    }
  }
}
