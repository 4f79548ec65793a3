internal import Cellophane
internal import CellophaneTesting
internal import Synchronization
internal import Testing

@testable internal import CellophaneBatch

@Suite("Records that return to the host scheduler", .timeLimit(.minutes(1)))
struct HostSchedulerRetryTests {
  @Test func `a record that was not requested is not lost because of the refusals of others`() {
    let time = VirtualTime()
    let timeline = time.timeline()
    let scheduler = HostScheduler(
      ListSource(urls: ["a", "b", "c"].map { "http://h/\($0)" }), perHost: 64, timeline: timeline,
      claim: HostSchedulerTests.claim)
    let served = time.run {
      // Each record is refused once. After each pause, the records refused before find the circuit open.
      for (count, refused) in zip(1..., ["a", "b", "c"]) {
        var assignments: [HostScheduler.Assignment] = []
        for _ in 0..<count {
          if let assignment = await scheduler.next() { assignments.append(assignment) }
        }
        let requestedCount = assignments.partition { !$0.record.url.hasSuffix(refused) }
        for (index, assignment) in assignments.enumerated() {
          let isRequested = index < requestedCount
          let signals = HostScheduler.Signals(
            ofHost: .refused, refusingHost: "h", isCircuitOpen: !isRequested, asksForPause: isRequested)
          guard
            scheduler.retry(assignment, signals, after: .seconds(1), attempts: isRequested ? 1 : 0)
          else { return "" }
        }
      }
      var served = ""
      while let assignment = await scheduler.next() {
        served += assignment.record.url.suffix(1)
        scheduler.finish(assignment, .init(ofHost: .answered(firstByte: .zero)))
      }
      return served
    }
    #expect(served.map { String($0.sorted()) } == "abc")
  }

  @Test(arguments: [
    (Duration.milliseconds(300), Duration.milliseconds(300)), (.seconds(60), HostBackoff.probeTimeout),
  ])
  func `after a pause, the half-open probe starts before the others, which wait a limited time`(
    taking: Duration, ahead: Duration
  ) {
    let starts = Mutex<[Duration]>([])
    let time = VirtualTime()
    let timeline = time.timeline()
    let scheduler = HostScheduler(
      ListSource(urls: (0..<8).map { "http://h/\($0)" }), perHost: 8, timeline: timeline,
      claim: HostSchedulerTests.claim)
    for job in 0..<8 {
      timeline.spawn { @Sendable in
        while let assignment = await scheduler.next() {
          if timeline.now > .zero { starts.withLock { $0.append(timeline.now) } }
          try? await timeline.sleep(for: timeline.now > .zero ? taking : .milliseconds(job))
          if assignment.previousAttempts > 0
            || !scheduler.retry(
              assignment, .init(ofHost: .refused, refusingHost: "h", asksForPause: true), after: .seconds(10),
              attempts: 1)
          {
            scheduler.finish(assignment, .init(ofHost: .served))
          }
        }
      }
    }
    time.run()
    let later = starts.withLock(\.self)
    let end = later.first ?? .zero
    #expect(later.count == 8 && end > .seconds(10) && end < .seconds(11))
    #expect(later.dropFirst().first == end + ahead)
  }
}
