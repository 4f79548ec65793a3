internal import Testing

@testable internal import CellophaneTestOrigin

@Suite struct LinkBucketTests {
  @Test(arguments: [(1_638_400, 150), (400_000, 400), (20_000_000, 4), (12_000_000, 70), (49_000, 0)])
  func `a megabyte in pieces takes the time that the rate gives`(
    bitsPerSecond: Int, roundTripMilliseconds: Int
  ) {
    let bucket = LinkBucket(bitsPerSecond: bitsPerSecond, roundTrip: .milliseconds(roundTripMilliseconds))
    let seconds = drain(1 << 20, bucket) / .seconds(1)
    let ideal = Double(8 << 20) / Double(bitsPerSecond)
    #expect(abs(seconds - ideal) <= ideal / 1_000_000)
  }

  @Test func `late timers do not reduce the throughput`() {
    let bucket = LinkBucket(bitsPerSecond: 12_000_000, roundTrip: .milliseconds(70))
    let seconds = drain(1 << 20, bucket, timerDelay: .microseconds(800)) / .seconds(1)
    #expect(abs(seconds - Double(8 << 20) / 12e6) < 0.01)
  }

  /// Each piece leaves when its last bit is through.
  @Test(arguments: [(1_638_400, 150), (20_000_000, 4), (400_000, 400), (10_000_000, 0)])
  func `an idle link gives no credit`(bitsPerSecond: Int, roundTripMilliseconds: Int) {
    var bucket = LinkBucket(bitsPerSecond: bitsPerSecond, roundTrip: .milliseconds(roundTripMilliseconds))
    let now = Duration.seconds(100)
    bucket.prepare(at: now, isContinuous: false)
    for bytes in 1...3 {
      let departure = bucket.send(LinkBucket.segment)
      #expect(departure == now + .seconds(bytes * LinkBucket.segment) * 8 / bitsPerSecond)
    }
  }

  /// A connection that always had more to send can only be late because of the timer.
  @Test(arguments: [(5, true, true), (50, true, true), (51, true, false), (5, false, false)])
  func `a timer delay of at most 50 ms is compensated`(delay: Int, isContinuous: Bool, isCompensated: Bool) {
    var bucket = LinkBucket(bitsPerSecond: 11_680_000, roundTrip: .milliseconds(70))
    bucket.prepare(at: .seconds(1), isContinuous: false)
    let first = bucket.send(LinkBucket.segment)
    #expect(first == .seconds(1) + .milliseconds(1))
    bucket.prepare(at: first + .milliseconds(delay), isContinuous: isContinuous)
    let departure = first + .milliseconds(isCompensated ? 1 : delay + 1)
    #expect(bucket.departure(of: LinkBucket.segment) == departure)
  }

  private func drain(_ bytes: Int, _ bucket: LinkBucket, timerDelay: Duration = .zero) -> Duration {
    var bucket = bucket
    var now = Duration.zero
    var left = bytes
    while left > 0 {
      let size = min(left, bucket.piece)
      bucket.prepare(at: now, isContinuous: true)
      now = max(now, bucket.send(size) + timerDelay)
      left -= size
    }
    return now - timerDelay
  }
}
