import Testing

@testable import CellophaneSimulation

/// The flows against closed forms. A line of 8 Mbit/s moves a byte in 1 µs.
@Suite struct FlowNetworkTests {
  static let byte: Int64 = 1_000
  static let wide = 1 << 40

  static func make(_ bitsPerSecond: Int? = 8_000_000, roundTrip: Duration = .zero) -> FlowNetwork {
    FlowNetwork(bitsPerSecond: bitsPerSecond, roundTrip: roundTrip)
  }

  /// Lets time go from event to event; returns when each flow was whole, by its number.
  static func ends(_ network: inout FlowNetwork) -> [Int: Int64] {
    var ends: [Int: Int64] = [:]
    while let next = network.next {
      network.advance(to: next)
      for flow in network.whole where ends[flow] == nil { ends[flow] = next }
    }
    return ends
  }

  @Test(arguments: [1, 2, 1_460, 50_000, FlowNetwork.largestFlow])
  func `one flow takes its size by the rate of the line`(size: Int) {
    var network = Self.make()
    let flow = network.begin(size, window: Self.wide, at: 70)
    #expect(Self.ends(&network) == [flow: 70 + Int64(size) * Self.byte])
  }

  @Test func `a rate that does not divide is rounded up to the next nanosecond`() {
    var network = Self.make(7)
    _ = network.begin(1, window: Self.wide, at: 0)
    // 8/7 s.
    #expect(network.next == 1_142_857_143)
  }

  @Test func `two flows share the line, and who stays gets it all`() {
    var network = Self.make()
    let first = network.begin(1_000, window: Self.wide, at: 0)
    let second = network.begin(3_000, window: Self.wide, at: 500 * Self.byte)
    // The first has 500 bytes left, which take 1 000 at half the rate; then the second has 2 500 left.
    #expect(Self.ends(&network) == [first: 1_500 * Self.byte, second: 4_000 * Self.byte])
  }

  @Test(arguments: [1, 2, 3, 7, 16])
  func `any number of equal flows end together, when all their bytes have passed`(count: Int) {
    var network = Self.make()
    for _ in 0..<count { _ = network.begin(1_000, window: Self.wide, at: 0) }
    // Rates are whole bit/s, so that some have one more than others.
    let whole = Int64(count) * 1_000 * Self.byte
    let slack = Int64(count) * whole / 8_000_000 + 1
    let ends = Self.ends(&network).values
    #expect(ends.count == count)
    #expect(ends.allSatisfy { (whole - slack...whole + slack).contains($0) }, "\(ends)")
    #expect(ends.contains { $0 >= whole })
  }

  @Test func `who is held back by his window leaves the rest to the others`() {
    // 10 ms of round trip: a window of 2 500 bytes is 2 Mbit/s, a quarter of the line.
    var network = Self.make(roundTrip: .milliseconds(10))
    let small = network.begin(1_000, window: 2_500, at: 0)
    let large = network.begin(3_000, window: Self.wide, at: 0)
    // 4 µs for a byte of the one, 4/3 µs for one of the other.
    #expect(Self.ends(&network) == [small: 4_000_000, large: 4_000_000])
  }

  @Test func `slow start doubles the window with each round trip until the line is full`() {
    // 100 ms · 8 Mbit/s = 100 000 bytes, of which ten segments are 14.6 %.
    var network = Self.make(roundTrip: .milliseconds(100))
    let start = FlowNetwork.initialWindow
    _ = network.begin(500_000, window: start, at: 0)
    // A window a round trip: 14 600, 29 200, 58 400 bytes; then 116 800 are more than the line.
    let slow = start * 7
    let end = 300_000_000 + Int64(500_000 - slow) * Self.byte
    let last = Self.ends(&network).values.first ?? 0
    // The three rates are rounded down to whole bit/s.
    #expect((end...end + 1_000).contains(last), "\(last)")
    #expect(network.end(1, at: last)?.window == 8 * start)
  }

  @Test func `a flow that is taken out has received what came, and the others go faster`() {
    var network = Self.make()
    let first = network.begin(1_000, window: Self.wide, at: 0)
    let second = network.begin(1_000, window: Self.wide, at: 0)
    #expect(network.end(first, at: 400 * Self.byte)?.received == 200)
    #expect(network.end(first, at: 400 * Self.byte) == nil)
    #expect(Self.ends(&network) == [second: 1_200 * Self.byte])
  }

  @Test func `without a limit a picture takes less than a microsecond`() {
    var network = Self.make(nil, roundTrip: .zero)
    _ = network.begin(100_000, window: FlowNetwork.initialWindow, at: 5)
    #expect(network.next == 805)
    #expect(Self.make(nil).next == nil)
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `no byte is lost and none is faster than the line, whatever comes and goes`(seed: UInt64) {
    let draw = SeededDraw(seed: seed)
    var network = Self.make(roundTrip: .milliseconds(Int(draw.bits("trip", 0) % 50)))
    var open: [Int: Int] = [:]
    var now: Int64 = 0
    var received = 0
    for step in 0..<60 {
      now += Int64(draw.bits("pause", step) % 2_000_000)
      if draw.chance(0.4, "leave", step), let flow = open.keys.min(),
        let end = network.end(flow, at: now), let size = open.removeValue(forKey: flow)
      {
        #expect((0...size).contains(end.received), "seed \(seed)")
        received += end.received
      } else {
        let size = Int(draw.bits("size", step) % 4_000)
        open[network.begin(size, window: 1_000 + Int(draw.bits("window", step) % 20_000), at: now)] = size
      }
    }
    while let next = network.next {
      network.advance(to: next)
      now = next
    }
    for (flow, size) in open {
      #expect(network.end(flow, at: now)?.received == size, "seed \(seed)")
      received += size
    }
    #expect(Int64(received) * Self.byte <= now, "seed \(seed)")
  }
}
