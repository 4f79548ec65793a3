internal import Cellophane
internal import CellophaneTesting
internal import Synchronization
internal import Testing

@testable internal import CellophaneBatch
internal import TestSupport

@Suite("How long lines take, in virtual time")
struct LineTimesTests {
  /// The timings as they are written.
  static func queue(_ result: BatchResult) throws -> Double? {
    try AnyJSON(result.jsonLine)["timings_ms"]?["queue"]?.number
  }

  @Test func `a line that waits for its host says so`() throws {
    let lines = ["http://h/slow/1/30", "http://h/slow/2/5", "http://other/slow/1"]
    let results = try BatchWorld().results(of: lines, jobs: 4, perHost: 1).sorted { $0.index < $1.index }
    #expect(results.map(\.duration) == [.seconds(30), .seconds(35), .seconds(1)])
    #expect(try results.map(Self.queue) == [0, 30_000, 0])
  }

  @Test func `pauses that its host asks for are of a line's time`() throws {
    let result = try #require(try BatchWorld().results(of: ["http://h/busy/60"]).first)
    #expect(result.outcome == .fetched && result.attempts == 2)
    #expect(result.duration == .seconds(60))
    #expect(try Self.queue(result) == 60_000)
  }

  @Test func `a line whose host asks for pauses until it is left counts all of them`() throws {
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
    // Three answers of a second, and two pauses.
    #expect(result.outcome == .failed && result.attempts == 3 && result.duration == .seconds(43))
    #expect(try Self.queue(result) == 40_000)
  }

  @Test func `what asks nobody has no time in a line`() throws {
    let world = BatchWorld()
    _ = try world.results(of: ["http://h/1"])
    let results = try world.results(of: ["http://h/1", "http://h/1", "no url"])
    #expect(try results.map(Self.queue) == [nil, nil, nil])
  }
}
