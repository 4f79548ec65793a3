internal import Testing

@testable internal import CellophaneBatch

@Suite("How fast a batch goes")
struct BatchPaceTests {
  @Test func `nothing is known at first`() {
    var pace = BatchPace()
    #expect(pace.linesPerSecond == nil && pace.left == nil)
    pace.note(lines: 5, bytes: 50, share: 0.1, at: .milliseconds(50))
    #expect(pace.linesPerSecond == nil && pace.left == nil)
  }

  @Test func `the last ten seconds count`() throws {
    var pace = BatchPace()
    // A cache for a minute, and then an origin.
    for tenth in 1...600 {
      pace.note(lines: tenth * 1_000, bytes: 0, share: Double(tenth) / 1_200, at: .milliseconds(tenth * 100))
    }
    #expect(abs(try #require(pace.linesPerSecond) - 10_000) < 1)
    #expect(abs(try #require(pace.left) / .seconds(1) - 60) < 0.01)
    for tenth in 1...200 {
      pace.note(
        lines: 600_000 + tenth, bytes: tenth * 100, share: 0.5 + Double(tenth) / 8_000,
        at: .milliseconds(60_000 + tenth * 100))
    }
    #expect(abs(try #require(pace.linesPerSecond) - 10) < 0.01)
    #expect(abs(try #require(pace.bytesPerSecond) - 1_000) < 1)
    // 0.475 are left, at 0.00125 a second.
    #expect(abs(try #require(pace.left) / .seconds(1) - 380) < 1)
  }

  @Test func `no end is foreseen of what stands still, or has no known length`() {
    var pace = BatchPace()
    for second in 1...20 { pace.note(lines: second, bytes: 0, share: nil, at: .seconds(second)) }
    #expect(pace.left == nil && pace.linesPerSecond != nil)
    var still = BatchPace()
    for second in 1...30 { still.note(lines: 5, bytes: 0, share: 0.5, at: .seconds(second)) }
    #expect(still.left == nil && still.linesPerSecond == 0)
  }
}
