internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@testable internal import CellophaneBatch

@Suite("Politeness to the targets of redirects, in virtual time")
struct RedirectPolitenessTests {
  /// A world with four jobs, in which every URL of host `h` without another script answers after a second.
  private static func world() -> BatchWorld {
    let world = BatchWorld(jobs: 4)
    world.origin.script("http://h/*", .fresh.after(.seconds(1)))
    return world
  }

  /// URLs of host `h` that answer after a second.
  private static let others = (0..<20).map { "http://h/\($0)" }

  /// The answers of the target, and the attempts of the load in a first run and in a second one.
  @Test(
    arguments: [
      ([.unstored, .status(404, ["cache-control": "no-store"])], [1, 2]), ([.refusal, .fresh], [2, nil]),
    ] as [([ScriptedTransport.Answer], [Int?])])
  func `a failure of the target that the load overcomes does not count for the redirecting host`(
    target: [ScriptedTransport.Answer], expected: [Int?]
  ) throws {
    let world = Self.world()
    let url = "http://h/moved"
    // A load that finds the target of a stored redirect gone asks the redirecting host again.
    world.origin.script(url, .moved(to: "http://other/1"), .fresh)
    world.origin.script("http://other/1", target)
    var attempts: [Int?] = []
    for _ in 0..<2 {
      var summary = BatchSummary()
      let results = try world.results(of: [url] + Self.others, jobs: 4)
      for result in results { summary.count(result) }
      #expect(summary.failed == 0)
      attempts.append(results.first { $0.url == url }?.attempts)
      let host = try #require(summary.hosts.busiest(1).first?.host)
      #expect(host.sums.backOffs == 0 && host.leastLimit == 4)
    }
    // The 404 occurs in the second run, in which the redirect is cached, and the 503 in the first.
    #expect(attempts == expected)
  }

  @Test func `a pause of the target delays only the redirected records`() throws {
    let world = Self.world()
    let redirected = (0..<3).map { "http://h/moved/\($0)" }
    for (index, url) in redirected.enumerated() {
      world.origin.script(url, .moved(to: "http://other/\(index)"))
    }
    world.script("http://other/", pausingUntil: .seconds(60))
    var summary = BatchSummary()
    let results = try world.results(of: redirected + Self.others, jobs: 4)
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
    world.origin.script("http://other/*", .pause(11), .fresh)
    let urls = (0..<40).map { isRedirected ? "http://h/\($0)" : "http://other/\($0)" }
    if isRedirected {
      for (index, url) in urls.enumerated() {
        world.origin.script(url, .redirect(to: "http://other/\(index)", ["cache-control": "no-store"]))
      }
    }
    let results = try world.results(of: urls, jobs: jobs)
    #expect(results.count == 40 && results.allSatisfy { $0.outcome == .fetched })
    // Each record is refused once. A redirected record that finds the circuit open has requested its own host.
    #expect(world.origin.counters.started <= (isRedirected ? 240 : 80))
  }

  @Test func `a host that refuses and then redirects to a refusing host gets a lower limit, too`()
    throws
  {
    let world = Self.world()
    world.origin.script("http://h/refused", .refusal, .moved(to: "http://other/1"))
    world.script("http://other/", pausingUntil: .seconds(15))
    var summary = BatchSummary()
    let results = try world.results(of: ["http://h/refused"] + Self.others, jobs: 4)
    for result in results { summary.count(result) }
    #expect(summary.fetched == 21)
    let hosts = Dictionary(uniqueKeysWithValues: summary.hosts.busiest(10).map { ($0.name, $0.host) })
    let (own, other) = (try #require(hosts["h"]), try #require(hosts["other"]))
    #expect(own.sums.backOffs == 1 && own.leastLimit == 2 && own.sums.pauses == 0)
    #expect(other.sums.backOffs >= 1 && other.sums.pauses == 1)
  }

  @Test func `a failure of the target that fails the load does not count for the redirecting host`() throws {
    let world = Self.world()
    world.origin.script("http://h/moved", .moved(to: "http://other/1"))
    world.origin.script("http://other/1", .refusal)
    var summary = BatchSummary()
    let results = try world.results(of: ["http://h/moved"] + Self.others, jobs: 4)
    for result in results { summary.count(result) }
    #expect(summary.failed == 1 && summary.fetched == 20)
    let host = try #require(summary.hosts.busiest(1).first?.host)
    #expect(host.sums.records == 21 && host.sums.backOffs == 0 && host.leastLimit == 4)
  }

  /// The end of a load that its host has refused.
  enum End: CaseIterable {
    case staleResponse, cachedTarget, missingTarget

    var outcome: BatchResult.Outcome {
      switch self {
      case .staleResponse: .fresh
      case .cachedTarget: .revalidated
      case .missingTarget: .failed
      }
    }
  }

  @Test("refusals count for their host, for every end of the load", arguments: End.allCases)
  func ends(of end: End) throws {
    let world = Self.world()
    let stale: HeaderFields = ["cache-control": "max-age=0, stale-if-error=86400"]
    let url = "http://h/refused"
    // A URL that is requested before, so that its response is stored, or its failure known.
    let earlier: String
    switch end {
    case .staleResponse:
      world.origin.script(url, .ok(nil, stale), .status(503, stale))
      earlier = url
    case .cachedTarget, .missingTarget:
      world.origin.script(url, .refusal, .moved(to: "http://other/1"))
      world.origin.script("http://other/1", end == .cachedTarget ? [.fresh] : [.refusal, .missing])
      earlier = "http://other/1"
    }
    _ = try world.results(of: [earlier], jobs: 4)
    var summary = BatchSummary()
    let results = try world.results(of: [url] + Self.others, jobs: 4)
    for result in results { summary.count(result) }
    let result = try #require(results.first { $0.url == url })
    #expect(result.outcome == end.outcome && result.isStale == (end == .staleResponse))
    let host = try #require(summary.hosts.busiest(1).first?.host)
    #expect(host.sums.backOffs >= 1 && host.leastLimit == 2)
  }
}
