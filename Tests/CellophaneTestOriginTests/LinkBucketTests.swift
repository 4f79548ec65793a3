internal import Testing

@testable internal import CellophaneTestOrigin

@Suite struct LinkBucketTests {
  /// A megabyte, one piece after the other, takes what the rate says.
  @Test(arguments: [(1_638_400, 150), (400_000, 400), (20_000_000, 4), (12_000_000, 70), (49_000, 0)])
  func megabyte(bitsPerSecond: Int, roundTripMilliseconds: Int) {
    let bucket = LinkBucket(bitsPerSecond: bitsPerSecond, roundTrip: .milliseconds(roundTripMilliseconds))
    let seconds = drain(1 << 20, bucket) / .seconds(1)
    let ideal = Double(8 << 20) / Double(bitsPerSecond)
    #expect(abs(seconds - ideal) <= ideal / 1_000_000)
  }

  /// Late wake-ups are made up for.
  @Test func lateTimersCostNoThroughput() {
    let bucket = LinkBucket(bitsPerSecond: 12_000_000, roundTrip: .milliseconds(70))
    let seconds = drain(1 << 20, bucket, lateness: .microseconds(800)) / .seconds(1)
    #expect(abs(seconds - Double(8 << 20) / 12e6) < 0.01)
  }

  /// A line that rested lets nothing go for free: each piece leaves when its last bit is through.
  @Test(arguments: [(1_638_400, 150), (20_000_000, 4), (400_000, 400), (10_000_000, 0)])
  func restEarnsNothing(bitsPerSecond: Int, roundTripMilliseconds: Int) {
    var bucket = LinkBucket(bitsPerSecond: bitsPerSecond, roundTrip: .milliseconds(roundTripMilliseconds))
    let now = Duration.seconds(100)
    bucket.prepare(at: now, isContinuous: false)
    for bytes in 1...3 {
      let departure = bucket.send(LinkBucket.segment)
      #expect(departure == now + .seconds(bytes * LinkBucket.segment) * 8 / bitsPerSecond)
    }
  }

  /// Who had more to send all along is not held up by a timer that was late, up to 50 ms.
  @Test(arguments: [(5, true, true), (50, true, true), (51, true, false), (5, false, false)])
  func latenessIsMadeUpFor(late: Int, isContinuous: Bool, isMadeUpFor: Bool) {
    var bucket = LinkBucket(bitsPerSecond: 11_680_000, roundTrip: .milliseconds(70))
    bucket.prepare(at: .seconds(1), isContinuous: false)
    let first = bucket.send(LinkBucket.segment)
    #expect(first == .seconds(1) + .milliseconds(1))
    bucket.prepare(at: first + .milliseconds(late), isContinuous: isContinuous)
    let departure = first + .milliseconds(isMadeUpFor ? 1 : late + 1)
    #expect(bucket.departure(of: LinkBucket.segment) == departure)
  }

  private func drain(_ bytes: Int, _ bucket: LinkBucket, lateness: Duration = .zero) -> Duration {
    var bucket = bucket
    var now = Duration.zero
    var left = bytes
    while left > 0 {
      let size = min(left, bucket.piece)
      bucket.prepare(at: now, isContinuous: true)
      now = max(now, bucket.send(size) + lateness)
      left -= size
    }
    return now - lateness
  }
}
