internal import Cellophane
internal import CellophaneTesting
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import CellophaneBatch

@Suite("A batch, in virtual time")
struct BatchRunTests {
  /// URLs with results of every kind in the world of `mixedWorld()`.
  static let mixed = [
    "http://h/1", "http://h/1#again", "http://h/2", "no url", "http://h/404", "http://i/503",
    "http://j/reset",
    "http://k/refused", "http://h/stale", "http://user:secret@h/", "",
  ]

  static func mixedWorld() -> BatchWorld {
    let world = BatchWorld()
    world.origin.script("http://h/404", .missing)
    world.origin.script("http://i/503", .refusal)
    world.origin.script("http://j/reset", .fresh.broken(after: 3))
    world.origin.script("http://k/refused", .failure(.connect))
    world.origin.script(
      "http://h/stale", .ok(nil, ["etag": "\"1\"", "cache-control": "no-cache"]).obeyingConditions())
    return world
  }

  @Test func `each record has one result with its outcome`() throws {
    let world = Self.mixedWorld()
    let delivered = try world.results(of: Self.mixed, jobs: 1)
    // The records with temporary failures return to their queues.
    #expect(delivered.map(\.index) == [1, 2, 3, 4, 5, 7, 9, 10, 11, 6, 8])
    let results = delivered.sorted { $0.index < $1.index }
    let texts = results.map {
      "\($0.outcome) \($0.attempts ?? 0) \($0.failure.map { "\($0.error.kind) \($0.stage)" } ?? "")"
    }
    #expect(
      texts == [
        "fetched 1 ", "duplicate 0 ", "fetched 1 ", "failed 0 invalid-request input", "failed 1 status http",
        "failed 3 status http", "failed 1 connection-lost http", "failed 3 connect connect", "fetched 1 ",
        "failed 0 invalid-request input", "failed 0 invalid-request input",
      ])
    #expect(
      results.map { $0.failure?.error.retryable } == [
        nil, nil, nil, false, false, true, true, true, nil, false, false,
      ])
    #expect(results[4].status == 404 && results[4].timings.fetch?.timings.tls == .milliseconds(3))
    #expect(!results.contains { $0.url.contains("secret") })
    var summary = BatchSummary()
    for result in results { summary.count(result) }
    #expect(summary.records == 11 && summary.fetched == 3 && summary.duplicate == 1 && summary.failed == 7)
    #expect(summary.failures == ["invalid-request": 3, "status": 2, "connection-lost": 1, "connect": 1])
    #expect(summary.failureStages == ["input": 3, "http": 3, "connect": 1] && summary.retryable == 3)
  }

  @Test(
    "the first of several records with one URL is loaded, and the others are duplicates",
    arguments: [false, true])
  func duplicates(isOrdered: Bool) throws {
    let world = BatchWorld()
    world.origin.script("http://a/slow", .fresh.after(.seconds(5)))
    let urls = [
      "http://a/slow", "http://a/x", "http://a:80/x", "HTTP://A/x#y", "http://a/slow", "http://b/1",
    ]
    let results = try world.results(of: urls, perHost: 1, isOrdered: isOrdered)
    let outcomes = results.sorted { $0.index < $1.index }.map(\.outcome)
    #expect(outcomes == [.fetched, .fetched, .duplicate, .duplicate, .duplicate, .fetched])
  }

  @Test func `a duplicate has the key of the first record with its URL`() throws {
    let urls = ["http://a/x", "http://a/x", "HTTP://A:80/x#y", "http://a/y", "no url"]
    let keys = try BatchWorld().results(of: urls, jobs: 1).map(\.cacheKey)
    #expect(
      keys[0] != nil && keys[1] == keys[0] && keys[2] == keys[0] && keys[3] != keys[0] && keys[4] == nil)
  }

  @Test func `records with a known result wait for no host, and delay no other record`() throws {
    let world = BatchWorld()
    let slow = "http://slow/1"
    world.origin.script(slow, .fresh.after(.seconds(60)))
    let urls = [slow] + [String](repeating: slow, count: 20_000) + ["no url", "http://fast/1"]
    let results = try world.results(of: urls, perHost: 1)
    // The results of the duplicates follow that of the slow record.
    #expect(results.map(\.index) == [20_002, 20_003, 1] + Array(2...20_001))
    #expect(results.count { $0.outcome == .duplicate } == 20_000)
  }

  @Test func `in a second run, records are fresh, revalidated, or fail again`() throws {
    let world = Self.mixedWorld()
    _ = try world.results(of: Self.mixed)
    let again = try world.results(of: Self.mixed, jobs: 1).sorted { $0.index < $1.index }
    #expect(
      again.map(\.outcome) == [
        .fresh, .duplicate, .fresh, .failed, .failed, .failed, .failed, .failed, .revalidated, .failed,
        .failed,
      ])
    let revalidated = again[8]
    #expect(revalidated.attempts == 1 && revalidated.timings.fetch?.timings.tls == .milliseconds(3))
    #expect(again[0].attempts == nil && again[0].timings.fetch == nil)
    let offline = try world.results(of: ["http://h/1", "http://h/new"], policy: .offline)
    #expect(offline.map { $0.failure?.stage } == [nil, .cache])
  }

  @Test func `equal bodies have one hash, and the key is the name of the cache file`() throws {
    let world = BatchWorld()
    let results = try world.results(of: ["http://h/1", "http://h/2"], jobs: 1)
    let again = try world.results(of: ["http://H:80/1"])
    #expect(results[0].contentHash == again[0].contentHash && results[0].cacheKey == again[0].cacheKey)
    #expect(results[0].contentHash != results[1].contentHash && results[0].cacheKey != results[1].cacheKey)
    // XXH3_128bits of libxxhash for the body, which is the URL; the high half first.
    #expect(results[0].contentHash == "xxh3-128:d92d3163dca84226687aff8d315f3425")
    let names = world.files.files.keys
    for result in results {
      #expect(names.contains { $0.contains("/" + (result.cacheKey ?? "none")) }, "\(names)")
    }
  }

  @Test func `the time in the queue of the loader is reported`() throws {
    let world = BatchWorld(jobs: 1)
    world.origin.script("http://h/1", .fresh.after(.seconds(2)))
    world.origin.script("http://h/2", .fresh.after(.seconds(3)))
    let results = try world.results(of: ["http://h/1", "http://h/2"], jobs: 2)
    #expect(results.map(\.index) == [1, 2])
    #expect(results.map { $0.timings.fetch?.queue } == [.zero, .seconds(2)])
    #expect(results.map(\.duration) == [.seconds(2), .seconds(5)])
  }

  @Test("a load that the transport cancels has a failed result", arguments: [false, true])
  func cancelledLoad(isOrdered: Bool) throws {
    let world = BatchWorld()
    world.origin.script("http://h/cancelled", .init(.failure(.cancelled)))
    let results = try world.results(
      of: ["http://h/cancelled", "http://h/1"], jobs: 1, isOrdered: isOrdered)
    #expect(results.map(\.outcome) == [.failed, .fetched])
    #expect(results[0].failure?.error.kind == "cancelled")
  }

  @Test("the jobs limit the concurrent transfers, and a slow record delays no other", arguments: [1, 2, 7])
  func jobs(count: Int) throws {
    let world = BatchWorld(jobs: count)
    world.origin.script("http://h/slow", .fresh.after(.seconds(60)))
    world.origin.script("http://h/1/*", .fresh.after(.seconds(1)))
    let urls = ["http://h/slow"] + (1...50).map { "http://h/\($0 % 2)/\($0 % 3)" }
    let results = try world.results(of: urls, jobs: count)
    #expect(Set(results.map(\.index)) == Set(1...51))
    #expect(world.origin.counters.mostAtOnce == count)
    if count > 1 { #expect(results.last?.index == 1) }
  }

  @Test("a run ends soon after the result handler returns false")
  func noReader() throws {
    let world = BatchWorld()
    world.origin.script("http://h/*", .fresh.after(.seconds(1)))
    let count = Mutex(0)
    let run = BatchRun(
      ListSource(urls: (1...100).map { "http://h/\($0)" }),
      BatchWork(BatchWork.Options(picture: nil), bytes: world.bytes, output: nil)
    ) { _ in
      count.withLock { count in
        count += 1
        return count < 5
      }
    }
    try #require(world.time.run { await run.run(jobs: 4) } != nil)
    #expect(count.withLock(\.self) < 12 && world.origin.counters.started < 16)
  }
}
