import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation

/// The rules of connections that differ between servers: windows after idleness.
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
}
