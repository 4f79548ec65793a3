internal import Cellophane
internal import CellophaneTesting
internal import Testing

@testable internal import CellophaneBatch

@Suite("Politeness to the targets of redirects, in virtual time")
struct RedirectPolitenessTests {
  @Test(arguments: ["http://h/redirect-once/200-then-404", "http://h/redirect-once/503-once/1"])
  func `a failure of the target that the load overcomes does not count for the redirecting host`(url: String)
    throws
  {
    let world = BatchWorld(jobs: 4)
    var attempts: [Int?] = []
    for _ in 0..<2 {
      var summary = BatchSummary()
      let results = try world.results(of: [url] + (0..<20).map { "http://h/slow/\($0)/1" }, jobs: 4)
      for result in results { summary.count(result) }
      #expect(summary.failed == 0)
      attempts.append(results.first { $0.url == url }?.attempts)
      let host = try #require(summary.hosts.busiest(1).first?.host)
      #expect(host.sums.backOffs == 0 && host.leastLimit == 4)
    }
    // The 404 occurs in the second run, in which the redirect is cached, and the 503 in the first.
    #expect(attempts == (url.hasSuffix("404") ? [1, 2] : [2, nil]))
  }

  @Test func `a pause of the target delays only the redirected records`() throws {
    let world = BatchWorld(jobs: 4)
    let redirected = (0..<3).map { "http://h/redirect-once/pause-until/\($0)/60" }
    var summary = BatchSummary()
    let results = try world.results(of: redirected + (0..<20).map { "http://h/slow/\($0)/1" }, jobs: 4)
    for result in results { summary.count(result) }
    #expect(summary.fetched == 23)
    // 20 records of one second each, four at once.
    let others = results.filter { !redirected.contains($0.url) }
    #expect(others.allSatisfy { $0.duration <= .seconds(7) })
    #expect(world.timeline.now >= .seconds(60) && world.timeline.now <= .seconds(62))
    let hosts = Dictionary(uniqueKeysWithValues: summary.hosts.busiest(10).map { ($0.name, $0.host) })
    let (own, other) = (try #require(hosts["h"]), try #require(hosts["other"]))
    #expect(own.sums.records == 23 && own.sums.backOffs == 0 && own.sums.pauses == 0)
    #expect(other.sums.records == 0 && other.sums.pauses == 1)
    #expect(other.sums.backOffs >= 1 && other.leastLimit <= 2)
  }

  @Test(arguments: [4, 8], [false, true])
  func `records that find the circuit open wait behind the refused ones`(jobs: Int, isRedirected: Bool)
    throws
  {
    let world = BatchWorld(jobs: jobs)
    let urls = (0..<40).map {
      isRedirected ? "http://h/redirect/pause-once/\($0)" : "http://other/pause-once/\($0)"
    }
    let results = try world.results(of: urls, jobs: jobs)
    #expect(results.count == 40 && results.allSatisfy { $0.outcome == .fetched })
    // Each record is refused once. A redirected record that finds the circuit open has requested its own host.
    #expect(world.transport.counters.started <= (isRedirected ? 240 : 80))
  }

  @Test func `a host that refuses and then redirects to a refusing host gets a lower limit, too`()
    throws
  {
    let world = BatchWorld(jobs: 4)
    var summary = BatchSummary()
    let results = try world.results(
      of: ["http://h/503-then-redirect/pause-until/1/15"] + (0..<20).map { "http://h/slow/\($0)/1" }, jobs: 4)
    for result in results { summary.count(result) }
    #expect(summary.fetched == 21)
    let hosts = Dictionary(uniqueKeysWithValues: summary.hosts.busiest(10).map { ($0.name, $0.host) })
    let (own, other) = (try #require(hosts["h"]), try #require(hosts["other"]))
    #expect(own.sums.backOffs == 1 && own.leastLimit == 2 && own.sums.pauses == 0)
    #expect(other.sums.backOffs >= 1 && other.sums.pauses == 1)
  }

  @Test func `a failure of the target that fails the load does not count for the redirecting host`() throws {
    let world = BatchWorld(jobs: 4)
    var summary = BatchSummary()
    let results = try world.results(
      of: ["http://h/redirect-once/503/1"] + (0..<20).map { "http://h/slow/\($0)/1" }, jobs: 4)
    for result in results { summary.count(result) }
    #expect(summary.failed == 1 && summary.fetched == 20)
    let host = try #require(summary.hosts.busiest(1).first?.host)
    #expect(host.sums.records == 21 && host.sums.backOffs == 0 && host.leastLimit == 4)
  }

  @Test(
    "refusals count for their host, for every end of the load",
    arguments: ["200-then-503", "503-then-redirect/fresh", "503-then-redirect/503-then-404"])
  func ends(of name: String) throws {
    let world = BatchWorld(jobs: 4)
    // Requests these URLs before, so that responses are stored or change.
    _ = try world.results(
      of: ["http://h/200-then-503", "http://other/fresh", "http://other/503-then-404"], jobs: 4)
    var summary = BatchSummary()
    let url = "http://h/" + name
    let results = try world.results(of: [url] + (0..<20).map { "http://h/slow/\($0)/1" }, jobs: 4)
    for result in results { summary.count(result) }
    let result = try #require(results.first { $0.url == url })
    let outcomes: [String: BatchResult.Outcome] = [
      "200-then-503": .fresh, "503-then-redirect/fresh": .revalidated,
      "503-then-redirect/503-then-404": .failed,
    ]
    #expect(result.outcome == outcomes[name] && result.isStale == (name == "200-then-503"))
    let host = try #require(summary.hosts.busiest(1).first?.host)
    #expect(host.sums.backOffs >= 1 && host.leastLimit == 2)
  }
}
