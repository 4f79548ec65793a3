internal import Testing

@testable internal import Cellophane

@Suite("When addresses are looked through")
struct AddressUpkeepTests {
  @Test func `at first, and again once so much time has passed since one that looked has ended`() {
    var upkeep = AddressUpkeep()
    #expect(upkeep.isDue(at: .zero))
    // One that began has not looked yet.
    #expect(upkeep.isDue(at: .seconds(1)))
    upkeep.end(at: .seconds(2))
    #expect(!upkeep.isDue(at: .seconds(2)))
    #expect(!upkeep.isDue(at: .seconds(3) - .nanoseconds(1)))
    #expect(upkeep.isDue(at: .seconds(3)))
    #expect(upkeep.isDue(at: .seconds(3_600)))
  }
}
