import CellophaneNetwork
import Foundation
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation

/// Links with a buffer in front of the bottleneck.
@Suite struct PacketNetworkTests {
  /// 8 Mbit/s: 1 000 ns per byte.
  static let byte: Int64 = 1_000

  static func make(
    _ queue: QueueDiscipline = .dropTail(.seconds(1)), roundTrip: Duration = .milliseconds(100),
    connections: Int = 1, loss: Double = 0
  ) -> PacketNetwork {
    var network = PacketNetwork(
      FlowTerms(bitsPerSecond: 8_000_000, roundTrip: roundTrip, loss: loss), queue)
    for connection in 1...connections { network.open(connection) }
    return network
  }

  /// Advances until nothing is in transfer. Returns the first byte and the end of each stream, in ns.
  static func arrivals(_ network: inout PacketNetwork) -> [Int: (first: Int64, end: Int64)] {
    var first: [Int: Int64] = [:]
    var ends: [Int: Int64] = [:]
    while let next = network.next {
      network.advance(to: next)
      for stream in 1...20 where first[stream] == nil && network.hasBegun(stream) { first[stream] = next }
      for stream in network.completed where ends[stream] == nil { ends[stream] = next }
    }
    return ends.reduce(into: [:]) { $0[$1.key] = (first[$1.key] ?? 0, $1.value) }
  }

  @Test func `a body waits for the data before it`() {
    var network = Self.make(connections: 2)
    let long = network.begin(14_600, over: 1, at: 0)
    network.advance(to: 1_460 * Self.byte - 1)
    #expect(!network.hasBegun(long))
    network.advance(to: 1_460 * Self.byte)
    #expect(network.hasBegun(long))
    // All ten segments of the first body are in the buffer.
    #expect(network.delay(at: 2 * 1_460 * Self.byte) == 8 * 1_460 * Self.byte)
    let short = network.begin(1_000, over: 2, at: 2 * 1_460 * Self.byte)
    #expect(network.delay(at: 2 * 1_460 * Self.byte) == (8 * 1_460 + 1_000) * Self.byte)
    let arrivals = Self.arrivals(&network)
    #expect(arrivals[long]?.end == 14_600 * Self.byte)
    #expect(arrivals[short]?.first == 15_600 * Self.byte && arrivals[short]?.end == 15_600 * Self.byte)
    #expect(network.delay(at: network.time) == 0)
  }

  @Test func `a window doubles with its acknowledgements`() {
    var network = Self.make()
    let stream = network.begin(30 * 1_460, over: 1, at: 0)
    // Ten segments at once, and twenty a round trip after the arrival of the first ten.
    #expect(Self.arrivals(&network)[stream]?.end == 100_000_000 + 21 * 1_460 * Self.byte)
    // The last acknowledgements do not enlarge a window of which less than half is used.
    #expect(network.window(of: 1) == 27 * 1_460)
  }

  @Test func `a full buffer loses packets, which arrive a round trip later`() {
    // Four segments fit, and one is on the link.
    var network = Self.make(.dropTail(.microseconds(4 * 1_460)))
    let stream = network.begin(10 * 1_460, over: 1, at: 0)
    let arrivals = Self.arrivals(&network)
    // The five losses are noticed when the fifth segment is acknowledged. Seven segments may then be on their way.
    #expect(arrivals[stream]?.end == 100_000_000 + 5 * 1_460 * Self.byte + 5 * 1_460 * Self.byte)
    #expect(network.window(of: 1) ?? 0 < 10 * 1_460)
  }

  @Test func `a body without bytes waits too`() {
    var network = Self.make(connections: 2)
    _ = network.begin(14_600, over: 1, at: 0)
    let empty = network.begin(0, over: 2, at: 0)
    #expect(network.hasBegun(empty) == false)
    #expect(Self.arrivals(&network)[empty]?.end == 14_600 * Self.byte)
  }

  /// Five of the first ten segments are lost. They belong to the second and third body of a connection.
  @Test func `over TCP a body waits for the lost data of others, over QUIC for its own`() {
    var ends: [[Int64]] = []
    for isOrdered in [true, false] {
      var terms = FlowTerms(bitsPerSecond: 8_000_000, roundTrip: .milliseconds(100))
      terms.isOrdered = isOrdered
      var network = PacketNetwork(terms, .dropTail(.microseconds(4 * 1_460)))
      network.open(1)
      // Five segments fit. The sixth is lost. The last one is sent when the buffer has room again.
      let first = network.begin(6 * 1_460, over: 1, at: 0)
      let last = network.begin(1_460, over: 1, at: 3 * 1_460 * Self.byte)
      let arrivals = Self.arrivals(&network)
      ends.append([arrivals[first]?.end ?? 0, arrivals[last]?.end ?? 0])
    }
    #expect(ends[0][0] == ends[1][0] && ends[0][0] > 100_000_000)
    #expect(ends[0][1] == ends[0][0] && ends[1][1] < 20_000_000, "\(ends)")
  }

  @Test func `cancelled data does not delay a later body for ever`() {
    var network = Self.make(.dropTail(.microseconds(4 * 1_460)))
    let cancelled = network.begin(10 * 1_460, over: 1, at: 0)
    _ = network.cancel(cancelled, at: 1_000)
    let later = network.begin(1_460, over: 1, at: 300_000_000)
    #expect(Self.arrivals(&network)[later] != nil)
  }

  @Test func `what is in the buffer arrives after a cancellation`() {
    var network = Self.make()
    let stream = network.begin(100_000, over: 1, at: 0)
    #expect(network.cancel(stream, at: 1_460 * Self.byte) == 1_460)
    network.close(1)
    _ = Self.arrivals(&network)
    // Nine segments in the buffer, and two that the first acknowledgement allowed before the origin knew.
    #expect(network.receivedAfterCancel >= 9 * 1_460 && network.receivedAfterCancel <= 11 * 1_460)
    #expect(network.window(of: 1) == nil)
  }

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func `every body is complete, with losses and with CoDel`(seed: UInt64) {
    let draw = SeededDraw(seed: seed)
    let queue: QueueDiscipline =
      draw.chance(0.5, "codel", 0) ? .codel : .dropTail(.milliseconds(1 + Int(draw.bits("queue", 0) % 300)))
    var terms = FlowTerms(
      bitsPerSecond: nil, roundTrip: .milliseconds(Int(draw.bits("trip", 0) % 100)),
      loss: draw.chance(0.5, "loss", 0) ? 0.02 : 0, rates: VaryingLinkTests.rates)
    terms.seed = seed
    terms.isOrdered = draw.chance(0.5, "order", 0)
    terms.scheduling = draw.chance(0.5, "scheduling", 0) ? .urgency : .roundRobin
    var network = PacketNetwork(terms, queue)
    let bodies = FlowNetworkPropertyTests.bodies(draw, 8)
    for (index, body) in bodies.enumerated() {
      network.open(index % 3 + 1 + index / 3 * 3)
      _ = network.begin(
        body.size, over: index % 3 + 1 + index / 3 * 3, order: StreamOrder(), lossDraw: 1, at: body.start)
    }
    let arrivals = Self.arrivals(&network)
    #expect(arrivals.count == bodies.count, "seed \(seed)")
    let bytes = bodies.reduce(0) { $0 + $1.size }
    #expect(Int128(bytes) * Int128(FlowTerms.byte) <= VaryingLinkTests.rates.bits(from: 0, to: network.time))
  }

  private struct Reference: Decodable {
    let link: String
    let rates: [[Double]]
    let trip: Double
    let queue: Buffer
    let flows: [[Double]]
    let arrivals: [[Double]]

    enum Buffer: Decodable {
      case seconds(Double), codel
      init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        self = (try? .seconds(value.decode(Double.self))) ?? .codel
      }
    }
  }

  /// An independent simulation in Python computes the same arrivals (Scripts/make-queue-references.py).
  @Test func `arrivals are those of an independent simulation`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "queue-expected.json")
    let references = try JSONDecoder().decode([Reference].self, from: try Data(contentsOf: file))
    #expect(references.count == 36)
    var errors: [Double] = []
    for reference in references {
      let rates = RateSchedule(
        reference.rates.map { Int64($0[1]) }, interval: Int64(reference.rates[0][0] * 1e9))
      let queue: QueueDiscipline =
        switch reference.queue {
        case .seconds(let seconds): .dropTail(.nanoseconds(Int64(seconds * 1e9)))
        case .codel: .codel
        }
      var network = PacketNetwork(
        FlowTerms(bitsPerSecond: nil, roundTrip: .nanoseconds(Int64(reference.trip * 1e9)), rates: rates),
        queue)
      var first: [Int: Int64] = [:], ends: [Int: Int64] = [:]
      func advance(until limit: Int64) {
        while let next = network.next, next <= limit {
          network.advance(to: next)
          for stream in 1...reference.flows.count where first[stream] == nil && network.hasBegun(stream) {
            first[stream] = next
          }
          for stream in network.completed where ends[stream] == nil { ends[stream] = next }
        }
      }
      for (index, flow) in reference.flows.enumerated() {
        advance(until: Int64(flow[1] * 1e9))
        network.open(index)
        _ = network.begin(Int(flow[0]), over: index, at: Int64(flow[1] * 1e9))
      }
      advance(until: .max)
      for (index, (flow, expected)) in zip(reference.flows, reference.arrivals).enumerated() {
        let arrival = [first[index + 1], ends[index + 1]].map { Double($0 ?? 0) / 1e9 }
        for (own, other) in zip(arrival, expected) { errors.append(abs(own - other) / (other - flow[1])) }
      }
    }
    errors.sort()
    // The windows are counted in packets there, and in bytes here.
    #expect(
      errors[errors.count / 2] < 0.001 && errors[errors.count * 95 / 100] < 0.05, "\(errors.suffix(20))")
  }
}
