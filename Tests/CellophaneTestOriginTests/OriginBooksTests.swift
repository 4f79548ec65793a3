internal import Testing

@testable internal import CellophaneTestOrigin

@Suite struct OriginBooksTests {
  private func entry(_ target: String, isAborted: Bool = false) -> OriginLogEntry {
    OriginLogEntry(
      target: target, connection: 1, start: .zero, end: .seconds(1), bodyBytes: 10, isAborted: isAborted)
  }

  @Test func countsWhatHappens() {
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
    #expect(counters.mostInFlight == 2)
    #expect(counters.duplicatesInFlight == 0)
    #expect(statistics.log.map(\.target) == ["/a", "/b"])
    #expect(statistics.requestsByTarget == ["/a": 1, "/b": 1])
  }

  /// Which sockets have been left by their clients when the third request comes.
  @Test(arguments: [([], 1), ([5], 0), ([6], 1), ([5, 6], 0)] as [(Set<Int32>, Int)])
  func aClientThatLeftIsNoDuplicate(gone: Set<Int32>, duplicates: Int) {
    var statistics = OriginStatistics()
    _ = statistics.begin("/a", socket: 5) { gone.contains($0) }
    _ = statistics.begin("/a?x", socket: 6) { gone.contains($0) }
    _ = statistics.begin("/a", socket: 7) { gone.contains($0) }
    #expect(statistics.counters.duplicatesInFlight == duplicates)
  }

  @Test func afterItsEndARequestIsNoDuplicate() {
    var statistics = OriginStatistics()
    for _ in 0..<3 {
      _ = statistics.begin("/a", socket: 5) { _ in false }
      statistics.end(entry("/a"), socket: 5)
    }
    #expect(statistics.counters.duplicatesInFlight == 0)
    #expect(statistics.requestsByTarget == ["/a": 3])
  }
}
