internal import Testing

@testable internal import CellophaneBatch

@Suite("How many transfers a host gets")
struct HostLimitTests {
  /// A limit of 16 after `count` answers of `milliseconds` each, a second apart.
  func limit(after answers: [(count: Int, milliseconds: Int)]) -> AIMDLimit {
    var limit = AIMDLimit(most: 16)
    var now = Duration.zero
    for (count, milliseconds) in answers {
      for _ in 0..<count {
        now += .seconds(1)
        limit.note(.answered(firstByte: .milliseconds(milliseconds)), begunAt: now, now: now)
      }
    }
    return limit
  }

  @Test func `a host that answers as usual gets all, fast or slow`() {
    for milliseconds in [1, 50, 400, 5_000] {
      #expect(limit(after: [(500, milliseconds)]).current == 16)
    }
  }

  @Test func `below a tenth of a second nobody is in trouble`() {
    #expect(limit(after: [(200, 1), (100, 90)]).current == 16)
  }

  @Test func `a host that slows gets fewer, and all again when it recovers or has become slow for good`() {
    #expect(limit(after: [(200, 100), (24, 2_000)]).current < 8)
    #expect(limit(after: [(200, 100), (24, 2_000), (300, 100)]).current == 16)
    #expect(limit(after: [(200, 100), (2_000, 2_000)]).current == 16)
  }

  @Test func `refusals of one round are one`() {
    var limit = AIMDLimit(most: 16)
    for _ in 0..<16 { limit.note(.refused, begunAt: .seconds(1), now: .seconds(2)) }
    #expect(limit.current == 8)
    for _ in 0..<8 { limit.note(.refused, begunAt: .seconds(2), now: .seconds(3)) }
    #expect(limit.current == 4)
  }

  @Test func `one that answered after it had refused gets half as well`() {
    var limit = AIMDLimit(most: 16)
    limit.note(.recovered, begunAt: .seconds(1), now: .seconds(2))
    #expect(limit.current == 8)
    limit.note(.recovered, begunAt: .seconds(1), now: .seconds(3))
    #expect(limit.current == 8, "it began before the limit was lowered")
  }

  @Test func `one is always left`() {
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

  @Test func `each full round gives one back`() {
    var limit = AIMDLimit(most: 16)
    limit.note(.refused, begunAt: .zero, now: .zero)
    var rounds: [Int] = []
    var answers = 0
    while limit.current < 16 {
      let before = limit.current
      limit.note(.answered(firstByte: .milliseconds(1)), begunAt: .seconds(1), now: .seconds(1))
      answers += 1
      if limit.current != before {
        rounds.append(answers)
        answers = 0
      }
    }
    #expect(rounds == Array(8..<16))
  }
}
