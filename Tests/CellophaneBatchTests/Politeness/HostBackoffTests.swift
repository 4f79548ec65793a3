internal import Testing

@testable internal import CellophaneBatch

@Suite("The pauses of one host")
struct HostBackoffTests {
  /// Returns a host without a response. It refused a record that started at 0 after 1 s, and is paused until 11 s.
  private func paused() -> HostBackoff {
    var pauses = HostBackoff()
    pauses.begin(at: .zero)
    #expect(
      pauses.pause(until: .seconds(11), isRequested: true, begunAt: .zero, active: 0, now: .seconds(1)).isNew)
    return pauses
  }

  /// Refuses a record that started at `start`, and pauses the host for ten seconds from `now`.
  private func refuse(_ pauses: inout HostBackoff, begunAt start: Duration, now: Duration) {
    _ = pauses.pause(until: now + .seconds(10), isRequested: true, begunAt: start, active: 0, now: now)
  }

  @Test func `after a pause, the other records wait for the end of the half-open probe or its timeout`() {
    var pauses = paused()
    #expect(!pauses.allowsRequest)
    pauses.update(at: .seconds(10))
    #expect(!pauses.allowsRequest)
    pauses.update(at: .seconds(11))
    #expect(pauses.allowsRequest && pauses.prefersReturned == false)
    pauses.begin(at: .seconds(12))
    #expect(!pauses.allowsRequest && pauses.probeDeadline == .seconds(12) + HostBackoff.probeTimeout)
    // The end of a record that is not the probe.
    #expect(!pauses.end(begunAt: .zero) && !pauses.allowsRequest)
    var late = pauses
    #expect(pauses.end(begunAt: .seconds(12)) && pauses.allowsRequest)
    late.update(at: .seconds(13))
    #expect(late.allowsRequest && late.probeDeadline == nil)
    pauses.begin(at: .seconds(14))
    #expect(pauses.allowsRequest)
  }

  @Test func `the refusal of a record from before the pause does not count as another pause`() {
    var pauses = paused()
    for now in [12, 24, 36] {
      pauses.update(at: .seconds(now - 1))
      refuse(&pauses, begunAt: .milliseconds(500), now: .seconds(now))
      #expect(pauses.pausedUntil == .seconds(now + 10) && pauses.prefersReturned == false)
    }
    pauses.update(at: .seconds(46))
    refuse(&pauses, begunAt: .seconds(46), now: .seconds(47))
    #expect(pauses.prefersReturned == true)
  }

  @Test
  func `a pause known only from the open circuit counts, unless an older record is refused`() {
    var pauses = paused()
    pauses.update(at: .seconds(11))
    _ = pauses.pause(
      until: .seconds(20), isRequested: nil, begunAt: .seconds(11), active: 0, now: .seconds(12))
    #expect(pauses.prefersReturned == true)
    var other = pauses
    refuse(&pauses, begunAt: .milliseconds(500), now: .seconds(12))
    #expect(pauses.prefersReturned == false)
    // A newer record may be refused during the pause.
    refuse(&pauses, begunAt: .seconds(11), now: .seconds(13))
    #expect(pauses.prefersReturned == true)
    refuse(&other, begunAt: .seconds(11), now: .seconds(12))
    #expect(other.prefersReturned == true)
  }

  @Test func `a response resets the count of pauses, also of the current one`() {
    var pauses = paused()
    pauses.answered()
    #expect(pauses.prefersReturned == nil && pauses.pausedUntil == .seconds(11))
    pauses.update(at: .seconds(11))
    #expect(pauses.prefersReturned == nil && pauses.allowsRequest)
  }

  @Test func `records may wait for two pauses, and for further ones only a limited time`() {
    var pauses = paused()
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

  @Test func `a host is responsive while it processes a record from before the pause`() {
    var pauses = HostBackoff()
    _ = pauses.pause(until: .seconds(2), isRequested: true, begunAt: .zero, active: 2, now: .seconds(1))
    func allowsAnother(begunAt start: Duration) -> Bool {
      pauses.allowsAnother(
        of: 0, after: .init(wasRefused: true, isCircuitOpen: true, start: start), now: .seconds(100))
    }
    #expect(pauses.isResponsive && allowsAnother(begunAt: .seconds(2)) && allowsAnother(begunAt: .zero))
    // The end of a later record changes nothing.
    _ = pauses.end(begunAt: .seconds(2))
    #expect(pauses.isResponsive)
    _ = pauses.end(begunAt: .zero)
    #expect(pauses.isResponsive && allowsAnother(begunAt: .seconds(2)) && !allowsAnother(begunAt: .zero))
    _ = pauses.end(begunAt: .zero)
    #expect(!pauses.isResponsive && !allowsAnother(begunAt: .seconds(2)))
  }
}
