@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Saturation of a link")
struct SaturationEstimatorTests {
  /// Returns an estimator after `rounds` of `count` bodies of `size` bytes. They share a link of `rate` bytes
  /// per second equally.
  private func estimator(rate: Double, size: Int, count: Int, rounds: Int = 20) -> SaturationEstimator {
    var estimator = SaturationEstimator()
    var (number, now) = (UInt64(0), 0.0)
    for _ in 0..<rounds {
      for body in number..<number + UInt64(count) {
        estimator.expect(body, at: .seconds(now))
        estimator.begin(body, at: .seconds(now))
      }
      now += Double(count * size) / rate
      for body in number..<number + UInt64(count) {
        estimator.end(body, received: size, isWhole: true, at: .seconds(now))
      }
      number += UInt64(count)
      // Idle time does not count.
      now += 5
    }
    return estimator
  }

  /// A body occupies the link for size / rate, for any number of bodies. With four that end at the same time,
  /// the measured rate is a fifth higher, because the last of them counts most.
  @Test(
    "the estimate follows from latency, size and rate, for one body at a time and for four",
    arguments: [
      // Cards over slow 4G: 1 s of the link each, after 180 ms.
      (205_000.0, 218_000, 180, 1, 2), (205_000, 218_000, 150, 1, 1), (205_000, 218_000, 220, 2, 2),
      // Rows of 19 kB over LTE: 13 ms, after 100 ms.
      (1_500_000, 19_000, 100, 9, 11),
      // Over 3G: 0.38 s, after 430 ms.
      (50_000, 19_000, 430, 3, 3),
      // No latency, and an unlimited link.
      (50_000, 19_000, 0, 1, 1), (1e15, 1, 100, SaturationEstimator.most, SaturationEstimator.most),
    ])
  func shared(link: (rate: Double, size: Int, latency: Int, alone: Int, fourAtOnce: Int)) {
    for (count, transfers) in [(1, link.alone), (4, link.fourAtOnce)] {
      let estimator = estimator(rate: link.rate, size: link.size, count: count)
      #expect(estimator.transfers(at: .milliseconds(link.latency)) == transfers)
    }
  }

  @Test("there is no estimate before a complete body; interrupted bodies count only for the rate")
  func interrupted() {
    var estimator = SaturationEstimator()
    #expect(estimator.transfers(at: .seconds(9)) == 2)
    for number in 0..<10 as Range<UInt64> {
      let start = Duration.seconds(10 * Int(number))
      estimator.expect(number, at: start)
      estimator.begin(number, at: start)
      // 100 bytes per second. Only the last body is complete, with 200 bytes.
      estimator.end(
        number, received: number == 9 ? 200 : 100, isWhole: number == 9,
        at: start + .seconds(number == 9 ? 2 : 1))
      #expect(estimator.transfers(at: nil) == 2)
      #expect(estimator.transfers(at: .seconds(9)) == (number == 9 ? 6 : 2))
    }
  }

  @Test("an empty body does not occupy the link, even if it takes no time")
  func empty() {
    var estimator = SaturationEstimator()
    estimator.expect(1, at: .zero)
    estimator.begin(1, at: .zero)
    estimator.end(1, received: 0, isWhole: true, at: .seconds(1))
    #expect(estimator.transfers(at: .zero) == SaturationEstimator.most)
    estimator.expect(2, at: .seconds(2))
    estimator.begin(2, at: .seconds(2))
    estimator.end(2, received: 0, isWhole: true, at: .seconds(2))
    #expect(estimator.transfers(at: .seconds(1)) == SaturationEstimator.most)
  }

  @Test("an origin that limits each transfer is not one that a single transfer saturates")
  func limitedTransfers() {
    // Each body takes 1 s, alone or beside another.
    var estimator = estimator(rate: 100_000, size: 100_000, count: 1)
    #expect(estimator.transfers(at: .milliseconds(100)) == 1)
    for number in 1_000..<1_020 as Range<UInt64> {
      let start = Duration.seconds(10 * Int(number))
      for body in [2 * number, 2 * number + 1] {
        estimator.expect(body, at: start)
        estimator.begin(body, at: start)
      }
      for body in [2 * number, 2 * number + 1] {
        estimator.end(body, received: 100_000, isWhole: true, at: start + .seconds(1))
      }
    }
    #expect(estimator.transfers(at: .milliseconds(50)) == 2)
  }

  @Test("transfers that take twice the expected time are overdue, with or without a first byte")
  func overdue() {
    var estimator = estimator(rate: 100_000, size: 100_000, count: 1)
    let (latency, start) = (Duration.milliseconds(100), Duration.seconds(1_000))
    estimator.expect(1_000, at: start)
    estimator.expect(1_001, at: start + .seconds(1))
    estimator.begin(1_001, at: start + .seconds(2))
    let patience = estimator.patience(at: latency) ?? .zero
    #expect(abs(patience / .seconds(2.2) - 1) < 1e-9)
    #expect(estimator.overdue(at: latency, now: start + .seconds(2)) == 0)
    #expect(estimator.overdue(at: latency, now: start + .seconds(2.3)) == 1)
    #expect(estimator.overdue(at: latency, now: start + .seconds(3.3)) == 2)
    estimator.end(1_000, received: 0, isWhole: false, at: start + .seconds(4))
    #expect(estimator.overdue(at: latency, now: start + .seconds(4)) == 1)
  }

  @Test("a head that arrives after the end of its transfer has no effect")
  func lateHead() {
    var estimator = estimator(rate: 100, size: 100, count: 1)
    estimator.expect(1_000, at: .seconds(1_000))
    estimator.end(1_000, received: 0, isWhole: false, at: .seconds(1_000))
    estimator.begin(1_000, at: .seconds(1_000))
    estimator.expect(1_001, at: .seconds(9_000))
    estimator.begin(1_001, at: .seconds(9_000))
    estimator.end(1_001, received: 100, isWhole: true, at: .seconds(9_001))
    #expect(estimator.transfers(at: .seconds(3)) == 4)
  }

  @Test("a link that becomes slow is detected by its next bodies")
  func slowerLink() {
    var estimator = estimator(rate: 1_000, size: 100, count: 1)
    #expect(estimator.transfers(at: .milliseconds(950)) == 11)
    for number in 1_000..<1_008 as Range<UInt64> {
      estimator.expect(number, at: .seconds(Int(number) * 10))
      estimator.begin(number, at: .seconds(Int(number) * 10))
      estimator.end(number, received: 100, isWhole: true, at: .seconds(Int(number) * 10 + 2))
    }
    #expect(estimator.transfers(at: .milliseconds(950)) == 2)
  }

  @Test("the number of remembered origins is bounded")
  func bounded() {
    let trips = LatencyEstimator()
    let links = LinkEstimates(mostAtOnce: 6, latencies: trips)
    let origin = Origin(scheme: "http", host: "a", port: 80)
    trips.note(.seconds(3), of: origin)
    let number = links.expect(from: origin, at: .zero)
    links.begin(number, from: origin, at: .zero)
    links.end(
      number, from: origin, with: .init(bytes: 1, isWhole: true), isAwaited: true, at: .seconds(1))
    #expect(links.limits(of: origin, at: .zero) == .init(saturating: 4, most: 6))
    for number in 0..<LinkEstimates.mostOrigins {
      _ = links.expect(from: Origin(scheme: "http", host: "\(number)", port: 80), at: .zero)
    }
    #expect(links.limits(of: origin, at: .zero) == .init(saturating: 2, most: 6))
  }

  /// A prefetcher with four concurrent loads from one origin. The responses begin after 0.1 s.
  @Test(
    "as many prefetches run as saturate the link",
    arguments: [(pause: 1, atOnce: 4), (pause: 1_000, atOnce: 2)])
  func prefetches(body: (pause: Int, atOnce: Int)) {
    let world = NumberWorld {
      .init(
        after: .milliseconds(100), pieces: [.init(1, pause: .milliseconds(body.pause))], $0.success())
    }
    let screen = PrefetchingScreen(world, concurrency: 4)
    world.time.run {
      await screen.prefetch(1...2)
      try? await world.timeline.sleep(for: .seconds(10))
      #expect(world.origin.counters.mostAtOnce == 2)
      await screen.prefetch(3...40)
    }
    #expect(world.origin.counters.mostAtOnce == body.atOnce)
    #expect((1...40).allSatisfy { world.loader.cached(NumberRequest($0)) == $0 })
  }
}
