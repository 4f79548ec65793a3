internal import Cellophane
internal import CellophaneTesting
internal import Testing

@testable internal import CellophaneBatch

@Suite("Manners towards hosts to which others redirect, in virtual time")
struct RedirectMannersTests {
  @Test(arguments: ["http://h/moved/brief", "http://h/moved/once/1"])
  func `what another host said, to which it redirects, does not count for it`(url: String) throws {
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
    // One of the two failed elsewhere: in the second run, to which the redirect was known, and in the first.
    #expect(attempts == (url.hasSuffix("brief") ? [1, 2] : [2, nil]))
  }

  @Test func `a host to which another redirects has its pause, and holds up nobody else`() throws {
    let world = BatchWorld(jobs: 4)
    let led = (0..<3).map { "http://h/moved/busy/\($0)/60" }
    var summary = BatchSummary()
    let results = try world.results(of: led + (0..<20).map { "http://h/slow/\($0)/1" }, jobs: 4)
    for result in results { summary.count(result) }
    #expect(summary.fetched == 23)
    // 20 of a second each, four at once.
    let others = results.filter { !led.contains($0.url) }
    #expect(others.allSatisfy { $0.duration <= .seconds(7) })
    #expect(world.timeline.now >= .seconds(60) && world.timeline.now <= .seconds(62))
    let hosts = Dictionary(uniqueKeysWithValues: summary.hosts.busiest(10).map { ($0.name, $0.host) })
    let (ours, other) = (try #require(hosts["h"]), try #require(hosts["other"]))
    #expect(ours.sums.records == 23 && ours.sums.backOffs == 0 && ours.sums.pauses == 0)
    #expect(other.sums.records == 0 && other.sums.pauses == 1)
    #expect(other.sums.backOffs >= 1 && other.leastLimit <= 2)
  }

  @Test(arguments: [4, 8], [false, true])
  func `who waits for another host, unasked, stands behind those that it refused`(jobs: Int, isLed: Bool)
    throws
  {
    let world = BatchWorld(jobs: jobs)
    let lines = (0..<40).map { isLed ? "http://h/leads/shy/\($0)" : "http://other/shy/\($0)" }
    let results = try world.results(of: lines, jobs: jobs)
    #expect(results.count == 40 && results.allSatisfy { $0.outcome == .fetched })
    // Each is refused once. Who only hears that the host is left alone has asked its own for the way.
    #expect(world.transport.counters.started <= (isLed ? 240 : 80))
  }

  @Test func `a host that refuses first and redirects then to one that refuses, too, gets fewer as well`()
    throws
  {
    let world = BatchWorld(jobs: 4)
    var summary = BatchSummary()
    let results = try world.results(
      of: ["http://h/moves/busy/1/15"] + (0..<20).map { "http://h/slow/\($0)/1" }, jobs: 4)
    for result in results { summary.count(result) }
    #expect(summary.fetched == 21)
    let hosts = Dictionary(uniqueKeysWithValues: summary.hosts.busiest(10).map { ($0.name, $0.host) })
    let (ours, other) = (try #require(hosts["h"]), try #require(hosts["other"]))
    #expect(ours.sums.backOffs == 1 && ours.leastLimit == 2 && ours.sums.pauses == 0)
    #expect(other.sums.backOffs >= 1 && other.sums.pauses == 1)
  }

  @Test func `a failure of another host, to which one redirects, does not count for it`() throws {
    let world = BatchWorld(jobs: 4)
    var summary = BatchSummary()
    let results = try world.results(
      of: ["http://h/moved/503/1"] + (0..<20).map { "http://h/slow/\($0)/1" }, jobs: 4)
    for result in results { summary.count(result) }
    #expect(summary.failed == 1 && summary.fetched == 20)
    let host = try #require(summary.hosts.busiest(1).first?.host)
    #expect(host.sums.records == 21 && host.sums.backOffs == 0 && host.leastLimit == 4)
  }

  @Test(
    "Whatever ends the load, its host's refusals count", arguments: ["aged", "moves/fresh", "moves/gone"])
  func ends(of name: String) throws {
    let world = BatchWorld(jobs: 4)
    // What is there before, as far as it can be.
    _ = try world.results(of: ["http://h/aged", "http://other/fresh", "http://other/gone"], jobs: 4)
    var summary = BatchSummary()
    let url = "http://h/" + name
    let results = try world.results(of: [url] + (0..<20).map { "http://h/slow/\($0)/1" }, jobs: 4)
    for result in results { summary.count(result) }
    let result = try #require(results.first { $0.url == url })
    let outcomes: [String: BatchResult.Outcome] = [
      "aged": .fresh, "moves/fresh": .revalidated, "moves/gone": .failed,
    ]
    #expect(result.outcome == outcomes[name] && result.isStale == (name == "aged"))
    let host = try #require(summary.hosts.busiest(1).first?.host)
    #expect(host.sums.backOffs >= 1 && host.leastLimit == 2)
  }
}
