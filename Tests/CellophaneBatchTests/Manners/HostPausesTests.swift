internal import Testing

@testable internal import CellophaneBatch

@Suite("The pauses of one host")
struct HostPausesTests {
  /// One that has answered nothing yet, and refused what began at 0 a second later, until 11 s.
  private func pausing() -> HostBackoff {
    var pauses = HostBackoff()
    pauses.begin(at: .zero)
    pauses.refused(at: .seconds(1))
    #expect(
      pauses.pause(until: .seconds(11), isRequested: true, begunAt: .zero, active: 0, now: .seconds(1)).isNew)
    return pauses
  }

  /// Refuses what began at `start`, for ten seconds from `now` on.
  private func refuse(_ pauses: inout HostBackoff, begunAt start: Duration, now: Duration) {
    pauses.refused(at: now)
    _ = pauses.pause(until: now + .seconds(10), isRequested: true, begunAt: start, active: 0, now: now)
  }

  @Test func `one goes ahead behind a pause, until it is back or has had its head start`() {
    var pauses = pausing()
    #expect(!pauses.allowsRequest)
    pauses.update(at: .seconds(10))
    #expect(!pauses.allowsRequest)
    pauses.update(at: .seconds(11))
    #expect(pauses.allowsRequest && pauses.prefersReturned == true)
    pauses.begin(at: .seconds(12))
    #expect(!pauses.allowsRequest && pauses.probeDeadline == .seconds(12) + HostBackoff.probeTimeout)
    // Not the one that went ahead.
    #expect(!pauses.end(begunAt: .zero) && !pauses.allowsRequest)
    var late = pauses
    #expect(pauses.end(begunAt: .seconds(12)) && pauses.allowsRequest)
    late.update(at: .seconds(13))
    #expect(late.allowsRequest && late.probeDeadline == nil)
    pauses.begin(at: .seconds(14))
    #expect(pauses.allowsRequest)
  }

  @Test func `what was under way before a pause makes no other, however late it is refused`() {
    var pauses = pausing()
    for now in [12, 24, 36] {
      pauses.update(at: .seconds(now - 1))
      refuse(&pauses, begunAt: .milliseconds(500), now: .seconds(now))
      #expect(pauses.pausedUntil == .seconds(now + 10) && pauses.prefersReturned == true)
    }
    pauses.update(at: .seconds(46))
    refuse(&pauses, begunAt: .seconds(46), now: .seconds(47))
    #expect(pauses.prefersReturned == false)
  }

  @Test
  func `a pause that only lines held back tell of counts, unless it is found to be of what was under way`() {
    var pauses = pausing()
    pauses.update(at: .seconds(11))
    _ = pauses.pause(
      until: .seconds(20), isRequested: nil, begunAt: .seconds(11), active: 0, now: .seconds(12))
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
    #expect(pauses.prefersReturned == nil && pauses.pausedUntil == .seconds(11))
    pauses.update(at: .seconds(11))
    #expect(pauses.prefersReturned == nil && pauses.allowsRequest)
  }

  @Test func `two pauses are worth while, and more not for long`() {
    var pauses = pausing()
    func allowsAnother(wasRefused: Bool, isCircuitOpen: Bool = false, at now: Int) -> Bool {
      pauses.allowsAnother(
        of: 2, after: .init(wasRefused: wasRefused, isCircuitOpen: isCircuitOpen, start: .seconds(now)),
        now: .seconds(now))
    }
    pauses.update(at: .seconds(11))
    #expect(allowsAnother(wasRefused: true, at: 12))
    refuse(&pauses, begunAt: .seconds(11), now: .seconds(12))
    pauses.update(at: .seconds(22))
    #expect(!allowsAnother(wasRefused: true, at: 23) && !allowsAnother(wasRefused: false, at: 23))
    pauses.answered()
    for now in [24, 35, 46] {
      #expect(allowsAnother(wasRefused: false, at: now))
      refuse(&pauses, begunAt: .seconds(now), now: .seconds(now + 1))
      pauses.update(at: .seconds(now + 11))
    }
    #expect(allowsAnother(wasRefused: true, at: 46) && allowsAnother(wasRefused: false, at: 46))
    #expect(allowsAnother(wasRefused: true, isCircuitOpen: true, at: 46))
    #expect(
      !allowsAnother(wasRefused: false, at: 56)
        && !allowsAnother(wasRefused: true, isCircuitOpen: true, at: 56))
  }

  @Test func `who was asked before a pause, and is still at work, is waited for`() {
    var pauses = HostBackoff()
    _ = pauses.pause(until: .seconds(2), isRequested: true, begunAt: .zero, active: 2, now: .seconds(1))
    func allowsAnother(begunAt start: Duration) -> Bool {
      pauses.allowsAnother(
        of: 0, after: .init(wasRefused: true, isCircuitOpen: true, start: start), now: .seconds(100))
    }
    pauses.refused(at: .seconds(1))
    #expect(pauses.isResponsive && allowsAnother(begunAt: .seconds(2)) && allowsAnother(begunAt: .zero))
    // What came later is no sign of that.
    _ = pauses.end(begunAt: .seconds(2))
    #expect(pauses.isResponsive)
    _ = pauses.end(begunAt: .zero)
    #expect(pauses.isResponsive && allowsAnother(begunAt: .seconds(2)) && !allowsAnother(begunAt: .zero))
    _ = pauses.end(begunAt: .zero)
    #expect(!pauses.isResponsive && !allowsAnother(begunAt: .seconds(2)))
  }
}
