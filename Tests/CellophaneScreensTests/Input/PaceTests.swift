@testable internal import CellophaneScreens
internal import Testing

@Suite("Paces of values")
struct PaceTests {
  private typealias Step = PaceStep<Int>

  @Test("debounce passes on the last value of a burst, an interval after it")
  func debounce() {
    var pace = DebouncePace<Int>(interval: .seconds(3))
    #expect(pace.take(1, at: .seconds(0)) == Step(wakeUp: .seconds(3)))
    #expect(pace.take(2, at: .seconds(2)) == Step())
    #expect(pace.wake(at: .seconds(3)) == Step(wakeUp: .seconds(5)))
    #expect(pace.isHolding)
    #expect(pace.wake(at: .seconds(5)) == Step(passedOn: 2))
    #expect(!pace.isHolding)
    #expect(pace.take(3, at: .seconds(6)) == Step(wakeUp: .seconds(9)))
    #expect(pace.end() == Step(passedOn: 3))
    #expect(pace.wake(at: .seconds(9)) == Step())
  }

  @Test("throttle passes on the first value at once, then the latest at the end of each interval")
  func throttle() {
    var pace = ThrottlePace<Int>(interval: .seconds(3))
    #expect(pace.take(1, at: .seconds(0)) == Step(passedOn: 1))
    #expect(pace.take(2, at: .seconds(1)) == Step(wakeUp: .seconds(3)))
    #expect(pace.take(3, at: .seconds(2)) == Step())
    #expect(pace.wake(at: .seconds(3)) == Step(passedOn: 3))
    #expect(pace.take(4, at: .seconds(4)) == Step(wakeUp: .seconds(6)))
    #expect(pace.end() == Step())
    #expect(pace.isHolding)
    #expect(pace.wake(at: .seconds(6)) == Step(passedOn: 4))
    #expect(pace.take(5, at: .seconds(9)) == Step(passedOn: 5))
    #expect(pace.take(6, at: .seconds(12)) == Step(passedOn: 6))
  }
}
