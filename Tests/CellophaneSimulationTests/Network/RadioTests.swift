import Cellophane
import CellophaneNetwork
import CellophaneTesting
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation

@Suite struct RadioTests {
  @Test func `a radio disconnects after its idle time, and all exchanges wait until it is connected`() {
    var radio = Radio(RadioWakeUp(delay: .nanoseconds(20), idleTime: .nanoseconds(100)))
    var times = [radio.begin(at: 100)]
    // Idle between 150 and 250: not long enough.
    radio.end(at: 150)
    times.append(radio.begin(at: 250))
    times.append(radio.begin(at: 260))
    radio.end(at: 270)
    radio.end(at: 300)
    times.append(radio.begin(at: 401))
    times.append(radio.begin(at: 411))
    #expect(times == [100, 250, 260, 421, 421])
    // A cancelled exchange does not stop the connection: the radio is idle from 421 on.
    radio.end(at: 412)
    radio.end(at: 412)
    times = [radio.begin(at: 521)]
    radio.end(at: 521)
    times.append(radio.begin(at: 622))
    #expect(times == [521, 642])
  }

  @Test func `without a delay every exchange begins at once`() {
    var radio = Radio(nil)
    #expect(radio.begin(at: .max / 2) == .max / 2)
  }

  /// Exchanges of 12 ms over an open connection: request 1 ms, round trip 10, body 1.
  @Test func `the first exchange after an idle time waits for the radio`() {
    let time = VirtualTime()
    var link = ModeledLink(profile: FlowTransportTests.profile)
    link.profile.wakeUp = RadioWakeUp(delay: .milliseconds(260), idleTime: .seconds(10))
    let transport = FlowTransport(link, timeline: time.timeline()) { _ in
      OriginResponse(body: [UInt8](repeating: 7, count: 1_000))
    }
    let durations: [Int64]? = time.run { [time, timeline = time.timeline()] in
      var durations: [Int64] = []
      for pause in [5, 9_990, 10_001, 0] {
        try? await timeline.sleep(for: .milliseconds(pause))
        let start = time.now.nanoseconds
        _ = try? await transport.exchange(TransportRequest(url: "/1"))
        durations.append((time.now.nanoseconds - start) / 1_000_000)
      }
      return durations
    }
    #expect(durations == [22, 12, 272, 12])
  }
}
