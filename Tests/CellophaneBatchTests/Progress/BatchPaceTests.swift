internal import Testing

@testable internal import CellophaneBatch

@Suite("The pace of a batch")
struct BatchPaceTests {
  @Test func `the rate is unknown in the first 100 ms`() {
    var pace = BatchPace()
    #expect(pace.recordsPerSecond == nil && pace.remaining == nil)
    pace.note(records: 5, bytes: 50, share: 0.1, at: .milliseconds(50))
    #expect(pace.recordsPerSecond == nil && pace.remaining == nil)
  }

  @Test func `the rate covers the last ten seconds`() throws {
    var pace = BatchPace()
    // Cached records for a minute, then records of an origin.
    for tenth in 1...600 {
      pace.note(
        records: tenth * 1_000, bytes: 0, share: Double(tenth) / 1_200, at: .milliseconds(tenth * 100))
    }
    #expect(abs(try #require(pace.recordsPerSecond) - 10_000) < 1)
    #expect(abs(try #require(pace.remaining) / .seconds(1) - 60) < 0.01)
    for tenth in 1...200 {
      pace.note(
        records: 600_000 + tenth, bytes: tenth * 100, share: 0.5 + Double(tenth) / 8_000,
        at: .milliseconds(60_000 + tenth * 100))
    }
    #expect(abs(try #require(pace.recordsPerSecond) - 10) < 0.01)
    #expect(abs(try #require(pace.bytesPerSecond) - 1_000) < 1)
    // A share of 0.475 remains, at 0.00125 per second.
    #expect(abs(try #require(pace.remaining) / .seconds(1) - 380) < 1)
  }

  @Test func `the remaining time is unknown without progress or without a known length`() {
    var pace = BatchPace()
    for second in 1...20 { pace.note(records: second, bytes: 0, share: nil, at: .seconds(second)) }
    #expect(pace.remaining == nil && pace.recordsPerSecond != nil)
    var stalled = BatchPace()
    for second in 1...30 { stalled.note(records: 5, bytes: 0, share: 0.5, at: .seconds(second)) }
    #expect(stalled.remaining == nil && stalled.recordsPerSecond == 0)
  }
}
