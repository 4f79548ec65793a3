internal import Cellophane
internal import CellophaneTesting
internal import Testing

@testable internal import CellophaneBatch

@Suite("What a host gives, whatever else it does not, in virtual time")
struct OutageTests {
  enum Place: CaseIterable { case first, amid, last, scattered }

  /// 500 lines that are answered, and among them 30 of the same host that never are.
  @Test(arguments: ["503", "dropped", "refused"], Place.allCases)
  func `what is not given takes nothing with it that is`(kind: String, place: Place) throws {
    let bad = (0..<30).map { "http://h/\(kind)/\($0)" }
    var lines = (0..<500).map { "http://h/good/\($0)" }
    switch place {
    case .first: lines = bad + lines
    case .amid: lines.insert(contentsOf: bad, at: 200)
    case .last: lines += bad
    case .scattered: for (index, url) in bad.enumerated() { lines.insert(url, at: index * 17) }
    }
    let world = BatchWorld(jobs: 16)
    let results = try world.results(of: lines, jobs: 16)
    #expect(results.count == 530)
    #expect(results.filter { $0.outcome == .fetched }.count == 500, "\(world.timeline.now)")
    // What the host answers costs no more than a few pauses when something else stands behind it, and a few more where it
    // may only be too much for it; otherwise half a minute of patience, and the pause that began before its end.
    let isQuick = kind != "refused" && place != .last
    #expect(world.timeline.now < .seconds(isQuick ? kind == "503" ? 35 : 20 : 65))
  }

  @Test func `that a host has something not is an answer`() throws {
    var lines = (0..<500).map { "http://h/404/\($0)" }
    for index in 0..<30 { lines.insert("http://h/503/\(index)", at: index * 17) }
    let results = try BatchWorld(jobs: 16).results(of: lines, jobs: 16)
    #expect(results.count == 530 && results.count { $0.status == 404 } == 500)
  }

  @Test(arguments: [1, 4, 16], ["503", "dropped", "refused"])
  func `a host that is away for half a minute is waited for`(jobs: Int, kind: String) throws {
    let world = BatchWorld(jobs: jobs)
    // Ten seconds of work.
    let lines = (0..<jobs * 100).map { "http://h/outage/\(kind)/\($0)" }
    let results = try world.results(of: lines, jobs: jobs)
    // Until three have failed in a row nobody knows that it is the host: one at a time, two of them fail by then.
    let failed = results.count { $0.outcome == .failed }
    #expect(results.count == jobs * 100 && failed <= (jobs == 1 && kind != "refused" ? 2 : 0))
    // It is found to be back when the pause is over that has grown meanwhile.
    #expect(world.timeline.now < .seconds(10 + 30 + 35))
  }

  @Test func `a host that is away for good costs its lines a minute, and few requests`() throws {
    let world = BatchWorld(jobs: 16)
    let lines = (0..<20).map { "http://h/good/\($0)" } + (0..<3_000).map { "http://h/refused/\($0)" }
    let results = try world.results(of: lines, jobs: 16)
    #expect(results.count == 3_020 && results.count { $0.outcome == .fetched } == 20)
    #expect(world.timeline.now < .seconds(65) && world.transport.counters.started < 100)
  }
}
