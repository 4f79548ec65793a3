@testable internal import Cellophane
internal import Testing

@Suite("Order and limits of the gate")
struct GateQueueTests {
  let a = Origin(scheme: "http", host: "a", port: 80)
  let b = Origin(scheme: "http", host: "b", port: 80)

  func queue(total: Int = 1, perOrigin: Int = 100, reserved: Int = 0, weight: Int = .max) -> GateQueue {
    GateQueue(
      limits: GateQueue.Limits(total: total, perOrigin: perOrigin, reserved: reserved, weight: weight))
  }

  /// Admits all work that may run now. Returns its IDs.
  func admitted(_ queue: inout GateQueue) -> [GateQueue.ID] {
    var admitted: [GateQueue.ID] = []
    while let id = queue.admit() { admitted.append(id) }
    return admitted
  }

  /// Admits all work, one at a time. Returns its IDs in order.
  func order(_ queue: inout GateQueue) -> [GateQueue.ID] {
    var order: [GateQueue.ID] = []
    while let id = queue.admit() {
      order.append(id)
      queue.remove(id)
    }
    return order
  }

  @Test("the most urgent work is admitted first: the newest visible, the oldest of other priorities")
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

  @Test("an origin at its limit does not delay another")
  func perOrigin() {
    var queue = queue(total: 3, perOrigin: 1)
    for origin in [a, a, b] { _ = queue.enqueue(origin: origin, priority: .normal) }
    var ids = admitted(&queue)
    #expect(ids == [1, 3])
    queue.remove(1)
    ids = admitted(&queue)
    #expect(ids == [2])
  }

  @Test("only visible work uses reserved slots, in all and per origin")
  func reserved() {
    var queue = queue(total: 4, perOrigin: 3, reserved: 1)
    for _ in 0..<3 { _ = queue.enqueue(origin: a, priority: .prefetch) }
    var ids = admitted(&queue)
    #expect(ids == [1, 2])
    let visible = queue.enqueue(origin: a, priority: .visible)
    ids = admitted(&queue)
    #expect(ids == [visible])
    queue.remove(visible)
    for _ in 0..<2 { _ = queue.enqueue(origin: b, priority: .normal) }
    ids = admitted(&queue)
    #expect(ids == [5], "the fourth slot is reserved")
  }

  @Test("prefetches start only below the saturation of their origin's link, other work also above it")
  func saturation() {
    var queue = queue(total: 10, perOrigin: 6)
    for priority in [Priority.prefetch, .prefetch, .prefetch, .normal, .visible] {
      _ = queue.enqueue(origin: a, priority: priority)
    }
    _ = queue.enqueue(origin: b, priority: .prefetch)
    queue.limit(a, to: .init(saturating: 3))
    var ids = admitted(&queue)
    #expect(ids == [5, 4, 1, 6])
    queue.remove(5)
    ids = admitted(&queue)
    #expect(ids == [2])
    queue.reprioritize(3, to: .visible)
    ids = admitted(&queue)
    #expect(ids == [3])
    // Limits are kept only while there is work for the origin.
    for id in [1, 2, 3, 4] as [GateQueue.ID] { queue.remove(id) }
    queue.limit(a, to: .init(saturating: 1))
    for _ in 0..<3 { _ = queue.enqueue(origin: a, priority: .prefetch) }
    ids = admitted(&queue)
    #expect(ids == [7, 8, 9])
  }

  @Test(
    "limits that would admit no work are raised",
    arguments: [(0, 0, 0), (1, 1, 2), (2, 16, 2), (16, 2, 2), (-1, -1, -1)])
  func tooLow(total: Int, perOrigin: Int, reserved: Int) {
    for priority in Priority.allCases {
      var queue = queue(total: total, perOrigin: perOrigin, reserved: reserved)
      _ = queue.enqueue(origin: a, priority: priority)
      let ids = admitted(&queue)
      #expect(ids == [1])
    }
  }

  @Test("running work that becomes visible frees its ordinary slot")
  func raisedWhileRunning() {
    var queue = queue(total: 2, reserved: 1)
    for _ in 0..<2 { _ = queue.enqueue(origin: a, priority: .prefetch) }
    var ids = admitted(&queue)
    #expect(ids == [1])
    queue.reprioritize(1, to: .visible)
    ids = admitted(&queue)
    #expect(ids == [2])
    queue.remove(1)
    queue.remove(2)
    #expect(queue.running == 0)
  }

  @Test("waiting work can be reprioritized and cancelled")
  func reprioritizedAndCancelled() {
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
    var ids = admitted(&queue)
    #expect(ids == [1])
    queue.remove(1)
    ids = admitted(&queue)
    #expect(ids == [2, 3])
    queue.remove(2)
    queue.remove(3)
    ids = admitted(&queue)
    #expect(ids == [4])
  }

  @Test("under random use, limits hold and all work is admitted in the end", arguments: 0..<20)
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
    var remaining = waiting.count
    while remaining > 0 {
      for id in running.keys.sorted() { queue.remove(id) }
      running = [:]
      while let id = queue.admit() { running[id] = waiting.removeValue(forKey: id) }
      try #require(!running.isEmpty, "seed \(seed): no work is admitted")
      remaining = waiting.count
    }
  }
}
