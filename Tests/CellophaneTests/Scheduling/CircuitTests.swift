@testable internal import Cellophane
internal import Testing

@Suite("Circuit: every state")
struct CircuitTests {
  /// A circuit with a pause from 0 s to 10 s.
  private func opened(probeTimeout: Duration? = nil) -> Circuit {
    var circuit = Circuit(probeTimeout: probeTimeout)
    let isProbe = circuit.begin(0, at: .zero)
    #expect(circuit.allowsRequest && !isProbe)
    circuit.open(until: .seconds(10))
    return circuit
  }

  @Test("after the pause, one request is the probe")
  func probe() {
    var circuit = opened()
    circuit.update(at: .seconds(9))
    #expect(circuit.isOpen && !circuit.allowsRequest)
    circuit.update(at: .seconds(10))
    #expect(!circuit.isOpen && circuit.allowsRequest)
    let isProbe = circuit.begin(1, at: .seconds(11))
    let isSecond = circuit.begin(2, at: .seconds(11))
    #expect(isProbe && circuit.isProbing && !circuit.allowsRequest)
    #expect(circuit.isProbe(1) && !isSecond && !circuit.isProbe(2))
    var failed = circuit
    circuit.close()
    #expect(circuit.allowsRequest && !circuit.isProbing)
    failed.open(until: .seconds(30))
    #expect(failed.isOpen && failed.pauseEnd == .seconds(30))
  }

  @Test("other requests wait for the end of a probe, or follow it after the timeout")
  func timeout() {
    for (timeout, isClosed) in [(nil, false), (Duration.seconds(1), true)] {
      var circuit = opened(probeTimeout: timeout)
      circuit.update(at: .seconds(10))
      circuit.begin(1, at: .seconds(11))
      circuit.update(at: .milliseconds(11_999))
      #expect(!circuit.allowsRequest && circuit.probeDeadline == timeout.map { .seconds(11) + $0 })
      circuit.update(at: .seconds(12))
      #expect(circuit.allowsRequest == isClosed && circuit.isProbing != isClosed)
    }
  }

  @Test("a pause becomes longer, never shorter, and an abandoned probe leaves the rest of it")
  func pauses() {
    var circuit = opened()
    circuit.open(until: .seconds(5))
    circuit.extendPause(to: .seconds(5))
    #expect(circuit.pauseEnd == .seconds(10))
    circuit.update(at: .seconds(10))
    circuit.begin(1, at: .seconds(10))
    circuit.extendPause(to: .seconds(20))
    #expect(circuit.isProbing)
    circuit.abandonProbe()
    circuit.update(at: .seconds(19))
    #expect(circuit.isOpen)
    circuit.update(at: .seconds(20))
    let isProbe = circuit.begin(2, at: .seconds(20))
    #expect(isProbe)
  }
}
