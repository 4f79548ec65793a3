internal import Cellophane
internal import CellophaneTesting
internal import Synchronization
internal import Testing

@testable internal import CellophaneBatch
internal import TestSupport

@Suite("Timings of records, in virtual time")
struct BatchTimingsTests {
  /// Returns the written time in queues, in milliseconds.
  static func queue(_ result: BatchResult) throws -> Double? {
    try AnyJSON(result.jsonLine)["timings_ms"]?["queue"]?.number
  }

  @Test func `the time in the queue of the host is reported`() throws {
    let urls = ["http://h/slow/1/30", "http://h/slow/2/5", "http://other/slow/1"]
    let results = try BatchWorld().results(of: urls, jobs: 4, perHost: 1).sorted { $0.index < $1.index }
    #expect(results.map(\.duration) == [.seconds(30), .seconds(35), .seconds(1)])
    #expect(try results.map(Self.queue) == [0, 30_000, 0])
  }

  @Test func `the pauses of a host count as time in its queue`() throws {
    let result = try #require(try BatchWorld().results(of: ["http://h/pause-until/60"]).first)
    #expect(result.outcome == .fetched && result.attempts == 2)
    #expect(result.duration == .seconds(60))
    #expect(try Self.queue(result) == 60_000)
  }

  @Test func `a record that fails after several pauses counts all of them`() throws {
    let time = VirtualTime()
    let timeline = time.timeline()
    let transport = ScriptedTransport(timeline: timeline) { request in
      .init(
        after: .seconds(1),
        .success(TransportResponse(status: 429, headers: ["retry-after": "20"], body: [], url: request.url)))
    }
    let bytes = ByteLoader(transport: transport, disk: nil, timeline: timeline)
    let results = Mutex<[BatchResult]>([])
    let run = BatchRun(
      ListSource(urls: ["http://h/1"]), BatchWork(BatchWork.Options(picture: nil), bytes: bytes, output: nil)
    ) { result in
      results.withLock { $0.append(result) }
      return true
    }
    try #require(time.run { await run.run(jobs: 1) } != nil)
    let first = results.withLock(\.first)
    let result = try #require(first)
    // Three responses of one second each, and two pauses.
    #expect(result.outcome == .failed && result.attempts == 3 && result.duration == .seconds(43))
    #expect(try Self.queue(result) == 40_000)
  }

  @Test func `a record without a request has no time in a queue`() throws {
    let world = BatchWorld()
    _ = try world.results(of: ["http://h/1"])
    let results = try world.results(of: ["http://h/1", "http://h/1", "no url"])
    #expect(try results.map(Self.queue) == [nil, nil, nil])
  }
}
