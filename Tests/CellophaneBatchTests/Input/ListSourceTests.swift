internal import Cellophane
internal import Synchronization
internal import Testing

@testable internal import CellophaneBatch

@Suite("Sources of records", .timeLimit(.minutes(1)))
struct ListSourceTests {
  /// Returns the remaining records of `source`, as text.
  func rest(of source: ListSource) async -> [String] {
    var records: [String] = []
    while let record = await source.next() { records.append(ListReaderTests.summary(record)) }
    return records
  }

  @Test func `each URL is a record`() async throws {
    let source = ListSource(urls: ["http://h/1", "nonsense"])
    #expect(await rest(of: source) == ["1 http://h/1", "2 nonsense"])
    try source.check()
  }

  @Test func `chunks are read on demand, and a record is available as soon as its line is complete`()
    async throws
  {
    let chunks = Mutex([Array("a\nb\nc".utf8), Array("\n\nd".utf8), []])
    let source = ListSource(ListReader(.lines)) { chunks.withLock { $0.isEmpty ? [] : $0.removeFirst() } }
    #expect(chunks.withLock(\.count) == 3)
    #expect(await source.next()?.url == "a")
    #expect(await source.next()?.url == "b")
    #expect(chunks.withLock(\.count) == 2)
    #expect(await rest(of: source) == ["3 c", "5 d"])
    #expect(await source.next() == nil)
    try source.check()
  }

  @Test func `an error ends the list after the incomplete last line`() async throws {
    let chunks = Mutex([Array("a\nb".utf8)])
    let source = ListSource(ListReader(.lines)) { () throws(LoadError) in
      let chunk = chunks.withLock { $0.popLast() }
      guard let chunk else { throw LoadError(.io, "the pipe broke") }
      return chunk
    }
    #expect(await rest(of: source) == ["1 a", "2 b"])
    #expect(throws: LoadError(.io, "the pipe broke")) { try source.check() }
  }

  @Test func `concurrent callers get each record once`() async throws {
    let remaining = Mutex(50)
    let source = ListSource(ListReader(.lines)) {
      let number = remaining.withLock { remaining in
        remaining -= 1
        return remaining
      }
      return number < 0 ? [] : Array((0..<20).map { "\(number)-\($0)\n" }.joined().utf8)
    }
    let found = await withTaskGroup(of: [ListRecord].self) { group in
      for _ in 0..<8 {
        group.addTask {
          var records: [ListRecord] = []
          while let record = await source.next() { records.append(record) }
          return records
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(found.count == 1_000 && Set(found.map(\.url)).count == 1_000)
    #expect(found.map(\.position).sorted() == Array(0..<1_000))
  }
}
