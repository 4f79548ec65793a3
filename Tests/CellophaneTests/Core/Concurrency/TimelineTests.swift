@testable internal import Cellophane
internal import Testing

@Suite("Time is read as by the system's clock, and told in whole milliseconds")
struct TimelineTests {
  @Test("the system's time is that of ContinuousClock")
  func systemTime() {
    let clock = ContinuousClock()
    let early = clock.now
    let timeline = Timeline()
    let late = clock.now
    let before = clock.now
    let now = timeline.now
    let after = clock.now
    // As precise as the one that is read second, whatever comes between.
    #expect(late.duration(to: before) <= now && now <= early.duration(to: after))
  }

  @Test(
    "milliseconds are never too few",
    arguments: [
      (.zero, 0), (.nanoseconds(1), 1), (.milliseconds(1), 1), (.microseconds(1_001), 2),
      (.seconds(86_400), 86_400_000),
      (.nanoseconds(-1), 0), (.milliseconds(-2), -2), (.seconds(Int64.max), Int.max),
    ] as [(Duration, Int)])
  func millisecondsUp(_ duration: Duration, _ expected: Int) { #expect(duration.millisecondsUp == expected) }
}
