internal import Testing

@testable internal import CellophaneCurl

@Suite("Schedule of address purges")
struct AddressPurgeScheduleTests {
  @Test func `a purge is due at first, and again one interval after the end of the last scan`() {
    var schedule = AddressPurgeSchedule()
    #expect(schedule.isDue(at: .zero))
    // A transfer scans at its end, not at its start.
    #expect(schedule.isDue(at: .seconds(1)))
    schedule.noteScan(at: .seconds(2))
    #expect(!schedule.isDue(at: .seconds(2)))
    #expect(!schedule.isDue(at: .seconds(3) - .nanoseconds(1)))
    #expect(schedule.isDue(at: .seconds(3)))
    #expect(schedule.isDue(at: .seconds(3_600)))
  }
}
