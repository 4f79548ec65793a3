internal import Cellophane
internal import Testing

@testable internal import CellophaneBatch

@Suite("The rate of requests to a host")
struct HostRateTests {
  @Test func `without a limit and a refusal, records start at once`() {
    var rate = HostRate()
    for _ in 0..<1_000 { rate.begin(at: .zero) }
    #expect(rate.next == .zero && !rate.isLearned)
  }

  @Test(arguments: [0.5, 20, 1_000]) func `a given rate is kept, even if timers are late`(most: Double) {
    var rate = HostRate(most: most)
    var now = Duration.zero
    for number in 0..<200 {
      now = max(now, rate.next) + .milliseconds(number % 5)
      rate.begin(at: now)
    }
    let expected = Duration.seconds(200 / most)
    #expect(now > expected * 0.9 - .milliseconds(40) && (now < expected * 1.1 || most > 500))
  }

  @Test func `records without a request do not count`() {
    var rate = HostRate(most: 1)
    for _ in 0..<100 {
      rate.begin(at: .seconds(1))
      rate.refund()
    }
    #expect(rate.next <= .seconds(1))
  }

  @Test func `a refusal among few responses teaches no rate`() {
    var rate = HostRate()
    for number in 1..<HostRate.fewestMeasured { rate.answered(at: .milliseconds(100 * number)) }
    let isKnown = rate.limited(begunAt: .seconds(1), at: .seconds(1))
    rate.answered(at: .seconds(1))
    let isKnownNow = rate.limited(begunAt: .seconds(1), at: .seconds(1))
    #expect(!isKnown && isKnownNow)
    #expect((rate.rate(at: .seconds(1)) ?? 0) < 11)
    // The refusal of an earlier record reports the same limit.
    let earlier = rate
    _ = rate.limited(begunAt: .milliseconds(900), at: .seconds(2))
    #expect(rate == earlier)
  }

  @Test func `a rate that is far too low grows within a minute`() {
    var rate = HostRate()
    for number in 1...HostRate.fewestMeasured { rate.answered(at: .seconds(number)) }
    _ = rate.limited(begunAt: .seconds(10), at: .seconds(10))
    #expect((rate.rate(at: .seconds(11)) ?? 0) < 1.2 && (rate.rate(at: .seconds(70)) ?? 0) > 9)
    for _ in 0..<300 { rate.answered(at: .seconds(11)) }
    #expect((rate.rate(at: .seconds(11)) ?? 0) > 9)
  }

  /// A host with a bucket of `limit` requests per second, of which it admits six at once.
  @Test(arguments: [2.0, 5, 18, 50, 200]) func `the limit of a host is learned and nearly used`(limit: Double)
  {
    var rate = HostRate()
    var (level, since, now) = (0.0, Duration.zero, Duration.zero)
    var (admitted, refused, pausedUntil) = (0, 0, Duration.zero)
    while now < .seconds(60) {
      // No faster than the connections of a batch; the circuit breaker pauses a host that refuses all.
      now = max(now + .milliseconds(1), rate.next, pausedUntil)
      rate.begin(at: now)
      level = max(0, level - (now - since) / .seconds(1) * limit)
      since = now
      if level >= 6 {
        refused += 1
        if !rate.limited(begunAt: now, at: now) { pausedUntil = now + .milliseconds(300) }
      } else {
        level += 1
        admitted += 1
        rate.answered(at: now)
      }
    }
    #expect(Double(admitted) / 60 > limit * 0.85, "\(Double(admitted) / 60)")
    // Some requests are refused before the ten responses from which the rate is learned.
    #expect(Double(refused) < Double(admitted) * 0.1 + 15, "\(refused) of \(admitted)")
  }
}
