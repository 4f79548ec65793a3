import Cellophane
import CellophaneNetwork
import CellophaneTesting
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation

/// Links whose rate changes over time.
@Suite struct VaryingLinkTests {
  /// 8 Mbit/s for 10 ms, nothing for 20 ms, and 4 Mbit/s for 10 ms.
  static let rates = RateSchedule([8_000_000, 0, 0, 4_000_000], interval: 10_000_000)

  static func make(connections: Int = 1, roundTrip: Duration = .zero) -> FlowNetwork {
    var network = FlowNetwork(FlowTerms(bitsPerSecond: nil, roundTrip: roundTrip, rates: rates))
    for connection in 1...connections { network.open(connection) }
    return network
  }

  static func ends(_ network: inout FlowNetwork) -> [Int: Int64] {
    var ends: [Int: Int64] = [:]
    while let next = network.next {
      network.advance(to: next)
      for stream in network.completed where ends[stream] == nil { ends[stream] = next }
    }
    return ends
  }

  @Test func `a body takes as long as the rates need for its bytes`() {
    var network = Self.make()
    // 6 000 bytes in the first 6 ms; 4 000 before the gap, 5 000 in 10 ms behind it, 8 000 in the next 8 ms.
    let first = network.begin(6_000, over: 1, at: 0)
    #expect(Self.ends(&network) == [first: 6_000_000])
    let isFinished = network.finish(first, at: 6_000_000)
    #expect(isFinished)
    let second = network.begin(17_000, over: 1, at: 6_000_000)
    #expect(Self.ends(&network) == [second: 48_000_000])
  }

  @Test func `connections share the present rate, and nothing arrives in a gap`() {
    var network = Self.make(connections: 2)
    let (first, second) = (network.begin(6_000, over: 1, at: 0), network.begin(20_000, over: 2, at: 0))
    network.advance(to: 29_999_999)
    #expect(network.received(of: first) == 5_000 && network.received(of: second) == 5_000)
    #expect(network.rate == 0)
    #expect(network.next == 30_000_000)
    // 1 000 bytes at 2 Mbit/s. The second body then has the link: 3 000 bytes until 40 ms, 10 000 until 50 ms.
    #expect(Self.ends(&network)[first] == 34_000_000)
    #expect(network.received(of: second) == 9_000 - 1_000 + 2_000 + 10_000)
  }

  @Test func `a window is limited by the highest rate`() {
    #expect(FlowTerms(bitsPerSecond: 1, roundTrip: .milliseconds(40), rates: Self.rates).fullWindow == 41_460)
  }

  /// 12 Mbit/s of a trace, in gaps of each length, for all seeds.
  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `no byte is lost, and the link delivers no more than its rates`(seed: UInt64) {
    let draw = SeededDraw(seed: seed)
    let rates = RateSchedule(
      (0..<20).map { draw.chance(0.3, "gap", $0) ? 0 : Int64(draw.bits("rate", $0) % 16_000_000) } + [
        8_000_000
      ],
      interval: 5_000_000, period: 103_000_000)
    let terms = FlowTerms(
      bitsPerSecond: nil, roundTrip: .milliseconds(Int(draw.bits("trip", 0) % 40)), rates: rates)
    var network = FlowNetwork(terms)
    let bodies = FlowNetworkPropertyTests.bodies(draw, 10)
    for (index, body) in bodies.enumerated() {
      network.open(index)
      _ = network.begin(body.size, over: index, at: body.start)
      #expect(network.rate <= rates.rate(at: network.time), "seed \(seed)")
    }
    while let next = network.next {
      network.advance(to: next)
      #expect(network.rate <= rates.rate(at: network.time), "seed \(seed)")
      let received = bodies.indices.reduce(0) { $0 + (network.received(of: $1 + 1) ?? 0) }
      #expect(Int128(received) * Int128(FlowTerms.byte) <= rates.bits(from: 0, to: next), "seed \(seed)")
    }
    for (index, body) in bodies.enumerated() {
      #expect(network.received(of: index + 1) == body.size, "seed \(seed)")
    }
  }

  @Test func `handshakes and responses do not arrive in a gap`() {
    let time = VirtualTime()
    var link = ModeledLink(profile: FlowTransportTests.profile)
    // Both handshakes and the first response are due in a gap of 20 ms.
    link.rates = RateSchedule([8_000_000, 0, 0, 8_000_000], interval: 8_000_000)
    let transport = FlowTransport(link, timeline: time.timeline()) { _ in
      OriginResponse(body: [UInt8](repeating: 7, count: 1_000))
    }
    let times: [Int64]? = time.run { [time] in
      var times: [Int64] = []
      for _ in 0..<2 {
        let response = try? await transport.exchange(TransportRequest(url: "/1"))
        times.append((response?.timeToFirstByte.wholeNanoseconds ?? 0) / 1_000_000)
        times.append(time.now.nanoseconds / 1_000_000)
      }
      return times
    }
    // The handshake ends at 24 instead of 10 ms; the response is due at 35 ms and arrives until 36 ms. The second one is due
    // at 47 ms and begins at 56 ms.
    #expect(times == [11, 36, 20, 57])
  }
}
