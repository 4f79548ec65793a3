internal import Testing

@testable internal import Cellophane

@Suite("When addresses are looked through")
struct AddressUpkeepTests {
  @Test func `at first, and again once so much time has passed since one that looked has ended`() {
    var schedule = AddressPurgeSchedule()
    #expect(schedule.isDue(at: .zero))
    // One that began has not looked yet.
    #expect(schedule.isDue(at: .seconds(1)))
    schedule.noteScan(at: .seconds(2))
    #expect(!schedule.isDue(at: .seconds(2)))
    #expect(!schedule.isDue(at: .seconds(3) - .nanoseconds(1)))
    #expect(schedule.isDue(at: .seconds(3)))
    #expect(schedule.isDue(at: .seconds(3_600)))
  }
}
