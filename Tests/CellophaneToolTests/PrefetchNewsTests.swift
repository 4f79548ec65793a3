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
    #expect(PrefetchLine(BatchSummary(), pace, share: nil).text() == "0 lines")
    #expect(PrefetchLine(BatchSummary(), pace, share: 0).text() == "0 lines  0 %")
    let summary = Self.summary()
    pace.note(lines: summary.lines, bytes: summary.fetchedBytes, share: 0.25, at: .seconds(100))
    #expect(
      PrefetchLine(summary, pace, share: 0.25).text()
        == "1 234 lines  12/s  1.2 MB (12.3 kB/s)  25 %, 5 min left  "
        + "5 failed: timeout 4, dns 1  most at: h1 2, h2 2")
    #expect(PrefetchLine(summary, BatchPace(), share: nil).text().hasPrefix("1 234 lines  1.2 MB  5 failed"))
  }

  @Test(
    "what matters least goes first",
    arguments: [
      (
        200,
        "1 234 lines  12/s  1.2 MB (12.3 kB/s)  25 %, 5 min left  5 failed: timeout 4, dns 1  "
          + "paused: busy 38 s, h2:81 1 s  slowed: weak to 4  most at: h1 2, h2 2"
      ),
      (
        140,
        "1 234 lines  12/s  25 %, 5 min left  5 failed: timeout 4, dns 1  "
          + "paused: busy 38 s, h2:81 1 s  slowed: weak to 4  most at: h1 2, h2 2"
      ),
      (
        110,
        "1 234 lines  12/s  25 %, 5 min left  5 failed: timeout 4, dns 1  "
          + "paused: busy 38 s, h2:81 1 s"
      ),
      (79, "1 234 lines  12/s  25 %, 5 min left  5 failed: timeout 4, dns 1  2 paused"),
      (60, "1 234 lines  12/s  5 min left  5 failed: timeout 4, dns 1"),
      (50, "1 234 lines  12/s  5 min left  5 failed: timeout 4"),
      (39, "1 234 lines  12/s  5 min left  5 failed"), (38, "1 234 lines  12/s  5 min left"),
      (20, "1 234 lines  12/s"), (12, "1 234 lines"), (5, "1 234"),
    ])
  func width(columns: Int, text: String) {
    let summary = Self.summary()
    var pace = BatchPace()
    pace.note(lines: summary.lines, bytes: summary.fetchedBytes, share: 0.25, at: .seconds(100))
    let restraints = [
      HostRestraint(host: "busy", pause: .milliseconds(37_500), limit: 2),
      HostRestraint(host: "h2:81", pause: .milliseconds(10)), HostRestraint(host: "weak", limit: 4),
    ]
    let line = PrefetchLine(summary, pace, share: 0.25, restraints)
    #expect(line.text(columns: columns) == text)
  }

  @Test func `the most frequent kinds of failures are told, and no host twice`() {
    var summary = BatchSummary()
    for (index, kind) in [LoadError.Kind.dns, .tls, .tls, .timeout, .timeout, .status, .status].enumerated() {
      var result = BatchResult(ListRecord(position: index, line: index, url: "http://h/", end: 0))
      result.host = "http://" + String(repeating: "h", count: 40)
      result.fail(LoadError(kind, "no"), at: .http)
      summary.count(result)
    }
    let host = HostRestraint(host: String(repeating: "h", count: 40), limit: 1)
    #expect(
      PrefetchLine(summary, BatchPace(), share: nil, [host]).text()
        == "7 lines  7 failed: status 2, timeout 2, tls 2  slowed: \(String(repeating: "h", count: 27))... to 1"
    )
  }

  @Test func `nothing is left only behind the last line`() {
    var pace = BatchPace()
    pace.note(lines: 9_999, bytes: 0, share: 0.9999, at: .seconds(100))
    #expect(PrefetchLine(BatchSummary(), pace, share: 0.9999).text().hasSuffix("  99 %, 1 s left"))
    pace.note(lines: 10_000, bytes: 0, share: 1, at: .seconds(101))
    #expect(PrefetchLine(BatchSummary(), pace, share: 1).text().hasSuffix("  100 %"))
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
