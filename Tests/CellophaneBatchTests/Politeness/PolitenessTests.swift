internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@testable internal import CellophaneBatch

@Suite("Politeness of a batch, in virtual time")
struct PolitenessTests {
  @Test(arguments: [1, 4], [false, true])
  func `a requested pause delays only the records of its host`(jobs: Int, isOrdered: Bool) throws {
    let world = BatchWorld(jobs: jobs)
    world.script("http://busy/", pausingUntil: .seconds(60))
    world.origin.script("http://other/*", .fresh.after(.seconds(1)))
    let busy = (0..<20).map { "http://busy/\($0)" }
    let other = (0..<200).map { "http://other/\($0)" }
    let results = try world.results(of: busy + other, jobs: jobs, isOrdered: isOrdered)
    #expect(results.count == 220)
    #expect(results.allSatisfy { $0.outcome == .fetched })
    // The first requests are refused, and none is sent during the pause.
    let requests = results.filter { $0.politenessReport?.host == "busy" }.reduce(0) {
      $0 + ($1.attempts ?? 0)
    }
    #expect((21...20 + jobs).contains(requests), "\(requests)")
    // 200 records of one second each. The pause passes at the same time.
    let expected = Duration.seconds(max(60, 200 / jobs))
    #expect(world.timeline.now >= expected && world.timeline.now <= expected + .seconds(2))
  }

  @Test(arguments: [(then: ScriptedTransport.Answer.fresh, fetched: 21), (then: .missing, fetched: 20)])
  func `a refusal counts for its host, even if the load retries and gets another response`(
    then: ScriptedTransport.Answer, fetched: Int
  ) throws {
    let world = BatchWorld(jobs: 4)
    world.origin.script("http://h/*", .fresh.after(.seconds(1)))
    let url = "http://h/refused"
    world.origin.script(url, .refusal, then)
    var summary = BatchSummary()
    let results = try world.results(of: [url] + (0..<20).map { "http://h/\($0)" }, jobs: 4)
    for result in results { summary.count(result) }
    #expect(summary.fetched == fetched)
    #expect(results.first { $0.url == url }?.attempts == 2)
    let host = try #require(summary.hosts.busiest(1).first?.host)
    #expect(host.sums.backOffs >= 1 && host.leastLimit == 2)
  }

  @Test func `a record without a request has no status of a response to another record`() throws {
    let world = BatchWorld(jobs: 4)
    world.origin.script("http://down/*", .refusal)
    let results = try world.results(of: (0..<40).map { "http://down/\($0)" }, jobs: 4)
    let (requested, unrequested) = (
      results.filter { $0.attempts != nil }, results.filter { $0.attempts == nil }
    )
    #expect(results.count == 40 && results.allSatisfy { $0.outcome == .failed })
    #expect(requested.contains { $0.status == 503 })
    #expect(
      !unrequested.isEmpty
        && unrequested.allSatisfy { $0.status == nil && $0.failure?.error.retryable == true })
  }

  @Test func `a requested record that fails because of another record's pause has no status`() throws {
    let world = BatchWorld(jobs: 4)
    world.origin.script("http://h/refused", .refusal, .fresh)
    world.origin.script("http://h/pausing", .pause(7_200).after(.milliseconds(100)))
    let results = try world.results(of: ["http://h/refused", "http://h/pausing"], jobs: 4)
    let failed = try #require(results.first { $0.url == "http://h/refused" })
    #expect(failed.outcome == .failed && failed.attempts == 1 && failed.status == nil)
    #expect(results.contains { $0.url == "http://h/pausing" && $0.status == 503 })
  }

  @Test func `the summary reports the requests, results, limits and pauses of each host`() throws {
    let world = BatchWorld(jobs: 8)
    world.origin.script("http://good/*", .fresh.after(.seconds(2)))
    world.origin.script("http://good/404", .missing)
    world.script("http://busy/", pausingUntil: .seconds(60))
    let goodURLs = (0..<20).map { "http://good/\($0)" }
    let busyURLs = (0..<4).map { "http://busy/\($0)" }
    var summary = BatchSummary()
    let urls = goodURLs + busyURLs + [goodURLs[0], "no url", "http://good:80/404", "https://good/1"]
    let results = try world.results(of: urls, jobs: 8, perHost: 4)
    for result in results { summary.count(result) }
    let hosts = Dictionary(uniqueKeysWithValues: summary.hosts.busiest(10).map { ($0.name, $0.host) })
    #expect(summary.hosts.count == 2)
    let good = try #require(hosts["good"])
    // Including the 404 and the https URL, which get their responses at once.
    #expect(
      good.sums.records == 22 && good.sums.requests == 22 && good.sums.fetched == 21 && good.sums.failed == 1)
    let bytes = results.filter { $0.politenessReport?.host == "good" && $0.outcome == .fetched }
      .reduce(0) { $0 + ($1.bytes ?? 0) }
    #expect(good.sums.bytes == bytes && good.mostAtOnce == 4 && good.sums.pauses == 0)
    #expect(good.busy >= .seconds(10) && good.busy <= .seconds(12))
    #expect(good.bytesPerSecond == Double(bytes) / (good.busy / .seconds(1)))
    #expect(good.firstByte == .milliseconds(4) && good.limit == 4)
    let busy = try #require(hosts["busy"])
    #expect(busy.sums.records == 4 && busy.sums.fetched == 4 && busy.sums.failed == 0)
    #expect(busy.sums.requests == world.origin.counters.started - 22)
    #expect(busy.sums.pauses == 1 && busy.sums.backOffs >= 1 && busy.leastLimit < 4)
    #expect(summary.hosts.slowest(10).map(\.name) == ["busy"])
  }

  @Test func `a known failure is reported with its status and without attempts`() throws {
    let world = BatchWorld(jobs: 1)
    for host in ["a", "b"] {
      world.origin.script("http://\(host)/1", .redirect(to: "http://other/1", ["cache-control": "no-store"]))
    }
    world.origin.script("http://other/1", .missing)
    let results = try world.results(of: ["http://a/1", "http://b/1"], jobs: 1)
    #expect(results.map(\.status) == [404, 404])
    #expect(results.map(\.attempts) == [1, nil])
  }

  @Test func `records do not wait for a pause of hours`() throws {
    let world = BatchWorld()
    world.script("http://h/", pausingUntil: .seconds(7_200))
    let results = try world.results(of: (0..<50).map { "http://h/\($0)" })
    #expect(results.allSatisfy { $0.outcome == .failed && $0.failure?.error.retryable == true })
    // Records without a request report the same time.
    #expect(results.allSatisfy { $0.failure?.error.retryAfter_s == 7_200 })
    #expect(world.timeline.now < .seconds(1))
    // The host does not get fifty requests.
    #expect(world.origin.counters.started <= 4)
  }

  @Test func `records wait for an unreachable host as long as a load does`() throws {
    let world = BatchWorld()
    world.origin.script("http://h/*", .failure(.connect))
    let results = try world.results(of: (0..<50).map { "http://h/\($0)" })
    #expect(results.allSatisfy { $0.failure?.error.kind == "connect" })
    // The last pause began before the end of that time.
    #expect(world.timeline.now > .seconds(5) && world.timeline.now < .seconds(10 + 16))
  }

  @Test func `a record that is not requested because of a pause has no attempts`() throws {
    let world = BatchWorld()
    world.script("http://h/", pausingUntil: .seconds(7_200))
    let results = try world.results(of: (0..<50).map { "http://h/\($0)" })
    let attempts = results.reduce(0) { $0 + ($1.attempts ?? 0) }
    #expect(attempts == world.origin.counters.started && attempts <= 4)
    #expect(results.allSatisfy { $0.attempts != 0 })
  }

  @Test func `records fail if their host requests pause after pause`() throws {
    let world = BatchWorld(LoaderWorld(cacheLimit: nil))
    world.origin.script("*", .status(429, ["retry-after": "60"]))
    let results = try world.results(of: (0..<1_000).map { "http://h/\($0)" }, jobs: 2)
    #expect(results.count == 1_000 && results.allSatisfy { $0.failure?.error.kind == "status" })
    // Two pauses for the host, not for each record.
    #expect(world.timeline.now == .seconds(120))
    #expect(world.origin.counters.started <= 2 + 1 + 1)
  }

  @Test("a stalled host delays no other, for any order of the records", arguments: [false, true])
  func stalledHost(isMixed: Bool) throws {
    let world = BatchWorld(jobs: 16)
    world.origin.script("http://stalled/*", .fresh.after(.seconds(60)))
    let stalled = (0..<100).map { "http://stalled/\($0)" }
    let other = (0..<2_000).map { "http://other/\($0)" }
    let urls = isMixed ? zip(stalled, other).flatMap { [$0, $1] } + other.dropFirst(100) : stalled + other
    let results = try world.results(of: urls, jobs: 16)
    #expect(results.count == 2_100)
    #expect(results.prefix(2_000).allSatisfy { $0.politenessReport?.host == "other" })
    // Once it is alone, the stalled host gets all slots after its first responses.
    #expect(world.origin.counters.mostAtOnce == 16)
  }

  @Test func `a slow host uses no more than its share of the jobs`() throws {
    let world = BatchWorld(jobs: 4)
    world.origin.script("http://slow/*", .fresh.after(.seconds(10)))
    world.origin.script("http://fast/*", .fresh.after(.seconds(1)))
    let slow = (0..<40).map { "http://slow/\($0)" }
    let fast = (0..<40).map { "http://fast/\($0)" }
    let results = try world.results(of: slow + fast, jobs: 4, perHost: 2)
    let lastFast = results.lastIndex { $0.politenessReport?.host == "fast" } ?? 0
    // The fast host takes 20 s. The slow one ends two records every 10 s.
    #expect(lastFast < 40 + 6)
  }
}
