@testable internal import CellophaneCore
internal import Testing

@Suite("Timeline")
struct TimelineTests {
  @Test("the system's timeline reads the time of ContinuousClock")
  func systemTime() {
    let clock = ContinuousClock()
    let early = clock.now
    let timeline = Timeline()
    let late = clock.now
    let before = clock.now
    let now = timeline.now
    let after = clock.now
    // The bounds hold regardless of delays between the readings.
    #expect(late.duration(to: before) <= now && now <= early.duration(to: after))
  }

  @Test(
    "durations round up to whole milliseconds",
    arguments: [
      (.zero, 0), (.nanoseconds(1), 1), (.milliseconds(1), 1), (.microseconds(1_001), 2),
      (.seconds(86_400), 86_400_000),
      (.nanoseconds(-1), 0), (.milliseconds(-2), -2), (.seconds(Int64.max), Int.max),
    ] as [(Duration, Int)])
  func millisecondsUp(_ duration: Duration, _ expected: Int) { #expect(duration.millisecondsUp == expected) }
}
