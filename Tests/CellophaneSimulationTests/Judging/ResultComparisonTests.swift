import Cellophane
import Testing

@testable import CellophaneSimulation

@Suite struct ResultComparisonTests {
  /// Replicas that differ by much more than the two results do.
  static func result(
    _ change: Double, replicas: Int = 8, wait: Int = 0,
    configure: (inout SimulationConfiguration) -> Void = { _ in }
  ) throws -> SimulationResult {
    var configuration = SimulationConfiguration()
    configuration.replicas = replicas
    configure(&configuration)
    let outcomes = (0..<replicas).map { replica in
      let run = SimulationResultTests.run(
        waits: (0..<50).map { ((10 + replica) * $0 % 97 + wait, $0 % 9 > 0) },
        [.blankRatio: 0.1 * Double(replica + 1) + change, .transfers: Double(replica)])
      // Milliseconds as vsyncs of the configuration.
      var whole = Measurement(refreshRate: configuration.viewport.refreshRate)
      whole.values = run.whole.values
      whole.waits = run.whole.waits
      let measured = RunMeasurement(whole: whole)
      return ReplicaOutcome(seed: configuration.seed, runs: [.cellophane: measured, .naive: measured])
    }
    // As it is read.
    return try SimulationResult(json: SimulationResult(outcomes, config: configuration, wall: .zero).json())
  }

  @Test func `pairs show a difference that is smaller than that of replicas`() throws {
    let comparison = try ResultComparison(try Self.result(0), try Self.result(-0.01, wait: 3))
    #expect(comparison.isPaired)
    let blank = try #require(comparison.lines[.metric(.blankRatio)])
    #expect(blank.claim == .better)
    #expect(abs(try #require(blank.difference.mean) + 0.01) < 1e-9)
    #expect(comparison.lines[.metric(.transfers)]?.claim == nil)
    #expect(comparison.lines[.quantile(.timeToImage, .p50)]?.claim == .worse)
    #expect(abs(try #require(comparison.lines[.quantile(.timeToImage, .p50)]?.difference.mean) - 50) < 1e-6)
    #expect(comparison.lines[.quantile(.settleTime, .p50)]?.difference.mean == nil)
    let table = comparison.table(["a", "b"])
    #expect(table.split(separator: "\n").allSatisfy { $0.count <= 84 })
    #expect(table.contains("better"))
  }

  @Test func `the same is claimed neither better nor worse`() throws {
    let comparison = try ResultComparison(try Self.result(0), try Self.result(0))
    #expect(comparison.lines.values.allSatisfy { $0.claim == nil })
  }

  @Test(
    arguments: zip(
      [
        { $0.seed = 9 }, { $0.list.rows = 7 }, { $0.viewport.refreshRate = 120 },
        { $0.gesture.physics = .android }, { $0.duration = .seconds(1) },
      ] as [@Sendable (inout SimulationConfiguration) -> Void],
      [
        "they have other seeds", "they have other lists", "they have other viewports",
        "they have other gestures", "they last differently long",
      ]))
  func `what are no pairs is said, and shows less`(
    configure: @Sendable (inout SimulationConfiguration) -> Void, reason: String
  ) throws {
    let comparison = try ResultComparison(
      try Self.result(0), try Self.result(-0.01, configure: configure))
    #expect(comparison.unpaired == reason)
    #expect(comparison.lines[.metric(.blankRatio)]?.claim == nil)
    #expect(comparison.table(["a", "b"]).contains(reason))
    // A large one is seen all the same.
    let large = try ResultComparison(try Self.result(0), try Self.result(-5, configure: configure))
    #expect(large.lines[.metric(.blankRatio)]?.claim == .better)
  }

  @Test func `settings that may differ leave pairs`() throws {
    let second = try Self.result(0) {
      $0.cache.memoryBytes = 1
      $0.loader.prefetch = .none
    }
    #expect(try ResultComparison(try Self.result(0), second).isPaired)
  }

  @Test func `other numbers of replicas are no pairs, one replica shows nothing`() throws {
    let comparison = try ResultComparison(try Self.result(0), try Self.result(-5, replicas: 3))
    #expect(comparison.replicas == [8, 3])
    #expect(comparison.lines[.metric(.blankRatio)]?.claim == .better)
    let single = try ResultComparison(try Self.result(0, replicas: 1), try Self.result(-5, replicas: 1))
    #expect(single.lines.values.allSatisfy { $0.claim == nil })
  }

  @Test(
    arguments: [
      ("\"replicas\" : 8", "\"replicas\" : 9"), ("\"replicas\" : 8", "\"replicas\" : 0"),
      ("\"ticks_per_s\" : 60", "\"ticks_per_s\" : 61"), ("\"over\" : [", "\"over\" : [ 3,"),
      ("\"over\" : [", "\"over\" : [ -3,"), ("\"ticks\" : [", "\"ticks\" : [ 5,"),
    ])
  func `a result that contradicts itself is refused`(old: String, new: String) throws {
    let good = try Self.result(0)
    let text = String(decoding: try good.json(), as: UTF8.self)
    let changed = try SimulationResult(json: Array(text.replacing(old, with: new, maxReplacements: 1).utf8))
    #expect(throws: LoadError.self) { try ResultComparison(good, changed) }
  }
}
