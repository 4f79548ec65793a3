import Testing

@testable import CellophaneSimulation

/// What holds for flows whatever comes and goes.
@Suite struct FlowNetworkPropertyTests {
  static let byte: Int64 = 1_000

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `no byte is lost, and never do more come than the line carries`(seed: UInt64) throws {
    let source = SeededDraw(seed: seed)
    func draw(_ name: String, _ step: Int, below limit: UInt64) -> Int {
      Int(source.bits(name, step) % limit)
    }
    let terms = FlowTerms(
      bitsPerSecond: 8_000_000, roundTrip: .microseconds(draw("trip", 0, below: 50_000)),
      loss: [0, 0.001, 0.05][draw("loss", 0, below: 3)])
    var network = FlowNetwork(terms)
    let connections = 1 + draw("connections", 0, below: 4)
    for connection in 1...connections { network.open(connection) }
    var open: [(stream: Int, size: Int)] = []
    var (now, received, cancelled): (Int64, Int, Int) = (0, 0, 0)
    for step in 0..<80 {
      now += Int64(draw("pause", step, below: 2_000_000))
      if source.chance(0.3, "leave", step), !open.isEmpty {
        let (stream, size) = open.remove(at: draw("who", step, below: UInt64(open.count)))
        if network.finish(stream, at: now) {
          received += size
        } else {
          let came = network.cancel(stream, at: now)
          #expect((0...size).contains(came), "seed \(seed)")
          received += came
          cancelled += size - came
        }
      } else {
        let size = draw("size", step, below: 9_000)
        let order = StreamOrder(
          urgency: draw("urgency", step, below: 3), isIncremental: source.chance(0.5, "incremental", step))
        let stream = network.begin(
          size, over: 1 + draw("over", step, below: UInt64(connections)), order: order,
          lossDraw: source.uniform("luck", step), at: now)
        open.append((stream, size))
      }
      #expect(network.rate <= terms.capacity, "seed \(seed)")
    }
    while let next = network.next {
      network.advance(to: next)
      now = next
      #expect(network.rate <= terms.capacity, "seed \(seed)")
    }
    for (stream, size) in open {
      #expect(network.received(of: stream) == size, "seed \(seed)")
      let isFinished1 = network.finish(stream, at: now)
      #expect(isFinished1, "seed \(seed)")
      received += size
    }
    #expect((0...cancelled).contains(network.receivedAfterCancel), "seed \(seed)")
    #expect(Int64(received + network.receivedAfterCancel) * Self.byte <= now, "seed \(seed)")
  }

  /// When each of `bodies`, begun at a time over a connection of its own, is whole; `look` is where time stops
  /// besides, after each body's beginning.
  static func ends(
    _ bodies: [(size: Int, start: Int64)], _ terms: FlowTerms, look: (Int) -> Int64? = { _ in nil }
  ) -> [Int64] {
    var network = FlowNetwork(terms)
    var ends = [Int64](repeating: .max, count: bodies.count)
    func go(until limit: Int64) {
      while let next = network.next, next <= limit {
        network.advance(to: next)
        for stream in network.completed where ends[stream - 1] == .max { ends[stream - 1] = next }
      }
    }
    for (index, body) in bodies.enumerated() {
      network.open(index)
      go(until: body.start)
      _ = network.begin(body.size, over: index, at: body.start)
      if let stop = look(index) {
        go(until: stop)
        network.advance(to: stop)
      }
    }
    go(until: .max)
    return ends
  }

  static func bodies(_ draw: SeededDraw, _ count: Int) -> [(size: Int, start: Int64)] {
    var start: Int64 = 0
    return (0..<count).map { index in
      start += Int64(draw.bits("gap", index) % 20_000_000)
      return (1 + Int(draw.bits("size", index) % 200_000), start)
    }
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `on a faster line nothing comes later`(seed: UInt64) {
    let draw = SeededDraw(seed: seed)
    let slow = 100_000 + Int(draw.bits("slow", 0) % 10_000_000)
    let fast = slow + Int(draw.bits("fast", 0) % 10_000_000)
    // One alone, with slow start; many without, whose equal shares are the whole story.
    for (count, roundTrip) in [(1, Duration.milliseconds(40)), (12, .zero)] {
      let bodies = Self.bodies(draw, count)
      let later = Self.ends(bodies, FlowTerms(bitsPerSecond: slow, roundTrip: roundTrip))
      let earlier = Self.ends(bodies, FlowTerms(bitsPerSecond: fast, roundTrip: roundTrip))
      for (later, earlier) in zip(later, earlier) {
        // Rates are whole bit/s: up to a twelfth of one in a hundred thousand is lost to rounding.
        #expect(earlier <= later + later / 10_000, "seed \(seed), \(count) bodies")
      }
    }
  }

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func `where time is looked at changes nothing`(seed: UInt64) {
    let draw = SeededDraw(seed: seed)
    let terms = FlowTerms(bitsPerSecond: 8_000_000, roundTrip: .milliseconds(7))
    let bodies = Self.bodies(draw, 6)
    let ends = Self.ends(bodies, terms) { index in
      let pause = index + 1 < bodies.count ? bodies[index + 1].start - bodies[index].start : 1
      return bodies[index].start + Int64(draw.bits("look", index) % UInt64(pause + 1))
    }
    #expect(ends == Self.ends(bodies, terms), "seed \(seed)")
  }
}
