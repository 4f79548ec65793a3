internal import Cellophane
internal import CellophaneTesting
internal import Synchronization
internal import Testing

@testable internal import CellophaneBatch

/// Texts that were there before.
private final class Seen: Sendable {
  private let texts = Mutex<Set<String>>([])

  /// False when it was there.
  func add(_ text: String) -> Bool { texts.withLock { $0.insert(text).inserted } }
}

/// A batch over a scripted origin, in virtual time.
struct BatchWorld: Sendable {
  let time = VirtualTime()
  let timeline: Timeline
  let transport: ScriptedTransport
  let files = MemoryFileSystem()
  let bytes: ByteLoader

  /// Answers by the path: `/once` and `/gone` with a 503 the first time, then with 200 and 404; `/moved/X` with a redirect
  /// to `http://other/X` the first time; `/moves/X` with a 503 the first time, then with such a redirect; `/leads/X`
  /// with one each time; `/shy` with a 503 the first time that asks to come back in 11 seconds; `/brief` with a
  /// 404 from the second time on; `/aged` with a 503 from then on, in whose place what was there before may be used;
  /// `/late` with a 503 that asks to come back in two hours, `/busy/N` with one N seconds after the start; `/slow/N` after
  /// N seconds; `/outage/X` after a tenth of one, but as `/X` for half a minute from the fifth second on; `/404`, `/503`,
  /// `/reset` within the body, `/dropped` before the head, `/refused`, `/stale`; all else at once, with bytes that are fresh
  /// for an hour.
  init(jobs: Int = 4, cacheLimit: Int = 1 << 30) {
    timeline = time.timeline()
    let asked = Seen()
    transport = ScriptedTransport(timeline: timeline) { [timeline] request in
      func answer(_ status: Int, _ headers: HeaderFields = ["cache-control": "max-age=3600"])
        -> TransportResponse
      {
        var answer = TransportResponse(
          status: status, headers: headers, body: status == 304 ? [] : Array(request.url.utf8),
          url: request.url)
        answer.timings.dns = .milliseconds(1)
        answer.timings.connect = .milliseconds(2)
        answer.timings.tls = .milliseconds(3)
        answer.timings.firstByte = .milliseconds(4)
        answer.timings.transfer = .milliseconds(5)
        return answer
      }
      var path = request.url.split(separator: "/").dropFirst(2)
      func redirect(_ status: Int, _ headers: HeaderFields = ["cache-control": "max-age=3600"])
        -> TransportResponse
      {
        var redirect = answer(status, headers)
        redirect.target = "http://other/" + path.dropFirst().joined(separator: "/")
        return redirect
      }
      if path.first == "outage" {
        guard timeline.now > .seconds(5), timeline.now < .seconds(35) else {
          return .init(after: .milliseconds(100), .success(answer(200)))
        }
        path = path.dropFirst()
      }
      switch path.first {
      case "404": return .init(.success(answer(404)))
      case "503": return .init(.success(answer(503, [:])))
      case "once": return .init(.success(asked.add(request.url) ? answer(503, [:]) : answer(200)))
      case "gone": return .init(.success(asked.add(request.url) ? answer(503, [:]) : answer(404)))
      case "reset":
        return .init(
          pieces: [.init(3, pause: .zero)], .success(answer(200)),
          breaking: LoadError(.connectionLost, "h ended its answer", isRetryable: true))
      case "dropped":
        return .init(.failure(LoadError(.connectionLost, "h gives no answer", isRetryable: true)))
      case "refused": return .init(.failure(LoadError(.connect, "h refuses", isRetryable: true)))
      case "stale":
        let asked = request.headers["if-none-match"] != nil
        return .init(.success(answer(asked ? 304 : 200, ["etag": "\"1\"", "cache-control": "no-cache"])))
      case "moved" where asked.add(request.url): return .init(.success(redirect(301)))
      case "moves": return .init(.success(asked.add(request.url) ? answer(503, [:]) : redirect(301)))
      case "leads": return .init(.success(redirect(302, ["cache-control": "no-store"])))
      case "shy":
        return .init(.success(asked.add(request.url) ? answer(503, ["retry-after": "11"]) : answer(200)))
      case "late":
        return .init(after: .milliseconds(100), .success(answer(503, ["retry-after": "7200"])))
      case "aged":
        let first = asked.add(request.url)
        return .init(
          .success(answer(first ? 200 : 503, ["cache-control": "max-age=0, stale-if-error=86400"])))
      case "brief":
        return .init(.success(answer(asked.add(request.url) ? 200 : 404, ["cache-control": "no-store"])))
      case "busy":
        let left = (path.last.flatMap { Int($0) } ?? 0) - Int(timeline.now / .seconds(1))
        return .init(.success(left > 0 ? answer(503, ["retry-after": "\(left)"]) : answer(200)))
      case "given-up": return .init(.failure(.cancelled))
      case "slow":
        return .init(after: .seconds(path.last.flatMap { Int($0) } ?? 0), .success(answer(200)))
      default: return .init(.success(answer(200)))
      }
    }
    var configuration = ByteLoader.Configuration()
    (configuration.transfers, configuration.transfersPerOrigin, configuration.reservedForVisible) = (
      jobs, jobs, 0
    )
    configuration.refreshesInBackground = false
    (configuration.retry.retries, configuration.retry.waitsForOrigins) = (1, false)
    configuration.retry.seed = 1
    bytes = ByteLoader(
      transport: transport,
      disk: DiskCache(
        directory: "/cache", limit: cacheLimit, fileSystem: files, executor: time.lane(), timeline: timeline),
      configuration: configuration, timeline: timeline)
  }

  /// The results of `lines`, in the order in which they were told, and how many lines are of other shards.
  func run(
    of lines: [String], jobs: Int = 4, perHost: Int? = nil, shard: Shard? = nil, isOrdered: Bool = false,
    output: (any BatchOutput)? = nil, policy: CachePolicy = .standard
  ) throws -> (results: [BatchResult], elsewhere: Int) {
    let found = Mutex<[BatchResult]>([])
    let order = BatchWork.Options(picture: nil, cachePolicy: policy, shard: shard)
    let run = BatchRun(
      ListSource(urls: lines), BatchWork(order, bytes: bytes, output: output, seed: 1), perHost: perHost,
      isOrdered: isOrdered
    ) { result in
      found.withLock { $0.append(result) }
      return true
    }
    let elsewhere = try #require(time.run { await run.run(jobs: jobs) }, "it waits for what never happens")
    return (found.withLock(\.self), elsewhere)
  }

  func results(
    of lines: [String], jobs: Int = 4, perHost: Int? = nil, isOrdered: Bool = false,
    output: (any BatchOutput)? = nil, policy: CachePolicy = .standard
  ) throws -> [BatchResult] {
    try run(of: lines, jobs: jobs, perHost: perHost, isOrdered: isOrdered, output: output, policy: policy)
      .results
  }
}

@Suite("A batch, in virtual time")
struct BatchRunTests {
  static let mixed = [
    "http://h/1", "http://h/1#again", "http://h/2", "no url", "http://h/404", "http://i/503",
    "http://j/reset",
    "http://k/refused", "http://h/stale", "http://user:secret@h/", "",
  ]

  @Test func `every line has one result that says what became of it`() throws {
    let world = BatchWorld()
    let ended = try world.results(of: Self.mixed, jobs: 1)
    // The one that nobody reaches comes again.
    #expect(ended.map(\.index) == [1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 8])
    let results = ended.sorted { $0.index < $1.index }
    let told = results.map {
      "\($0.outcome) \($0.attempts ?? 0) \($0.failure.map { "\($0.error.kind) \($0.stage)" } ?? "")"
    }
    #expect(
      told == [
        "fetched 1 ", "duplicate 0 ", "fetched 1 ", "failed 0 invalid-request input", "failed 1 status http",
        "failed 2 status http", "failed 1 connection-lost http", "failed 3 connect connect", "fetched 1 ",
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
    "Of lines that ask for the same the first gets it, whichever host has room first",
    arguments: [false, true])
  func firstOfTheSame(isOrdered: Bool) throws {
    let lines = [
      "http://a/slow/1/5", "http://a/x", "http://a:80/x", "HTTP://A/x#y", "http://a/slow/1/5", "http://b/1",
    ]
    let results = try BatchWorld().results(of: lines, perHost: 1, isOrdered: isOrdered)
    let told = results.sorted { $0.index < $1.index }.map(\.outcome)
    #expect(told == [.fetched, .fetched, .duplicate, .duplicate, .duplicate, .fetched])
  }

  @Test func `a duplicate has the key of the line that it is one of`() throws {
    let lines = ["http://a/x", "http://a/x", "HTTP://A:80/x#y", "http://a/y", "no url"]
    let keys = try BatchWorld().results(of: lines, jobs: 1).map(\.cacheKey)
    #expect(
      keys[0] != nil && keys[1] == keys[0] && keys[2] == keys[0] && keys[3] != keys[0] && keys[4] == nil)
  }

  @Test func `lines that are over as they are read wait for no host, and keep no other waiting`() throws {
    let slow = "http://slow/slow/1/60"
    let lines = [slow] + [String](repeating: slow, count: 20_000) + ["no url", "http://fast/1"]
    let results = try BatchWorld().results(of: lines, perHost: 1)
    #expect(results.count == lines.count && results.last?.index == 1)
    #expect(results.count { $0.outcome == .duplicate } == 20_000)
  }

  @Test func `the second time all is fresh, revalidated, or fails again`() throws {
    let world = BatchWorld()
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

  @Test func `the same bytes have one hash, and the cache's file bears the key`() throws {
    let world = BatchWorld()
    let results = try world.results(of: ["http://h/1", "http://h/2"], jobs: 1)
    let again = try world.results(of: ["http://H:80/1"])
    #expect(results[0].contentHash == again[0].contentHash && results[0].cacheKey == again[0].cacheKey)
    #expect(results[0].contentHash != results[1].contentHash && results[0].cacheKey != results[1].cacheKey)
    // Of the body, which is the URL, as libxxhash's XXH3_128bits has it, the high half first.
    #expect(results[0].contentHash == "xxh3-128:d92d3163dca84226687aff8d315f3425")
    let names = world.files.files.keys
    for result in results {
      #expect(names.contains { $0.contains("/" + (result.cacheKey ?? "none")) }, "\(names)")
    }
  }

  @Test func `what waits for its turn says how long`() throws {
    let results = try BatchWorld(jobs: 1).results(of: ["http://h/slow/1/2", "http://h/slow/2/3"], jobs: 2)
    #expect(results.map(\.index) == [1, 2])
    #expect(results.map { $0.timings.fetch?.queue } == [.zero, .seconds(2)])
    #expect(results.map(\.duration) == [.seconds(2), .seconds(5)])
  }

  @Test("Whoever gives a load up, its line has a result", arguments: [false, true])
  func givenUp(isOrdered: Bool) throws {
    let results = try BatchWorld().results(
      of: ["http://h/given-up", "http://h/1"], jobs: 1, isOrdered: isOrdered)
    #expect(results.map(\.outcome) == [.failed, .fetched])
    #expect(results[0].failure?.error.kind == "cancelled")
  }

  @Test("As many as jobs at once, and no line waits for a slow one", arguments: [1, 2, 7])
  func jobs(count: Int) throws {
    let world = BatchWorld(jobs: count)
    let lines = ["http://h/slow/60"] + (1...50).map { "http://h/slow/\($0 % 3)/\($0 % 2)" }
    let results = try world.results(of: lines, jobs: count)
    #expect(Set(results.map(\.index)) == Set(1...51))
    #expect(world.transport.counters.mostAtOnce == count)
    if count > 1 { #expect(results.last?.index == 1) }
  }

  @Test("Nobody who has gone gets more results, and nothing more is begun")
  func noReader() throws {
    let world = BatchWorld()
    let count = Mutex(0)
    let run = BatchRun(
      ListSource(urls: (1...100).map { "http://h/slow/1/\($0)/1" }),
      BatchWork(BatchWork.Options(picture: nil), bytes: world.bytes, output: nil)
    ) { _ in
      count.withLock { count in
        count += 1
        return count < 5
      }
    }
    try #require(world.time.run { await run.run(jobs: 4) } != nil)
    #expect(count.withLock(\.self) < 12 && world.transport.counters.started < 16)
  }
}
