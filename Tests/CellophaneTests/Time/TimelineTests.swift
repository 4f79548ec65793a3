@testable internal import Cellophane
internal import Testing

@Suite("Time is read and waited for alike")
struct TimelineTests {
  @Test("the system's time is that of ContinuousClock")
  func systemTime() async throws {
    let clock = ContinuousClock()
    let early = clock.now
    let timeline = Timeline()
    let late = clock.now
    let before = clock.now
    let now = timeline.now
    let after = clock.now
    // As precise as the one that is read second, whatever comes between.
    #expect(late.duration(to: before) <= now && now <= early.duration(to: after))
    try await timeline.sleep(for: .milliseconds(2))
    #expect(timeline.now >= now + .milliseconds(2))
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
