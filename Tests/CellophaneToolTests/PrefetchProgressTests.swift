internal import Cellophane
@testable internal import CellophaneBatch
internal import CellophaneTesting
@testable internal import CellophaneTool
internal import Synchronization
internal import Testing

@Suite("Progress of prefetch")
struct PrefetchProgressTests {
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

  @Test func `one line contains all parts`() {
    var pace = BatchPace()
    #expect(PrefetchStatusLine(BatchSummary(), pace, share: nil).text() == "0 records")
    #expect(PrefetchStatusLine(BatchSummary(), pace, share: 0).text() == "0 records  0 %")
    let summary = Self.summary()
    pace.note(records: summary.records, bytes: summary.fetchedBytes, share: 0.25, at: .seconds(100))
    #expect(
      PrefetchStatusLine(summary, pace, share: 0.25).text()
        == "1 234 records  12/s  1.2 MB (12.3 kB/s)  25 %, 5 min left  "
        + "5 failed: timeout 4, dns 1  failing: h1 2, h2 2")
    #expect(
      PrefetchStatusLine(summary, BatchPace(), share: nil).text().hasPrefix("1 234 records  1.2 MB  5 failed")
    )
  }

  @Test(
    "a narrow terminal omits the least important parts",
    arguments: [
      (
        200,
        "1 234 records  12/s  1.2 MB (12.3 kB/s)  25 %, 5 min left  5 failed: timeout 4, dns 1  "
          + "paused: busy 38 s, h2:81 1 s  slowed: weak to 4  failing: h1 2, h2 2"
      ),
      (
        140,
        "1 234 records  12/s  25 %, 5 min left  5 failed: timeout 4, dns 1  "
          + "paused: busy 38 s, h2:81 1 s  slowed: weak to 4  failing: h1 2, h2 2"
      ),
      (
        110,
        "1 234 records  12/s  25 %, 5 min left  5 failed: timeout 4, dns 1  "
          + "paused: busy 38 s, h2:81 1 s"
      ),
      (79, "1 234 records  12/s  25 %, 5 min left  5 failed: timeout 4, dns 1  2 paused"),
      (60, "1 234 records  12/s  5 min left  5 failed: timeout 4, dns 1"),
      (52, "1 234 records  12/s  5 min left  5 failed: timeout 4"),
      (41, "1 234 records  12/s  5 min left  5 failed"), (40, "1 234 records  12/s  5 min left"),
      (20, "1 234 records  12/s"), (13, "1 234 records"), (5, "1 234"),
    ])
  func width(columns: Int, text: String) {
    let summary = Self.summary()
    var pace = BatchPace()
    pace.note(records: summary.records, bytes: summary.fetchedBytes, share: 0.25, at: .seconds(100))
    let throttles = [
      HostThrottle(host: "busy", pause: .milliseconds(37_500), limit: 2),
      HostThrottle(host: "h2:81", pause: .milliseconds(10)), HostThrottle(host: "weak", limit: 4),
    ]
    let line = PrefetchStatusLine(summary, pace, share: 0.25, throttles)
    #expect(line.text(columns: columns) == text)
  }

  @Test func `the line names the most frequent kinds of failures, and no host twice`() {
    var summary = BatchSummary()
    for (index, kind) in [LoadError.Kind.dns, .tls, .tls, .timeout, .timeout, .status, .status].enumerated() {
      var result = BatchResult(ListRecord(position: index, line: index, url: "http://h/", end: 0))
      result.host = "http://" + String(repeating: "h", count: 40)
      result.fail(LoadError(kind, "no"), at: .http)
      summary.count(result)
    }
    let host = HostThrottle(host: String(repeating: "h", count: 40), limit: 1)
    #expect(
      PrefetchStatusLine(summary, BatchPace(), share: nil, [host]).text()
        == "7 records  7 failed: status 2, timeout 2, tls 2  slowed: \(String(repeating: "h", count: 27))... to 1"
    )
  }

  @Test func `the remaining time is omitted only at the end of the list`() {
    var pace = BatchPace()
    pace.note(records: 9_999, bytes: 0, share: 0.9999, at: .seconds(100))
    #expect(PrefetchStatusLine(BatchSummary(), pace, share: 0.9999).text().hasSuffix("  99 %, 1 s left"))
    pace.note(records: 10_000, bytes: 0, share: 1, at: .seconds(101))
    #expect(PrefetchStatusLine(BatchSummary(), pace, share: 1).text().hasSuffix("  100 %"))
  }

  @Test(
    "progress is printed every ten seconds, on a terminal five times a second, and ends with the work",
    arguments: [false, true])
  func intervals(isLive: Bool) {
    let time = VirtualTime()
    let timeline = time.timeline()
    let printed = Mutex<[Duration]>([])
    let progress = PrefetchProgress(isLive: isLive) { _ in printed.withLock { $0.append(timeline.now) } }
    let value = time.run {
      await progress.follow(on: timeline, { "text" }) {
        try? await timeline.sleep(for: .milliseconds(isLive ? 1_100 : 35_000))
        return 7
      }
    }
    #expect(value == 7)
    let expected =
      isLive ? (1...5).map { Duration.milliseconds($0 * 200) } : [.seconds(10), .seconds(20), .seconds(30)]
    #expect(printed.withLock(\.self) == expected)
    #expect(timeline.now == .milliseconds(isLive ? 1_100 : 35_000))
  }
}
