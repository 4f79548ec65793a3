import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation

/// Properties of flows that begin and end at random.
@Suite struct FlowNetworkPropertyTests {
  static let byte: Int64 = 1_000

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `no byte is lost, and the link delivers no more than its rate`(seed: UInt64) throws {
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
          let arrived = network.cancel(stream, at: now)
          #expect((0...size).contains(arrived), "seed \(seed)")
          received += arrived
          cancelled += size - arrived
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
      let isFinished = network.finish(stream, at: now)
      #expect(isFinished, "seed \(seed)")
      received += size
    }
    #expect((0...cancelled).contains(network.receivedAfterCancel), "seed \(seed)")
    #expect(Int64(received + network.receivedAfterCancel) * Self.byte <= now, "seed \(seed)")
  }

  /// Returns the time at which each of `bodies` is complete. Each body has a separate connection. `stop` returns
  /// an additional time at which the clock stops, after the start of a body.
  static func ends(
    _ bodies: [(size: Int, start: Int64)], _ terms: FlowTerms, stop: (Int) -> Int64? = { _ in nil }
  ) -> [Int64] {
    var network = FlowNetwork(terms)
    var ends = [Int64](repeating: .max, count: bodies.count)
    func advance(until limit: Int64) {
      while let next = network.next, next <= limit {
        network.advance(to: next)
        for stream in network.completed where ends[stream - 1] == .max { ends[stream - 1] = next }
      }
    }
    for (index, body) in bodies.enumerated() {
      network.open(index)
      advance(until: body.start)
      _ = network.begin(body.size, over: index, at: body.start)
      if let time = stop(index) {
        advance(until: time)
        network.advance(to: time)
      }
    }
    advance(until: .max)
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
  func `on a faster link no body completes later`(seed: UInt64) {
    let draw = SeededDraw(seed: seed)
    let slow = 100_000 + Int(draw.bits("slow", 0) % 10_000_000)
    let fast = slow + Int(draw.bits("fast", 0) % 10_000_000)
    // One body with slow start, and many bodies without it, which only share the link equally.
    for (count, roundTrip) in [(1, Duration.milliseconds(40)), (12, .zero)] {
      let bodies = Self.bodies(draw, count)
      let later = Self.ends(bodies, FlowTerms(bitsPerSecond: slow, roundTrip: roundTrip))
      let earlier = Self.ends(bodies, FlowTerms(bitsPerSecond: fast, roundTrip: roundTrip))
      for (later, earlier) in zip(later, earlier) {
        // Rates are whole bit/s: rounding takes up to 1 bit/s of a share of at least 100 000 / 12 bit/s.
        #expect(earlier <= later + later / 10_000, "seed \(seed), \(count) bodies")
      }
    }
  }

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func `additional stops of the clock change no result`(seed: UInt64) {
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
