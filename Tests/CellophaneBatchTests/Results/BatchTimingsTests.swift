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
    let world = BatchWorld()
    world.origin.script("http://h/1", .fresh.after(.seconds(30)))
    world.origin.script("http://h/2", .fresh.after(.seconds(5)))
    world.origin.script("http://other/1", .fresh.after(.seconds(1)))
    let urls = ["http://h/1", "http://h/2", "http://other/1"]
    let results = try world.results(of: urls, jobs: 4, perHost: 1).sorted { $0.index < $1.index }
    #expect(results.map(\.duration) == [.seconds(30), .seconds(35), .seconds(1)])
    #expect(try results.map(Self.queue) == [0, 30_000, 0])
  }

  @Test func `the pauses of a host count as time in its queue`() throws {
    let world = BatchWorld()
    world.script("http://h/", pausingUntil: .seconds(60))
    let result = try #require(try world.results(of: ["http://h/1"]).first)
    #expect(result.outcome == .fetched && result.attempts == 2)
    #expect(result.duration == .seconds(60))
    #expect(try Self.queue(result) == 60_000)
  }

  @Test func `a record that fails after several pauses counts all of them`() throws {
    let world = BatchWorld(LoaderWorld(cacheLimit: nil))
    world.origin.script("http://h/1", .status(429, ["retry-after": "20"]).after(.seconds(1)))
    let result = try #require(try world.results(of: ["http://h/1"], jobs: 1).first)
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
