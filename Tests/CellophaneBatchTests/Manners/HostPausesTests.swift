internal import Testing

@testable internal import CellophaneBatch

@Suite("The pauses of one host")
struct HostPausesTests {
  /// One that has answered nothing yet, and refused what began at 0 a second later, until 11 s.
  private func pausing() -> HostPauses {
    var pauses = HostPauses()
    pauses.begin(at: .zero)
    pauses.refused(at: .seconds(1))
    #expect(
      pauses.hold(until: .seconds(11), isAsked: true, begunAt: .zero, beside: 0, now: .seconds(1)).isNew)
    return pauses
  }

  /// Refuses what began at `start`, for ten seconds from `now` on.
  private func refuse(_ pauses: inout HostPauses, begunAt start: Duration, now: Duration) {
    pauses.refused(at: now)
    _ = pauses.hold(until: now + .seconds(10), isAsked: true, begunAt: start, beside: 0, now: now)
  }

  @Test func `one goes ahead behind a pause, until it is back or has had its head start`() {
    var pauses = pausing()
    #expect(!pauses.letsAsk)
    pauses.look(at: .seconds(10))
    #expect(!pauses.letsAsk)
    pauses.look(at: .seconds(11))
    #expect(pauses.letsAsk && pauses.prefersReturned == true)
    pauses.begin(at: .seconds(12))
    #expect(!pauses.letsAsk && pauses.headStartEnd == .seconds(12) + HostPauses.headStart)
    // Not the one that went ahead.
    #expect(!pauses.end(begunAt: .zero) && !pauses.letsAsk)
    var late = pauses
    #expect(pauses.end(begunAt: .seconds(12)) && pauses.letsAsk)
    late.look(at: .seconds(13))
    #expect(late.letsAsk && late.headStartEnd == nil)
    pauses.begin(at: .seconds(14))
    #expect(pauses.letsAsk)
  }

  @Test func `what was under way before a pause makes no other, however late it is refused`() {
    var pauses = pausing()
    for now in [12, 24, 36] {
      pauses.look(at: .seconds(now - 1))
      refuse(&pauses, begunAt: .milliseconds(500), now: .seconds(now))
      #expect(pauses.heldUntil == .seconds(now + 10) && pauses.prefersReturned == true)
    }
    pauses.look(at: .seconds(46))
    refuse(&pauses, begunAt: .seconds(46), now: .seconds(47))
    #expect(pauses.prefersReturned == false)
  }

  @Test
  func `a pause that only lines held back tell of counts, unless it is found to be of what was under way`() {
    var pauses = pausing()
    pauses.look(at: .seconds(11))
    _ = pauses.hold(until: .seconds(20), isAsked: nil, begunAt: .seconds(11), beside: 0, now: .seconds(12))
    #expect(pauses.prefersReturned == false)
    var other = pauses
    refuse(&pauses, begunAt: .milliseconds(500), now: .seconds(12))
    #expect(pauses.prefersReturned == true)
    // Something new may be refused while it lasts.
    refuse(&pauses, begunAt: .seconds(11), now: .seconds(13))
    #expect(pauses.prefersReturned == false)
    refuse(&other, begunAt: .seconds(11), now: .seconds(12))
    #expect(other.prefersReturned == false)
  }

  @Test func `an answer ends the count, also of the pause that lasts`() {
    var pauses = pausing()
    pauses.answered()
    #expect(pauses.prefersReturned == nil && pauses.heldUntil == .seconds(11))
    pauses.look(at: .seconds(11))
    #expect(pauses.prefersReturned == nil && pauses.letsAsk)
  }

  @Test func `two pauses are worth while, and more not for long`() {
    var pauses = pausing()
    func isWorthAnother(wasRefused: Bool, isHeldBack: Bool = false, at now: Int) -> Bool {
      pauses.isWorthAnother(
        of: 2, wasRefused: wasRefused, isHeldBack: isHeldBack, begunAt: .seconds(now), now: .seconds(now))
    }
    pauses.look(at: .seconds(11))
    #expect(isWorthAnother(wasRefused: true, at: 12))
    refuse(&pauses, begunAt: .seconds(11), now: .seconds(12))
    pauses.look(at: .seconds(22))
    #expect(!isWorthAnother(wasRefused: true, at: 23) && !isWorthAnother(wasRefused: false, at: 23))
    pauses.answered()
    for now in [24, 35, 46] {
      #expect(isWorthAnother(wasRefused: false, at: now))
      refuse(&pauses, begunAt: .seconds(now), now: .seconds(now + 1))
      pauses.look(at: .seconds(now + 11))
    }
    #expect(isWorthAnother(wasRefused: true, at: 46) && isWorthAnother(wasRefused: false, at: 46))
    #expect(isWorthAnother(wasRefused: true, isHeldBack: true, at: 46))
    #expect(
      !isWorthAnother(wasRefused: false, at: 56)
        && !isWorthAnother(wasRefused: true, isHeldBack: true, at: 56))
  }

  @Test func `who was asked before a pause, and is still at work, is waited for`() {
    var pauses = HostPauses()
    _ = pauses.hold(until: .seconds(2), isAsked: true, begunAt: .zero, beside: 2, now: .seconds(1))
    func isWorthAnother(begunAt start: Duration) -> Bool {
      pauses.isWorthAnother(
        of: 0, wasRefused: true, isHeldBack: true, begunAt: start, now: .seconds(100))
    }
    pauses.refused(at: .seconds(1))
    #expect(pauses.answers && isWorthAnother(begunAt: .seconds(2)) && isWorthAnother(begunAt: .zero))
    // What came later is no sign of that.
    _ = pauses.end(begunAt: .seconds(2))
    #expect(pauses.answers)
    _ = pauses.end(begunAt: .zero)
    #expect(pauses.answers && isWorthAnother(begunAt: .seconds(2)) && !isWorthAnother(begunAt: .zero))
    _ = pauses.end(begunAt: .zero)
    #expect(!pauses.answers && !isWorthAnother(begunAt: .seconds(2)))
  }
}
