internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@testable internal import CellophaneBatch

@Suite("Hosts that fail for some records or for some time, in virtual time")
struct OutageTests {
  enum Position: CaseIterable { case first, middle, last, scattered }

  /// A failure of a host: a 503, a connection that breaks before the head, or a refused connection.
  enum Failure: CaseIterable {
    case status, dropped, refused

    var answer: ScriptedTransport.Answer {
      switch self {
      case .status: .refusal
      case .dropped: .failure(.connectionLost)
      case .refused: .failure(.connect)
      }
    }
  }

  /// 500 records that succeed, and 30 records of the same host that always fail.
  @Test(arguments: Failure.allCases, Position.allCases)
  func `records that always fail do not make other records of their host fail`(
    failure: Failure, position: Position
  ) throws {
    let bad = (0..<30).map { "http://h/bad/\($0)" }
    var urls = (0..<500).map { "http://h/good/\($0)" }
    switch position {
    case .first: urls = bad + urls
    case .middle: urls.insert(contentsOf: bad, at: 200)
    case .last: urls += bad
    case .scattered: for (index, url) in bad.enumerated() { urls.insert(url, at: index * 17) }
    }
    let world = BatchWorld(jobs: 16)
    world.origin.script("http://h/bad/*", failure.answer)
    let results = try world.results(of: urls, jobs: 16)
    #expect(results.count == 530)
    #expect(results.filter { $0.outcome == .fetched }.count == 500, "\(world.timeline.now)")
    // If good records follow the bad ones, a few pauses are enough. A 503 takes a few more, because it may mean
    // overload. Otherwise, records wait for half a minute, and for the pause that began before its end.
    let isQuick = failure != .refused && position != .last
    #expect(world.timeline.now < .seconds(isQuick ? failure == .status ? 35 : 20 : 65))
  }

  @Test func `a 404 counts as a response of the host`() throws {
    let world = BatchWorld(jobs: 16)
    world.origin.script("http://h/missing/*", .missing)
    world.origin.script("http://h/bad/*", .refusal)
    var urls = (0..<500).map { "http://h/missing/\($0)" }
    for index in 0..<30 { urls.insert("http://h/bad/\(index)", at: index * 17) }
    let results = try world.results(of: urls, jobs: 16)
    #expect(results.count == 530 && results.count { $0.status == 404 } == 500)
  }

  @Test(arguments: [1, 4, 16], Failure.allCases)
  func `records wait for a host that is down for half a minute`(jobs: Int, failure: Failure) throws {
    let world = BatchWorld(jobs: jobs)
    world.origin.script("http://h/*") { [timeline = world.timeline] _ in
      let isDown = timeline.now > .seconds(5) && timeline.now < .seconds(35)
      return isDown ? failure.answer : .fresh.after(.milliseconds(100))
    }
    // Ten seconds of work.
    let urls = (0..<jobs * 100).map { "http://h/\($0)" }
    let results = try world.results(of: urls, jobs: jobs)
    // The circuit opens after three failures in a row. With one job, two records fail before that.
    let failed = results.count { $0.outcome == .failed }
    #expect(results.count == jobs * 100 && failed <= (jobs == 1 && failure != .refused ? 2 : 0))
    // The host responds again after the last pause, which has grown by then.
    #expect(world.timeline.now < .seconds(10 + 30 + 35))
  }

  @Test func `records of a host that stays down fail within a minute, with few requests`() throws {
    let world = BatchWorld(jobs: 16)
    world.origin.script("http://h/refused/*", .failure(.connect))
    let urls = (0..<20).map { "http://h/good/\($0)" } + (0..<3_000).map { "http://h/refused/\($0)" }
    let results = try world.results(of: urls, jobs: 16)
    #expect(results.count == 3_020 && results.count { $0.outcome == .fetched } == 20)
    #expect(world.timeline.now < .seconds(65) && world.origin.counters.started < 100)
  }
}
