import Testing

@testable import CellophaneSimulation

@Suite struct TransferLogTests {
  @Test func `one after another is no duplicate, side by side is`() {
    var log = TransferLog()
    let first = log.begin("a")
    log.end(first, .completed, bytes: 10)
    _ = log.begin("a")
    #expect(log.duplicatesInFlight == 0)
    _ = log.begin("a")
    _ = log.begin("b")
    #expect(log.duplicatesInFlight == 1)
    #expect(log.running == 3)
    #expect(log.mostRunning == 3)
  }

  @Test func `asking again right after giving up is no duplicate`() {
    var log = TransferLog()
    let first = log.begin("a")
    log.end(first, .cancelled, bytes: 4)
    _ = log.begin("a")
    // What was given up ends a second time when its connection has closed, with the bytes that still came.
    log.end(first, .cancelled, bytes: 6)
    #expect(log.duplicatesInFlight == 0)
    #expect(log.running == 1)
    #expect(log.count(.cancelled) == 1)
    #expect(log.bytes() == 6)
  }

  @Test func `only what was received whole is received again`() {
    var log = TransferLog()
    log.end(log.begin("a"), .cancelled, bytes: 3)
    log.end(log.begin("a"), .failed, bytes: 2)
    log.end(log.begin("a"), .completed, bytes: 10)
    log.note(7, of: log.begin("a"))
    #expect(log.transfers.map(\.isRepeated) == [false, false, false, true])
    #expect(log.bytes(where: \.isRepeated) == 7)
    #expect(log.count(.running) == 1)
  }
}
