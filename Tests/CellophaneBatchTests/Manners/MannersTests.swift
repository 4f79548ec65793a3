internal import Cellophane
internal import CellophaneTesting
internal import Synchronization
internal import Testing

@testable internal import CellophaneBatch

@Suite("Manners of a batch, in virtual time")
struct MannersTests {
  @Test(arguments: [1, 4], [false, true])
  func `a host that asks for a pause gets it, and nobody else waits`(jobs: Int, isOrdered: Bool) throws {
    let busy = (0..<20).map { "http://busy/busy/\($0)/60" }
    let other = (0..<200).map { "http://other/slow/\($0)/1" }
    let world = BatchWorld(jobs: jobs)
    let results = try world.results(of: busy + other, jobs: jobs, isOrdered: isOrdered)
    #expect(results.count == 220)
    #expect(results.allSatisfy { $0.outcome == .fetched })
    // The first who ask are told; while they wait, nobody asks.
    let asked = results.filter { $0.politenessReport?.host == "busy" }.reduce(0) { $0 + ($1.attempts ?? 0) }
    #expect((21...20 + jobs).contains(asked), "\(asked)")
    // 200 of a second each; the pause passes meanwhile.
    let whole = Duration.seconds(max(60, 200 / jobs))
    #expect(world.timeline.now >= whole && world.timeline.now <= whole + .seconds(2))
  }

  @Test(arguments: [("http://h/once/1", 21), ("http://h/gone/1", 20)])
  func `a refusal that a load mends by itself counts for its host, whatever the answer is then`(
    url: String, fetched: Int
  ) throws {
    let world = BatchWorld(jobs: 4)
    var summary = BatchSummary()
    let results = try world.results(of: [url] + (0..<20).map { "http://h/slow/\($0)/1" }, jobs: 4)
    for result in results { summary.count(result) }
    #expect(summary.fetched == fetched)
    #expect(results.first { $0.url == url }?.attempts == 2)
    let host = try #require(summary.hosts.busiest(1).first?.host)
    #expect(host.sums.backOffs >= 1 && host.leastLimit == 2)
  }

  @Test func `what a host said to others is no answer to a line for which nobody asked it`() throws {
    let world = BatchWorld(jobs: 4)
    let results = try world.results(of: (0..<40).map { "http://down/503/\($0)" }, jobs: 4)
    let (asked, unasked) = (results.filter { $0.attempts != nil }, results.filter { $0.attempts == nil })
    #expect(results.count == 40 && results.allSatisfy { $0.outcome == .failed })
    #expect(asked.contains { $0.status == 503 })
    #expect(
      !unasked.isEmpty && unasked.allSatisfy { $0.status == nil && $0.failure?.error.retryable == true })
  }

  @Test func `a line that was asked for, then left for what its host told another, has no status`() throws {
    let world = BatchWorld(jobs: 4)
    let results = try world.results(of: ["http://h/once/1", "http://h/late"], jobs: 4)
    let left = try #require(results.first { $0.url == "http://h/once/1" })
    #expect(left.outcome == .failed && left.attempts == 1 && left.status == nil)
    #expect(results.contains { $0.url == "http://h/late" && $0.status == 503 })
  }

  @Test func `what was asked of each host, and how it was treated, is told`() throws {
    let good = (0..<20).map { "http://good/slow/\($0)/2" }
    let busy = (0..<4).map { "http://busy/busy/\($0)/60" }
    let world = BatchWorld(jobs: 8)
    var summary = BatchSummary()
    let lines = good + busy + [good[0], "no url", "http://good:80/404", "https://good/1"]
    let results = try world.results(of: lines, jobs: 8, perHost: 4)
    for result in results { summary.count(result) }
    let hosts = Dictionary(uniqueKeysWithValues: summary.hosts.busiest(10).map { ($0.name, $0.host) })
    #expect(summary.hosts.count == 2)
    let ours = try #require(hosts["good"])
    // Those two answer at once.
    #expect(
      ours.sums.records == 22 && ours.sums.requests == 22 && ours.sums.fetched == 21 && ours.sums.failed == 1)
    let bytes = results.filter { $0.politenessReport?.host == "good" && $0.outcome == .fetched }
      .reduce(0) { $0 + ($1.bytes ?? 0) }
    #expect(ours.sums.bytes == bytes && ours.mostAtOnce == 4 && ours.sums.pauses == 0)
    #expect(ours.busy >= .seconds(10) && ours.busy <= .seconds(12))
    #expect(ours.bytesPerSecond == Double(bytes) / (ours.busy / .seconds(1)))
    #expect(ours.firstByte == .milliseconds(4) && ours.limit == 4)
    let theirs = try #require(hosts["busy"])
    #expect(theirs.sums.records == 4 && theirs.sums.fetched == 4 && theirs.sums.failed == 0)
    #expect(theirs.sums.requests == world.transport.counters.started - 22)
    #expect(theirs.sums.pauses == 1 && theirs.sums.backOffs >= 1 && theirs.leastLimit < 4)
    #expect(summary.hosts.slowest(10).map(\.name) == ["busy"])
  }

  @Test func `what is known to fail for long is told with its status, and without tries`() throws {
    let world = BatchWorld(jobs: 1)
    let results = try world.results(of: ["a", "b"].map { "http://\($0)/leads/404/1" }, jobs: 1)
    #expect(results.map(\.status) == [404, 404])
    #expect(results.map(\.attempts) == [1, nil])
  }

  @Test func `a pause of hours is not waited for`() throws {
    let world = BatchWorld()
    let results = try world.results(of: (0..<50).map { "http://h/busy/\($0)/7200" })
    #expect(results.allSatisfy { $0.outcome == .failed && $0.failure?.error.retryable == true })
    // Those that were not asked for are told the same.
    #expect(results.allSatisfy { $0.failure?.error.retryAfter_s == 7_200 })
    #expect(world.timeline.now < .seconds(1))
    // Nor is it asked fifty times.
    #expect(world.transport.counters.started <= 4)
  }

  @Test func `a host that nobody reaches is waited for as long as a load would wait`() throws {
    let world = BatchWorld()
    let results = try world.results(of: (0..<50).map { "http://h/refused/\($0)" })
    #expect(results.allSatisfy { $0.failure?.error.kind == "connect" })
    // And for the end of the pause that began before.
    #expect(world.timeline.now > .seconds(5) && world.timeline.now < .seconds(10 + 16))
  }

  @Test func `what is not asked for, because its host is to be left alone, has no tries`() throws {
    let world = BatchWorld()
    let results = try world.results(of: (0..<50).map { "http://h/busy/\($0)/7200" })
    let tries = results.reduce(0) { $0 + ($1.attempts ?? 0) }
    #expect(tries == world.transport.counters.started && tries <= 4)
    #expect(results.allSatisfy { $0.attempts != 0 })
  }

  @Test func `who asks for pauses again and again is left in the end`() throws {
    // Always 60 s from now.
    let time = VirtualTime()
    let timeline = time.timeline()
    let transport = ScriptedTransport(timeline: timeline) { request in
      .init(
        .success(
          TransportResponse(status: 429, headers: ["retry-after": "60"], body: [], url: request.url)))
    }
    let bytes = ByteLoader(transport: transport, disk: nil, timeline: timeline)
    let told = Mutex(0)
    let run = BatchRun(
      ListSource(urls: (0..<1_000).map { "http://h/\($0)" }),
      BatchWork(BatchWork.Options(picture: nil), bytes: bytes, output: nil)
    ) { result in
      #expect(result.failure?.error.kind == "status")
      told.withLock { $0 += 1 }
      return true
    }
    #expect(time.run { await run.run(jobs: 2) } == 0)
    #expect(told.withLock(\.self) == 1_000)
    // Two pauses for the host, not for each line.
    #expect(timeline.now == .seconds(120))
    #expect(transport.counters.started <= 2 + 1 + 1)
  }

  @Test("One that never answers holds up nobody, wherever its lines stand", arguments: [false, true])
  func stalledHost(isMixed: Bool) throws {
    let stalled = (0..<100).map { "http://stalled/slow/\($0)/60" }
    let other = (0..<2_000).map { "http://other/\($0)" }
    let lines = isMixed ? zip(stalled, other).flatMap { [$0, $1] } + other.dropFirst(100) : stalled + other
    let world = BatchWorld(jobs: 16)
    let results = try world.results(of: lines, jobs: 16)
    #expect(results.count == 2_100)
    #expect(results.prefix(2_000).allSatisfy { $0.politenessReport?.host == "other" })
    // Alone it gets all there is, after the first answers.
    #expect(world.transport.counters.mostAtOnce == 16)
  }

  @Test func `a slow host gets no more than its share of the jobs`() throws {
    let slow = (0..<40).map { "http://slow/slow/\($0)/10" }
    let fast = (0..<40).map { "http://fast/slow/\($0)/1" }
    let world = BatchWorld(jobs: 4)
    let results = try world.results(of: slow + fast, jobs: 4, perHost: 2)
    let lastFast = results.lastIndex { $0.politenessReport?.host == "fast" } ?? 0
    // 20 s of the fast one, two of the slow one's at once.
    #expect(lastFast < 40 + 6)
  }
}
