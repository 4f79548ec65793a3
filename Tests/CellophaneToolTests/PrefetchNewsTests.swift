internal import Cellophane
@testable internal import CellophaneBatch
internal import CellophaneTesting
@testable internal import CellophaneTool
internal import Synchronization
internal import Testing

@Suite("How far prefetch is")
struct PrefetchNewsTests {
  static func summary() -> BatchSummary {
    var summary = BatchSummary()
    for index in 1...1_234 {
      var result = BatchResult(
        ListRecord(position: index, line: index, url: "http://h\(index % 3)/\(index)", end: 0))
      result.host = "http://h\(index % 3)"
      (result.outcome, result.bytes) = (.fetched, 1_000)
      if index <= 5 { result.fail(LoadError(index == 5 ? .dns : .timeout, "no"), at: .http) }
      summary.count(result)
    }
    return summary
  }

  @Test func `one line says it all`() {
    var pace = BatchPace()
    #expect(PrefetchNews.text(BatchSummary(), pace, share: nil) == "0 lines")
    #expect(PrefetchNews.text(BatchSummary(), pace, share: 0) == "0 lines  0 %")
    let summary = Self.summary()
    pace.note(lines: summary.lines, bytes: summary.fetchedBytes, share: 0.25, at: .seconds(100))
    #expect(
      PrefetchNews.text(summary, pace, share: 0.25)
        == "1 234 lines  12/s  1.2 MB (12.3 kB/s)  25 %, 5 min left  "
        + "5 failed: timeout 4, dns 1; most at http://h1 2, http://h2 2")
    #expect(PrefetchNews.text(summary, BatchPace(), share: nil).hasPrefix("1 234 lines  1.2 MB  5 failed"))
  }

  @Test func `nothing is left only behind the last line`() {
    var pace = BatchPace()
    pace.note(lines: 9_999, bytes: 0, share: 0.9999, at: .seconds(100))
    #expect(PrefetchNews.text(BatchSummary(), pace, share: 0.9999).hasSuffix("  99 %, 1 s left"))
    pace.note(lines: 10_000, bytes: 0, share: 1, at: .seconds(101))
    #expect(PrefetchNews.text(BatchSummary(), pace, share: 1).hasSuffix("  100 %"))
  }

  @Test(
    "news come every ten seconds, on a terminal five times a second, and end with the work",
    arguments: [false, true])
  func intervals(isLive: Bool) {
    let time = VirtualTime()
    let timeline = time.timeline()
    let said = Mutex<[Duration]>([])
    let news = PrefetchNews(isLive: isLive) { _ in said.withLock { $0.append(timeline.now) } }
    let value = time.run {
      await news.follow(on: timeline, { "news" }) {
        try? await timeline.sleep(for: .milliseconds(isLive ? 1_100 : 35_000))
        return 7
      }
    }
    #expect(value == 7)
    let expected =
      isLive ? (1...5).map { Duration.milliseconds($0 * 200) } : [.seconds(10), .seconds(20), .seconds(30)]
    #expect(said.withLock(\.self) == expected)
    #expect(timeline.now == .milliseconds(isLive ? 1_100 : 35_000))
  }
}
