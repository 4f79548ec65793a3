internal import Cellophane
import Testing

@testable import CellophaneResults

@Suite struct PrefetchTallyTests {
  @Test func `without prefetching, only the recall is known, and it is 0`() {
    var tally = PrefetchTally()
    #expect(tally.values == [:])
    tally.bind(0, to: "a")
    tally.begin(0, "a")
    tally.end(0, bytes: 10, isComplete: true)
    tally.show("a")
    // One transfer, which the slot started.
    #expect(tally.values == [.prefetchRecall: 0])
  }

  /// Five prefetched images: one in time, one late, one cancelled, one never shown, one shown twice.
  @Test func `a prefetched image is in time, late or unused`() {
    var tally = PrefetchTally()
    for (number, url) in ["timely", "late", "cancelled", "unseen", "twice"].enumerated() {
      tally.begin(number, url)
    }
    tally.end(0, bytes: 100, isComplete: true)
    tally.bind(0, to: "timely")
    tally.show("timely")
    tally.bind(0, to: "late")
    tally.end(1, bytes: 200, isComplete: true)
    tally.show("late")
    tally.end(2, bytes: 50, isComplete: false)
    tally.bind(0, to: "cancelled")
    tally.begin(5, "cancelled")
    tally.end(5, bytes: 400, isComplete: true)
    tally.show("cancelled")
    tally.end(3, bytes: 350, isComplete: true)
    tally.end(4, bytes: 300, isComplete: true)
    for slot in 1...2 {
      tally.bind(slot, to: "twice")
      tally.show("twice")
    }
    // 600 of 1 000 bytes; three of four images, because a slot started one transfer; two of three in time.
    #expect(tally.values == [.prefetchPrecision: 0.6, .prefetchRecall: 0.75, .prefetchTimely: 2.0 / 3])
  }

  @Test func `an image that completes after its row left the screen is in time when the row returns`() {
    var tally = PrefetchTally()
    tally.begin(0, "a")
    tally.bind(0, to: "a")
    tally.bind(0, to: "b")
    tally.end(0, bytes: 100, isComplete: true)
    tally.bind(0, to: "a")
    tally.show("a")
    #expect(tally.values[.prefetchTimely] == 1)
  }

  @Test func `an image counts as prefetched if a rotation released its slot before the transfer`() {
    var run = RunTally(refreshRate: 60, urls: ["a"], evidence: .numbers([0]), keepsSeries: false)
    run.note(.bound(slot: 0, row: 0), at: .zero)
    run.note(.displayed(slot: 0, row: nil, .empty), at: .zero)
    run.note(.transferBegan(0, url: "a"), at: .zero)
    run.note(.transferEnded(0, .completed(size: 10), bytes: 10), at: .zero)
    run.note(.bound(slot: 0, row: 0), at: .zero)
    run.note(.displayed(slot: 0, row: 0, .shown(.row(0), from: .memory)), at: .zero)
    #expect(
      run.prefetches.values == [.prefetchPrecision: 1, .prefetchRecall: 1, .prefetchTimely: 1])
  }
}
