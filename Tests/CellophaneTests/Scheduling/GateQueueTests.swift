@testable internal import Cellophane
internal import Testing

@Suite("Gate: who goes next")
struct GateQueueTests {
  let a = Origin(scheme: "http", host: "a", port: 80)
  let b = Origin(scheme: "http", host: "b", port: 80)

  func queue(total: Int = 1, perOrigin: Int = 100, reserved: Int = 0, weight: Int = .max) -> GateQueue {
    GateQueue(
      limits: GateQueue.Limits(total: total, perOrigin: perOrigin, reserved: reserved, weight: weight))
  }

  /// Admits whoever may run now.
  func admitted(_ queue: inout GateQueue) -> [GateQueue.ID] {
    var admitted: [GateQueue.ID] = []
    while let id = queue.admit() { admitted.append(id) }
    return admitted
  }

  /// Admits one after another, each leaving before the next.
  func order(_ queue: inout GateQueue) -> [GateQueue.ID] {
    var order: [GateQueue.ID] = []
    while let id = queue.admit() {
      order.append(id)
      queue.remove(id)
    }
    return order
  }

  @Test("urgent first; the newest visible, the oldest of the others")
  func priorities() {
    var queue = queue()
    for priority in [Priority.prefetch, .visible, .normal, .prefetch, .visible, .normal] {
      _ = queue.enqueue(origin: a, priority: priority)
    }
    let order = order(&queue)
    #expect(order == [5, 2, 3, 6, 1, 4])
  }

  @Test("the order holds across origins")
  func acrossOrigins() {
    var queue = queue()
    for (origin, priority) in [(a, Priority.normal), (b, .normal), (a, .visible), (b, .visible)] {
      _ = queue.enqueue(origin: origin, priority: priority)
    }
    let order = order(&queue)
    #expect(order == [4, 3, 1, 2])
  }

  @Test("a full origin does not hold up another")
  func perOrigin() {
    var queue = queue(total: 3, perOrigin: 1)
    for origin in [a, a, b] { _ = queue.enqueue(origin: origin, priority: .normal) }
    var turn = admitted(&queue)
    #expect(turn == [1, 3])
    queue.remove(1)
    turn = admitted(&queue)
    #expect(turn == [2])
  }

  @Test("reserved places are for visible work, in all and per origin")
  func reserved() {
    var queue = queue(total: 4, perOrigin: 3, reserved: 1)
    for _ in 0..<3 { _ = queue.enqueue(origin: a, priority: .prefetch) }
    var turn = admitted(&queue)
    #expect(turn == [1, 2])
    let visible = queue.enqueue(origin: a, priority: .visible)
    turn = admitted(&queue)
    #expect(turn == [visible])
    queue.remove(visible)
    for _ in 0..<2 { _ = queue.enqueue(origin: b, priority: .normal) }
    turn = admitted(&queue)
    #expect(turn == [5], "the fourth place is reserved")
  }

  @Test("prefetches begin while fewer run than fill their origin's line; others do not ask for that")
  func filling() {
    var queue = queue(total: 10, perOrigin: 6)
    for priority in [Priority.prefetch, .prefetch, .prefetch, .normal, .visible] {
      _ = queue.enqueue(origin: a, priority: priority)
    }
    _ = queue.enqueue(origin: b, priority: .prefetch)
    queue.limit(a, to: .init(saturating: 3))
    var turn = admitted(&queue)
    #expect(turn == [5, 4, 1, 6])
    queue.remove(5)
    turn = admitted(&queue)
    #expect(turn == [2])
    queue.reprioritize(3, to: .visible)
    turn = admitted(&queue)
    #expect(turn == [3])
    // What is known of a line is told again with the next work.
    for id in [1, 2, 3, 4] as [GateQueue.ID] { queue.remove(id) }
    queue.limit(a, to: .init(saturating: 1))
    for _ in 0..<3 { _ = queue.enqueue(origin: a, priority: .prefetch) }
    turn = admitted(&queue)
    #expect(turn == [7, 8, 9])
  }

  @Test(
    "limits that would let nothing run are raised",
    arguments: [(0, 0, 0), (1, 1, 2), (2, 16, 2), (16, 2, 2), (-1, -1, -1)])
  func tooLow(total: Int, perOrigin: Int, reserved: Int) {
    for priority in Priority.allCases {
      var queue = queue(total: total, perOrigin: perOrigin, reserved: reserved)
      _ = queue.enqueue(origin: a, priority: priority)
      let turn = admitted(&queue)
      #expect(turn == [1])
    }
  }

  @Test("running work that becomes visible gives its ordinary place back")
  func raisedWhileRunning() {
    var queue = queue(total: 2, reserved: 1)
    for _ in 0..<2 { _ = queue.enqueue(origin: a, priority: .prefetch) }
    var turn = admitted(&queue)
    #expect(turn == [1])
    queue.reprioritize(1, to: .visible)
    turn = admitted(&queue)
    #expect(turn == [2])
    queue.remove(1)
    queue.remove(2)
    #expect(queue.running == 0)
  }

  @Test("waiting work can be raised and cancelled")
  func raisedAndCancelled() {
    var queue = queue()
    for _ in 0..<4 { _ = queue.enqueue(origin: a, priority: .prefetch) }
    queue.reprioritize(3, to: .visible)
    queue.reprioritize(4, to: .normal)
    queue.remove(1)
    let order = order(&queue)
    #expect(order == [3, 4, 2])
    #expect(queue.waiting == 0)
  }

  @Test("heavy work waits for room and is not overtaken; too heavy work runs alone")
  func weights() {
    var queue = queue(total: 10, weight: 100)
    for weight in [60, 60, 10, 1_000] { _ = queue.enqueue(origin: nil, priority: .normal, weight: weight) }
    var turn = admitted(&queue)
    #expect(turn == [1])
    queue.remove(1)
    turn = admitted(&queue)
    #expect(turn == [2, 3])
    queue.remove(2)
    queue.remove(3)
    turn = admitted(&queue)
    #expect(turn == [4])
  }

  @Test("limits hold and everyone has a turn under random use", arguments: 0..<20)
  func random(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    var queue = queue(total: 5, perOrigin: 3, reserved: 1)
    var running: [GateQueue.ID: Origin] = [:]
    var waiting: [GateQueue.ID: Origin] = [:]
    for _ in 0..<3_000 {
      let origin = [a, b][Int.random(in: 0..<2, using: &random)]
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        let priority = Priority.allCases[Int.random(in: 0..<3, using: &random)]
        waiting[queue.enqueue(origin: origin, priority: priority)] = origin
      case 4..<7:
        guard let id = running.keys.sorted().randomElement(using: &random) else { continue }
        let wasThere = queue.remove(id)
        #expect(wasThere, "seed \(seed)")
        running[id] = nil
      case 7:
        guard let id = waiting.keys.sorted().randomElement(using: &random) else { continue }
        let wasThere = queue.remove(id)
        #expect(wasThere, "seed \(seed)")
        waiting[id] = nil
      default:
        guard let id = (Array(running.keys) + waiting.keys).sorted().randomElement(using: &random) else {
          continue
        }
        queue.reprioritize(id, to: Priority.allCases[Int.random(in: 0..<3, using: &random)])
      }
      while let id = queue.admit() { running[id] = waiting.removeValue(forKey: id) }
      #expect(queue.running == running.count && queue.waiting == waiting.count, "seed \(seed)")
      #expect(running.count <= 5, "seed \(seed)")
      for origin in [a, b] { #expect(running.values.count { $0 == origin } <= 3, "seed \(seed)") }
    }
    var left = waiting.count
    while left > 0 {
      for id in running.keys.sorted() { queue.remove(id) }
      running = [:]
      while let id = queue.admit() { running[id] = waiting.removeValue(forKey: id) }
      try #require(!running.isEmpty, "seed \(seed): nobody is admitted")
      left = waiting.count
    }
  }
}
