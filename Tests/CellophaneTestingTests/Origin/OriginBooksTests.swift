internal import Testing

@testable internal import CellophaneTesting

@Suite struct OriginBooksTests {
  private func entry(_ target: String, isAborted: Bool = false) -> OriginLogEntry {
    OriginLogEntry(
      target: target, connection: 1, start: .zero, end: .seconds(1), bodyBytes: 10, isAborted: isAborted)
  }

  @Test func countsWhatHappens() {
    var books = OriginBooks()
    #expect(books.open() == 1)
    #expect(books.open() == 2)
    #expect(books.begin("/a", socket: 5) { _ in false } == 1)
    #expect(books.begin("/b", socket: 6) { _ in false } == 2)
    books.end(entry("/a"), socket: 5)
    books.end(entry("/b", isAborted: true), socket: 6)
    books.close()
    let counters = books.counters
    #expect(counters.requests == 2)
    #expect(counters.completed == 1)
    #expect(counters.aborted == 1)
    #expect(counters.bodyBytes == 20)
    #expect(counters.connections == 2)
    #expect(counters.openConnections == 1)
    #expect(counters.inFlight == 0)
    #expect(counters.mostInFlight == 2)
    #expect(counters.duplicatesInFlight == 0)
    #expect(books.log.map(\.target) == ["/a", "/b"])
    #expect(books.requestsByTarget == ["/a": 1, "/b": 1])
  }

  /// Which sockets have been left by their clients when the third request comes.
  @Test(arguments: [([], 1), ([5], 0), ([6], 1), ([5, 6], 0)] as [(Set<Int32>, Int)])
  func aClientThatLeftIsNoDuplicate(gone: Set<Int32>, duplicates: Int) {
    var books = OriginBooks()
    _ = books.begin("/a", socket: 5) { gone.contains($0) }
    _ = books.begin("/a?x", socket: 6) { gone.contains($0) }
    _ = books.begin("/a", socket: 7) { gone.contains($0) }
    #expect(books.counters.duplicatesInFlight == duplicates)
  }

  @Test func afterItsEndARequestIsNoDuplicate() {
    var books = OriginBooks()
    for _ in 0..<3 {
      _ = books.begin("/a", socket: 5) { _ in false }
      books.end(entry("/a"), socket: 5)
    }
    #expect(books.counters.duplicatesInFlight == 0)
    #expect(books.requestsByTarget == ["/a": 3])
  }
}
