internal import Cellophane
internal import CellophaneTesting
internal import Synchronization
internal import Testing

@testable internal import CellophaneBatch

@Suite("Whose turn it is behind pauses", .timeLimit(.minutes(1)))
struct PausesTests {
  @Test func `a line for which nobody was asked is not lost for what its host says to others`() {
    let time = VirtualTime()
    let timeline = time.timeline()
    let turns = HostScheduler(
      ListSource(urls: ["a", "b", "c"].map { "http://h/\($0)" }), perHost: 64, timeline: timeline,
      claim: TurnsTests.claim)
    let served = time.run {
      // Each is refused once; who was so before comes too late, pause after pause.
      for (count, unlucky) in zip(1..., ["a", "b", "c"]) {
        var line: [HostScheduler.Assignment] = []
        for _ in 0..<count { if let turn = await turns.next() { line.append(turn) } }
        let first = line.partition { !$0.record.url.hasSuffix(unlucky) }
        for (index, turn) in line.enumerated() {
          let isAsked = index < first
          let signs = HostScheduler.Signals(
            ofHost: .refused, refusingHost: "h", isCircuitOpen: !isAsked, asksForPause: isAsked)
          guard turns.retry(turn, signs, after: .seconds(1), attempts: isAsked ? 1 : 0) else { return "" }
        }
      }
      var served = ""
      while let turn = await turns.next() {
        served += turn.record.url.suffix(1)
        turns.finish(turn, .init(ofHost: .answered(firstByte: .zero)))
      }
      return served
    }
    #expect(served.map { String($0.sorted()) } == "abc")
  }

  @Test(arguments: [
    (Duration.milliseconds(300), Duration.milliseconds(300)), (.seconds(60), HostBackoff.probeTimeout),
  ])
  func `behind a pause one goes ahead of the others, but not for long`(taking: Duration, ahead: Duration) {
    let began = Mutex<[Duration]>([])
    let time = VirtualTime()
    let timeline = time.timeline()
    let turns = HostScheduler(
      ListSource(urls: (0..<8).map { "http://h/\($0)" }), perHost: 8, timeline: timeline,
      claim: TurnsTests.claim)
    for job in 0..<8 {
      timeline.spawn { @Sendable in
        while let turn = await turns.next() {
          if timeline.now > .zero { began.withLock { $0.append(timeline.now) } }
          try? await timeline.sleep(for: timeline.now > .zero ? taking : .milliseconds(job))
          if turn.previousAttempts > 0
            || !turns.retry(
              turn, .init(ofHost: .refused, refusingHost: "h", asksForPause: true), after: .seconds(10),
              attempts: 1)
          {
            turns.finish(turn, .init(ofHost: .served))
          }
        }
      }
    }
    time.run()
    let begins = began.withLock(\.self)
    let end = begins.first ?? .zero
    #expect(begins.count == 8 && end > .seconds(10) && end < .seconds(11))
    #expect(begins.dropFirst().first == end + ahead)
  }
}
