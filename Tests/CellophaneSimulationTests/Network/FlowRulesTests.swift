import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation

/// The rules of connections that differ between servers: windows after idleness, the order of streams, and the effect of losses.
@Suite struct FlowRulesTests {
  /// Returns an idle link of 8 Mbit/s, 1 µs per byte, and a round trip of 100 ms.
  static func make(loss: Double = 0, _ change: (inout FlowTerms) -> Void) -> FlowNetwork {
    var terms = FlowTerms(bitsPerSecond: 8_000_000, roundTrip: .milliseconds(100), loss: loss)
    change(&terms)
    var network = FlowNetwork(terms)
    network.open(1)
    return network
  }

  /// A round is 101.46 ms. Two windows of 14 600 and 29 200 bytes and a third of 58 400 end after 261.32 ms; the fourth
  /// would have 116 800 bytes. The idle timeout of Linux is 300 ms.
  @Test(arguments: [
    (IdleRestart.reset, 900, 116_800), (.reset, 1_001, 14_600), (.never, 900_000, 116_800),
    (.halve, 300, 116_800), (.halve, 301, 58_400), (.halve, 600, 58_400), (.halve, 601, 29_200),
    (.halve, 901, 14_600), (.halve, 5_000, 14_600),
  ])
  func `a window after idleness`(rule: IdleRestart, milliseconds: Int64, window: Int) {
    var network = Self.make { $0.idleRestart = rule }
    let stream = network.begin(102_200, over: 1, at: 0)
    let end = FlowNetworkTests.ends(&network)[stream] ?? 0
    // The last round ends with its acknowledgements.
    network.advance(to: 3 * 101_460_000)
    _ = network.finish(stream, at: network.time)
    _ = network.begin(1, over: 1, at: network.time + milliseconds * 1_000_000)
    #expect(end == 2 * 101_460_000 + 58_400_000)
    #expect(network.window(of: 1) == window)
  }

  /// Three bodies of 2, 1 and 1 ms that begin together on a link without a round trip; the last one is the most urgent.
  @Test(arguments: [
    (StreamScheduling.urgency, [3, 4, 1]), (.fifo, [2, 3, 4]),
    // A third of the rate each, until 3 ms; then the first one has all of it.
    (.roundRobin, [4, 3, 3]),
  ])
  func `the order in which a server sends the streams of a connection`(
    scheduling: StreamScheduling, ends: [Int64]
  ) {
    var terms = FlowTerms(bitsPerSecond: 8_000_000, roundTrip: .zero)
    terms.scheduling = scheduling
    var network = FlowNetwork(terms)
    network.open(1)
    for (size, urgency) in [(2_000, 3), (1_000, 3), (1_000, 2)] {
      _ = network.begin(size, over: 1, order: StreamOrder(urgency: urgency), at: 0)
    }
    let measured = FlowNetworkTests.ends(&network)
    // Rates are whole bit/s.
    for (stream, end) in ends.enumerated() {
      #expect(abs((measured[stream + 1] ?? 0) - end * 1_000_000) <= 2)
    }
  }

  /// The last segment of the first body is lost and arrives 200 ms later. Over TCP the second body waits for it.
  @Test(arguments: [(true, 202), (false, 3)])
  func `over HTTP/3 a loss delays only its own stream`(isOrdered: Bool, end: Int64) {
    var network = Self.make(loss: 0.01) { $0.isOrdered = isOrdered }
    let lost = network.begin(2_000, over: 1, lossDraw: 0, at: 0)
    let other = network.begin(1_000, over: 1, at: 0)
    let measured = FlowNetworkTests.ends(&network)
    #expect(measured[lost] == 202_000_000)
    #expect(measured[other] == end * 1_000_000 + (isOrdered ? 1_000_000 : 0))
  }
}
