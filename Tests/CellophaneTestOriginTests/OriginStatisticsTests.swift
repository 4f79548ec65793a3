internal import Testing

@testable internal import CellophaneTestOrigin

@Suite struct OriginStatisticsTests {
  private func entry(_ target: String, isAborted: Bool = false) -> OriginLogEntry {
    OriginLogEntry(
      target: target, connection: 1, start: .zero, end: .seconds(1), bodyBytes: 10, isAborted: isAborted)
  }

  @Test func `the counters and the log cover every request and connection`() {
    var statistics = OriginStatistics()
    #expect(statistics.open() == 1)
    #expect(statistics.open() == 2)
    #expect(statistics.begin("/a", socket: 5) { _ in false } == 1)
    #expect(statistics.begin("/b", socket: 6) { _ in false } == 2)
    statistics.end(entry("/a"), socket: 5)
    statistics.end(entry("/b", isAborted: true), socket: 6)
    statistics.close()
    let counters = statistics.counters
    #expect(counters.requests == 2)
    #expect(counters.completed == 1)
    #expect(counters.aborted == 1)
    #expect(counters.bodyBytes == 20)
    #expect(counters.connections == 2)
    #expect(counters.openConnections == 1)
    #expect(counters.inFlight == 0)
    #expect(counters.peakInFlight == 2)
    #expect(counters.duplicatesInFlight == 0)
    #expect(statistics.log.map(\.target) == ["/a", "/b"])
    #expect(statistics.requestsByTarget == ["/a": 1, "/b": 1])
  }

  /// The arguments: the sockets with a closed client at the third request, and the number of duplicates.
  @Test(arguments: [([], 1), ([5], 0), ([6], 1), ([5, 6], 0)] as [(Set<Int32>, Int)])
  func `a request of a closed client does not count as a duplicate`(closed: Set<Int32>, duplicates: Int) {
    var statistics = OriginStatistics()
    _ = statistics.begin("/a", socket: 5) { closed.contains($0) }
    _ = statistics.begin("/a?x", socket: 6) { closed.contains($0) }
    _ = statistics.begin("/a", socket: 7) { closed.contains($0) }
    #expect(statistics.counters.duplicatesInFlight == duplicates)
  }

  @Test func `a completed request does not count as a duplicate`() {
    var statistics = OriginStatistics()
    for _ in 0..<3 {
      _ = statistics.begin("/a", socket: 5) { _ in false }
      statistics.end(entry("/a"), socket: 5)
    }
    #expect(statistics.counters.duplicatesInFlight == 0)
    #expect(statistics.requestsByTarget == ["/a": 3])
  }
}
