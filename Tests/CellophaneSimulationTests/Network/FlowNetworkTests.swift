import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation

/// Flows against closed formulas. A link of 8 Mbit/s transfers a byte in 1 µs.
@Suite struct FlowNetworkTests {
  static let byte: Int64 = 1_000

  /// Returns a link with `connections` open connections, numbered from 1.
  static func make(
    _ bitsPerSecond: Int? = 8_000_000, roundTrip: Duration = .zero, loss: Double = 0, connections: Int = 1
  ) -> FlowNetwork {
    var network = FlowNetwork(FlowTerms(bitsPerSecond: bitsPerSecond, roundTrip: roundTrip, loss: loss))
    for connection in 0..<connections { network.open(connection + 1) }
    return network
  }

  /// Advances the time from event to event. Returns the time at which each stream is complete, by its number.
  static func ends(_ network: inout FlowNetwork) -> [Int: Int64] {
    var ends: [Int: Int64] = [:]
    while let next = network.next {
      network.advance(to: next)
      for stream in network.completed where ends[stream] == nil { ends[stream] = next }
    }
    return ends
  }

  @Test(arguments: [1, 2, 1_460, 50_000, FlowTerms.maxBody])
  func `a single body takes its size divided by the rate of the link`(size: Int) {
    var network = Self.make()
    let stream = network.begin(size, over: 1, at: 70)
    #expect(Self.ends(&network) == [stream: 70 + Int64(size) * Self.byte])
    let isFinished = network.finish(stream, at: network.time)
    #expect(isFinished)
    let isFinishedAgain = network.finish(stream, at: network.time)
    #expect(!isFinishedAgain)
    #expect(network.openConnections == 1)
  }

  @Test func `the end of a body is rounded up to the next nanosecond`() {
    var network = Self.make(7)
    _ = network.begin(1, over: 1, at: 0)
    // 8/7 s.
    #expect(network.next == 1_142_857_143)
  }

  @Test func `two connections share the link, and the last one gets all of it`() {
    var network = Self.make(connections: 2)
    let first = network.begin(1_000, over: 1, at: 0)
    let second = network.begin(3_000, over: 2, at: 500 * Self.byte)
    // The first has 500 bytes left, which take 1 000 at half the rate; then the second has 2 500 left.
    #expect(Self.ends(&network) == [first: 1_500 * Self.byte, second: 4_000 * Self.byte])
  }

  @Test(arguments: [1, 2, 3, 7, 16])
  func `equal bodies end together, when the link has delivered all their bytes`(count: Int) {
    var network = Self.make(connections: count)
    for connection in 1...count { _ = network.begin(1_000, over: connection, at: 0) }
    // Rates are whole bit/s, so that some bodies have one more than others.
    let total = Int64(count) * 1_000 * Self.byte
    let slack = Int64(count) * total / 8_000_000 + 1
    let ends = Self.ends(&network).values
    #expect(ends.count == count)
    #expect(ends.allSatisfy { (total - slack...total + slack).contains($0) }, "\(ends)")
    #expect(ends.contains { $0 >= total })
  }

  /// 100 ms · 8 Mbit/s = 100 000 bytes fill the link. The initial window of ten segments is 14.6 % of that.
  static let slow = Duration.milliseconds(100)
  static let first = FlowTerms.initialWindow

  /// Kurose and Ross, Computer Networking, section 3.7: a window is sent each round trip and segment. Each window
  /// is twice as large, until the link is full. The rest is sent at the rate of the link. A segment takes 1.46 ms.
  @Test(arguments: [1, first, first + 1, 3 * first, 3 * first + 1, 7 * first, 7 * first + 1, 500_000])
  func `slow start doubles the window each round trip, until the link is full`(
    size: Int
  ) {
    var network = Self.make(roundTrip: Self.slow)
    let stream = network.begin(size, over: 1, at: 0)
    var (rounds, sent, window) = (0, 0, Self.first)
    while window < 101_460, sent + window < size {
      sent += window
      window *= 2
      rounds += 1
    }
    let end = Int64(rounds) * 101_460_000 + Int64(size - sent) * Self.byte
    #expect(Self.ends(&network) == [stream: end])
  }

  @Test
  func `a window grows by the acknowledged bytes, also after a body, unless less than half of it was used`() {
    var network = Self.make(roundTrip: Self.slow)
    func send(_ size: Int, at now: Int64) -> Int? {
      let stream = network.begin(size, over: 1, at: now)
      let before = network.window(of: 1)
      _ = Self.ends(&network)
      _ = network.finish(stream, at: network.time)
      return before
    }
    #expect(send(10_000, at: 0) == 14_600)
    #expect(send(10_000, at: 200_000_000) == 24_600)
    #expect(send(24_600, at: 400_000_000) == 24_600)
    #expect(send(1, at: 600_000_000) == 49_200)
    // After more than an idle second.
    #expect(send(1, at: 2_000_000_000) == 14_600)
  }

  @Test func `a connection that waits for its next window leaves the link to the others`() {
    var network = Self.make(roundTrip: Self.slow, connections: 2)
    let one = network.begin(2 * Self.first, over: 1, at: 0)
    let other = network.begin(Self.first, over: 2, at: 50_000_000)
    // The first window takes 14.6 ms. Then the other body has the link. The second window begins at 101.46 ms.
    #expect(Self.ends(&network) == [other: 64_600_000, one: 116_060_000])
  }

  @Test(arguments: [0.0001, 0.001, 0.01, 0.1])
  func `losses limit the rate by Mathis's formula`(loss: Double) {
    var network = Self.make(1_000_000_000, roundTrip: Self.slow, loss: loss)
    let size = 20_000_000
    _ = network.begin(size, over: 1, lossDraw: 1, at: 0)
    let end = Double(Self.ends(&network).values.first ?? 0) / 1e9
    // 1.22 · MSS / (RTT · √p), with a margin for slow start and the last, partial round trip.
    let expected = Double(size) / (1.22 * 1460 / (0.1 * loss.squareRoot()))
    #expect(end > 0.99 * expected && end < 1.03 * expected + 0.8, "\(end) s, not \(expected) s")
  }

  @Test(arguments: [(1_460, 0.01), (14_600, 1 - 0.904_382_075), (14_601, 1 - 0.895_338_254)])
  func `the chance of a loss in the last window is the chance that one of its segments is lost`(
    size: Int, chance: Double
  ) {
    let terms = FlowTerms(bitsPerSecond: nil, roundTrip: .zero, loss: 0.01)
    #expect(abs(terms.lossChance(of: size) - chance) < 1e-8)
  }

  @Test(arguments: [(0.0899, true), (0.0957, false), (1, false)])
  func `a loss in the last window delays the last segment by a timeout`(lossDraw: Double, isHit: Bool) {
    // The chance that one of ten segments is lost is 0.0956.
    var network = Self.make(roundTrip: .milliseconds(10), loss: 0.01)
    let stream = network.begin(14_600, over: 1, lossDraw: lossDraw, at: 0)
    network.advance(to: 100_000_000)
    #expect(network.received(of: stream) == (isHit ? 13_140 : 14_600))
    #expect(network.completed == (isHit ? [] : [stream]))
    // A window of 12.2 segments sends the whole body in one round trip.
    let end = Self.ends(&network)[stream] ?? network.time
    #expect(end == (isHit ? 214_600_000 : 100_000_000))
    #expect(network.received(of: stream) == 14_600)
  }

  @Test func `a cancelled body arrives for another round trip, and takes its share of the link`() {
    var network = Self.make(roundTrip: .milliseconds(1), connections: 2)
    let first = network.begin(10_000, over: 1, at: 0)
    let second = network.begin(2_000, over: 2, at: 0)
    let received = network.cancel(first, at: 400 * Self.byte)
    #expect(received == 200)
    network.close(1)
    // Half of the link for a round trip: 500 bytes. Then the second body has 1 300 left.
    #expect(Self.ends(&network) == [second: 2_700 * Self.byte])
    #expect(network.receivedAfterCancel == 500)
    #expect(network.openConnections == 1)
    let receivedAgain = network.cancel(first, at: network.time)
    #expect(receivedAgain == 0)
  }

  @Test func `a body that was cancelled before its first byte arrives until the origin learns of it`() {
    var network = Self.make(roundTrip: .milliseconds(1))
    network.beginCancelled(10_000, over: 1, from: 600_000, at: 0)
    network.beginCancelled(10_000, over: 1, from: 1_000_000, at: 0)
    network.close(1)
    #expect(Self.ends(&network) == [:])
    #expect(network.time == 1_000_000)
    #expect(network.receivedAfterCancel == 400)
    #expect(network.openConnections == 0)
  }

  @Test func `a drained body arrives completely, and the rest counts as received after the cancellation`() {
    var network = Self.make(roundTrip: .milliseconds(1))
    let stream = network.begin(10_000, over: 1, at: 0)
    network.advance(to: 9_000_000)
    network.drain(stream)
    #expect(Self.ends(&network) == [stream: 10_000 * Self.byte])
    let isFinished = network.finish(stream, at: network.time)
    #expect(isFinished)
    #expect(network.receivedAfterCancel == 1_000)
  }

  @Test func `the streams of a connection are served by urgency, then in the order of their requests`() {
    var network = Self.make()
    let late = network.begin(1_000, over: 1, order: StreamOrder(urgency: 5), at: 0)
    let first = network.begin(1_000, over: 1, at: 100 * Self.byte)
    let second = network.begin(1_000, over: 1, at: 200 * Self.byte)
    let urgent = network.begin(1_000, over: 1, order: StreamOrder(urgency: 1), at: 300 * Self.byte)
    #expect(
      Self.ends(&network)
        == [
          urgent: 1_300 * Self.byte, first: 2_100 * Self.byte, second: 3_100 * Self.byte,
          late: 4_000 * Self.byte,
        ])
  }

  @Test func `incremental streams share the rate of their connection`() {
    var network = Self.make()
    let shared = StreamOrder(isIncremental: true)
    let first = network.begin(1_000, over: 1, order: shared, at: 0)
    let alone = network.begin(1_000, over: 1, at: 0)
    let second = network.begin(1_000, over: 1, order: shared, at: 0)
    #expect(
      Self.ends(&network)
        == [first: 2_000 * Self.byte, second: 2_000 * Self.byte, alone: 3_000 * Self.byte])
  }

  @Test func `a connection with many streams has the share of one connection`() {
    var network = Self.make(connections: 2)
    let streams = (0..<4).map { _ in network.begin(1_000, over: 1, at: 0) }
    let other = network.begin(1_000, over: 2, at: 0)
    let ends = Self.ends(&network)
    #expect(ends[streams[0]] == 2_000 * Self.byte)
    #expect(ends[other] == 2_000 * Self.byte)
    #expect(ends[streams[3]] == 5_000 * Self.byte)
  }

  @Test func `a loss delays every stream of its connection`() {
    var network = Self.make(loss: 0.4)
    let first = network.begin(1_000, over: 1, lossDraw: 0, at: 0)
    let second = network.begin(1_000, over: 1, lossDraw: 1, at: 0)
    #expect(
      Self.ends(&network)
        == [first: 201_000_000, second: 202_000_000])
  }

  @Test func `on an unlimited link an image takes less than a microsecond`() {
    var network = Self.make(nil)
    _ = network.begin(100_000, over: 1, at: 5)
    #expect(network.next == 805)
    #expect(Self.make(nil).next == nil)
  }
}
