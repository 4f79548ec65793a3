import Testing

@testable import CellophaneResults

@Suite struct TransferTallyTests {
  /// Ends transfer `number` after `bytes`.
  static func end(
    _ tally: inout TransferTally, _ number: Int, _ outcome: TransferOutcome, bytes: Int,
    at time: Duration = .zero
  ) {
    tally.progress(number, bytes: bytes)
    tally.end(number, outcome, at: time)
  }

  @Test func `concurrent transfers of a URL are duplicates, and consecutive ones are not`() {
    var tally = TransferTally()
    tally.begin(0, "a", in: .cold)
    Self.end(&tally, 0, .completed(size: 10), bytes: 10)
    tally.begin(1, "a", in: .cold)
    #expect(tally.sums.total.duplicates == 0)
    tally.begin(2, "a", in: .scroll)
    tally.begin(3, "b", in: .scroll)
    #expect(tally.sums[.scroll].duplicates == 1)
    #expect(tally.count == 3)
    #expect(tally.peakRunning == 3)
  }

  @Test func `a transfer after a cancelled one is no duplicate, and late bytes of the cancelled one count`() {
    var tally = TransferTally()
    tally.begin(0, "a", in: .cold)
    Self.end(&tally, 0, .cancelled, bytes: 4)
    tally.begin(1, "a", in: .cold)
    // The connection of the cancelled transfer closes later, after more bytes.
    Self.end(&tally, 0, .cancelled, bytes: 6)
    tally.close(0)
    #expect(tally.sums.total.duplicates == 0)
    #expect(tally.count == 1)
    #expect(tally.sums.total.cancelled == 1)
    #expect(tally.sums.total.bytes == 6)
    let waste = tally.waste { _ in false }.total
    #expect(waste.partial == 4)
    #expect(waste.afterCancel == 2)
    #expect(tally.waste { $0 == "a" }.total.partial == 0)
  }

  @Test func `bytes are repeated only after a complete transfer`() {
    var tally = TransferTally()
    for (number, (outcome, bytes)) in [
      (TransferOutcome.cancelled, 3), (.failed, 2), (.completed(size: 15), 10),
    ]
    .enumerated() {
      tally.begin(number, "a", in: .cold)
      Self.end(&tally, number, outcome, bytes: bytes)
      tally.close(number)
    }
    #expect(tally.sums.total.repeatedBytes == 0)
    tally.begin(3, "a", in: .back)
    tally.progress(3, bytes: 7)
    #expect(tally.sums[.back].repeatedBytes == 7)
    #expect(tally.sums.total.bytes == 22)
    #expect(tally.size(of: "a") == 15)
    let waste = tally.waste { _ in false }.total
    #expect(waste.partial == 5)
    #expect(waste.completed == 10)
  }

  @Test func `the cancel latency counts only cancelled transfers without a new waiter`() {
    var tally = TransferTally()
    for (number, url) in ["a", "b", "c"].enumerated() {
      tally.begin(number, url, in: .scroll)
      tally.abandon(url, at: .seconds(1))
    }
    tally.noteWaiter(for: "b")
    for number in 0..<2 { Self.end(&tally, number, .cancelled, bytes: 0, at: .milliseconds(1_025)) }
    Self.end(&tally, 2, .completed(size: 1), bytes: 1, at: .seconds(2))
    tally.abandon("d", at: .zero)
    // In ticks of 0.1 ms.
    #expect(tally.sums.total.cancelLatency.sorted.map(\.ticks) == [250])
  }
}
