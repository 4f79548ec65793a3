internal import Testing

@testable internal import CellophaneTesting

@Suite struct LinkBucketTests {
  /// A megabyte, one piece after the other, takes what the rate says less at most the burst.
  @Test(arguments: [(1_638_400, 150), (400_000, 400), (20_000_000, 4), (12_000_000, 70), (49_000, 0)])
  func megabyte(bitsPerSecond: Int, roundTripMilliseconds: Int) {
    let bucket = LinkBucket(bitsPerSecond: bitsPerSecond, roundTrip: .milliseconds(roundTripMilliseconds))
    let seconds = drain(1 << 20, bucket) / .seconds(1)
    let ideal = Double(8 << 20) / Double(bitsPerSecond)
    #expect(seconds <= ideal * 1.000_001)
    #expect(seconds >= ideal * 0.95)
  }

  /// Late wake-ups up to the burst are made up for.
  @Test func lateTimersCostNoThroughput() {
    let bucket = LinkBucket(bitsPerSecond: 12_000_000, roundTrip: .milliseconds(70))
    let seconds = drain(1 << 20, bucket, lateness: .microseconds(800)) / .seconds(1)
    #expect(abs(seconds - Double(8 << 20) / 12e6) < 0.01)
  }

  /// A pause earns one burst, no more: never more than the bandwidth-delay product, unless that is less than
  /// a segment.
  @Test(arguments: [(1_638_400, 150), (20_000_000, 4), (400_000, 400), (10_000_000, 0)])
  func burstAfterPause(bitsPerSecond: Int, roundTripMilliseconds: Int) {
    var bucket = LinkBucket(bitsPerSecond: bitsPerSecond, roundTrip: .milliseconds(roundTripMilliseconds))
    let now = Duration.seconds(100)
    var free = 0
    while bucket.departure(of: LinkBucket.segment, at: now) <= now {
      _ = bucket.send(LinkBucket.segment, at: now)
      free += LinkBucket.segment
    }
    let product = bitsPerSecond / 8 * roundTripMilliseconds / 1000
    #expect(free >= LinkBucket.segment)
    #expect(free <= max(LinkBucket.segment, product))
  }

  private func drain(_ bytes: Int, _ bucket: LinkBucket, lateness: Duration = .zero) -> Duration {
    var bucket = bucket
    var now = Duration.zero
    var left = bytes
    while left > 0 {
      let size = min(left, bucket.piece)
      let departure = bucket.departure(of: size, at: now)
      if departure > now { now = departure + lateness }
      _ = bucket.send(size, at: now)
      left -= size
    }
    return now - lateness
  }
}
