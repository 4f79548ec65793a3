import Cellophane
import CellophaneTesting
import TestSupport
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation
internal import SimulationTestSupport

@Suite struct StudyTests {
  @Test func `a sweep plays every combination, and each case equals the same run alone`() async throws {
    let study = try StudyFixture.sweep([("memory", ["0", "4000000"]), ("prefetch", ["none", "rows:8"])])
    let result = try await study.run()
    #expect(
      result.cases.map(\.values) == [
        ["0", "none"], ["0", "rows:8"], ["4000000", "none"], ["4000000", "rows:8"],
      ])
    #expect(result.replicas == 2)
    var last = StudyFixture.short
    last.cache.memoryBytes = 4_000_000
    last.loader.prefetch = .rows(8)
    let alone = try await Simulation(last).run()
    let blank = try #require(result.cases.last?.metrics[.metric(.blankRatio)])
    #expect(blank.mean == alone.metrics[.blankRatio].mean)
    #expect(blank.interval == alone.metrics[.blankRatio].confidence)
    #expect(result.cases.last?.reproduce == alone.reproduce)
    #expect(result.cases[0].metrics[.metric(.blankRatio)]?.difference == nil)
    let difference = try #require(blank.difference?.mean)
    let first = try #require(result.cases[0].metrics[.metric(.blankRatio)]?.mean)
    #expect(abs(first + difference - (blank.mean ?? 0)) < 1e-9)
    #expect(result.broken == [])
    #expect(try StudyFixture.sweep([("memory", ["0"])]).cases.count == 1)
  }

  @Test(.thorough) func `a cancelled study keeps its finished cases`() async throws {
    let study = try StudyFixture.sweep([("memory", ["0", "1000000", "4000000"])])
    func run(keepsFinished: Bool, cancelledAt index: Int) async throws -> StudyResult {
      let task = Notes<Task<StudyResult, any Error>>()
      let start = OneShot<Void>()
      let run = Task {
        await start.value
        return try await study.run(keepsFinished: keepsFinished, threads: 1) {
          if $0 == index { task.all.first?.cancel() }
        }
      }
      task.add(run)
      start.settle(())
      return try await run.value
    }
    let result = try await run(keepsFinished: true, cancelledAt: 2)
    #expect(result.cases.map(\.values) == [["0"], ["1000000"]])
    #expect(result.incomplete?.finished == 2 && result.incomplete?.planned == 3)
    let complete = try await study.run()
    #expect(result.cases == Array(complete.cases.prefix(2)) && complete.incomplete == nil)
    await #expect(throws: LoadError.self) { try await run(keepsFinished: true, cancelledAt: 0) }
    await #expect(throws: LoadError.self) { try await run(keepsFinished: false, cancelledAt: 2) }
  }

  @Test func `an invalid sweep is rejected before its first case runs`() async throws {
    #expect(throws: LoadError.self) { try StudyFixture.sweep([]) }
    let error = #expect(throws: LoadError.self) {
      try StudyFixture.sweep([("memory", ["1"]), ("memory", ["1"]), ("memory", ["1"])])
    }
    #expect(error?.message.hasPrefix("a sweep has 1 or 2 parameters, and 3 were given; ") == true)
    #expect(throws: LoadError.self) { try StudyFixture.sweep([("memory", (0...400).map { "\($0)" })]) }
    let played = Notes<Int>()
    let study = try StudyFixture.sweep([("memory", ["1", "-1"])])
    await #expect(throws: LoadError.self) { try await study.run { played.add($0) } }
    #expect(played.all == [])
  }

  @Test func `a sensitivity study scales every gesture and network parameter down and up`() throws {
    let study = Study(sensitivityOf: StudyFixture.short)
    #expect(study.cases.first?.configuration == StudyFixture.short)
    // The base and all parameters except the loss, which is 0.
    #expect(Set(study.cases.map { $0.values[0] }).count == ScaledParameter.all.count)
    for one in study.cases.dropFirst() {
      #expect(one.configuration != StudyFixture.short, "\(one.values)")
      #expect(throws: Never.self, "\(one.values)") { try Simulation(one.configuration) }
    }
    func value(_ name: String, _ factor: String) -> SimulationConfiguration? {
      study.cases.first { $0.values == [name, factor] }?.configuration
    }
    #expect(value("gesture.flick.median", "0.5")?.gesture.parameters?.flick.median == 1750)
    #expect(value("network.rtt_ms", "1.5")?.network.profile.roundTrip == .milliseconds(105))
    #expect(value("network.down_kbps", "0.5")?.network.profile.downBitsPerSecond == 6_000_000)
    // A skimmer has a probability of 0.8; 1.5 times that is limited to 1.
    #expect(value("gesture.again", "1.5")?.gesture.parameters?.again == 1)
    var constant = StudyFixture.short
    constant.gesture.profile = .constant(500)
    let others = Study(sensitivityOf: constant).cases.map { $0.values[0] }
    #expect(others.dropFirst().allSatisfy { $0.hasPrefix("network.") })
  }

  @Test func `suite v1 has 24 cases, each also available by name`() throws {
    let study = try Study(suite: "v1") { $0.loader.prefetch = .none }
    #expect(study.cases.count == 24)
    #expect(Set(study.cases.map(\.configuration)).count == 24)
    for one in study.cases {
      #expect(one.configuration.loader.prefetch == .none)
      #expect(one.configuration.replicas == 20)
      var expected = try Study.suiteCase(one.values.joined(separator: "/"))
      expected.loader.prefetch = .none
      #expect(one.configuration == expected)
      _ = try Simulation(one.configuration)
    }
    #expect(study.suite == "v1")
    #expect(throws: LoadError.self) { try Study(suite: "v0") { _ in } }
    // A suite fixes these settings, so that its name always denotes the same runs.
    #expect(throws: LoadError.self) { try Study(suite: "v1") { $0.seed = 2 } }
    #expect(throws: LoadError.self) { try Study(suite: "v1") { $0.list.rows = 10 } }
    #expect(throws: LoadError.self) { try Study(suite: "v1") { $0.network.http = .http2 } }
    #expect(throws: Never.self) { try Study(suite: "v1") { $0.replicas = 2 } }
    for one in try Study(suite: "v2", adjust: { _ in }).cases {
      #expect(try Study.suiteCase(one.values.joined(separator: "/")) == one.configuration)
    }
    for name in ["", "cards", "cards/lh-slow4g/stress", "cards/lh-slow4g/browser/"] {
      #expect(throws: LoadError.self, "\(name)") { try Study.suiteCase(name) }
    }
  }
}
