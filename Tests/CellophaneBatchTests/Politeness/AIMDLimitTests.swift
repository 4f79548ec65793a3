internal import Testing

@testable internal import CellophaneBatch

@Suite("The AIMD limit of a host")
struct AIMDLimitTests {
  /// Returns a limit of at most 16 after series of responses, one per second, with these times to the first byte.
  func limit(after series: [(count: Int, milliseconds: Int)]) -> AIMDLimit {
    var limit = AIMDLimit(most: 16)
    var now = Duration.zero
    for (count, milliseconds) in series {
      for _ in 0..<count {
        now += .seconds(1)
        limit.note(.answered(firstByte: .milliseconds(milliseconds)), begunAt: now, now: now)
      }
    }
    return limit
  }

  @Test func `a host with a steady time to the first byte keeps its full limit, fast or slow`() {
    for milliseconds in [1, 50, 400, 5_000] {
      #expect(limit(after: [(500, milliseconds)]).current == 16)
    }
  }

  @Test func `first bytes within 100 ms never lower the limit`() {
    #expect(limit(after: [(200, 1), (100, 90)]).current == 16)
  }

  @Test func `a host that becomes slower gets a lower limit, until it recovers or stays slow`() {
    #expect(limit(after: [(200, 100), (24, 2_000)]).current < 8)
    #expect(limit(after: [(200, 100), (24, 2_000), (300, 100)]).current == 16)
    #expect(limit(after: [(200, 100), (2_000, 2_000)]).current == 16)
  }

  @Test func `the refusals of one round lower the limit once`() {
    var limit = AIMDLimit(most: 16)
    for _ in 0..<16 { limit.note(.refused, begunAt: .seconds(1), now: .seconds(2)) }
    #expect(limit.current == 8)
    for _ in 0..<8 { limit.note(.refused, begunAt: .seconds(2), now: .seconds(3)) }
    #expect(limit.current == 4)
  }

  @Test func `timeouts halve the limit until the next response`() {
    var limit = AIMDLimit(most: 16)
    for second in [1, 1, 2, 3] {
      limit.note(.silent, begunAt: .seconds(second), now: .seconds(second))
    }
    #expect(limit.current == 1)
    var other = limit
    limit.note(.served, begunAt: .seconds(4), now: .seconds(4))
    #expect(limit.current == 16)
    // A refusal shows that the host has too many requests.
    other.note(.refused, begunAt: .seconds(4), now: .seconds(4))
    other.note(.answered(firstByte: .zero), begunAt: .seconds(4), now: .seconds(4))
    #expect(other.current == 2)
  }

  @Test func `a response after a refusal halves the limit, too`() {
    var limit = AIMDLimit(most: 16)
    limit.note(.recovered, begunAt: .seconds(1), now: .seconds(2))
    #expect(limit.current == 8)
    limit.note(.recovered, begunAt: .seconds(1), now: .seconds(3))
    #expect(limit.current == 8, "the transfer began before the limit was lowered")
  }

  @Test func `the limit is at least one`() {
    for most in [-1, 0, 1, 2, 100] {
      var limit = AIMDLimit(most: most)
      #expect(limit.current == max(1, most))
      for second in 0..<20 {
        limit.note(.refused, begunAt: .seconds(second), now: .seconds(second))
        #expect(limit.current >= 1)
      }
      #expect(limit.current == 1)
    }
  }

  @Test func `each full round of responses raises the limit by one`() {
    var limit = AIMDLimit(most: 16)
    limit.note(.refused, begunAt: .zero, now: .zero)
    var rounds: [Int] = []
    var responses = 0
    while limit.current < 16 {
      let before = limit.current
      limit.note(.answered(firstByte: .milliseconds(1)), begunAt: .seconds(1), now: .seconds(1))
      responses += 1
      if limit.current != before {
        rounds.append(responses)
        responses = 0
      }
    }
    #expect(rounds == Array(8..<16))
  }
}
