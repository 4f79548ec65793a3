import Cellophane
import Testing

@testable import CellophaneResults
internal import SimulationTestSupport
internal import TestSupport

@Suite(.thorough)
struct ResultComparisonTests {
  @Test func `paired results confirm a difference that is smaller than the one between replicas`() throws {
    let comparison = try ResultComparison(
      try ResultFixture.varied(0), try ResultFixture.varied(-0.01, wait: 3))
    #expect(comparison.isPaired)
    let blank = try #require(comparison.rows[.metric(.blankRatio)])
    #expect(blank.claim == .better)
    #expect(abs(try #require(blank.difference.mean) + 0.01) < 1e-9)
    #expect(comparison.rows[.metric(.transfers)]?.claim == nil)
    #expect(comparison.rows[.quantile(.timeToImage, .p50)]?.claim == .worse)
    #expect(abs(try #require(comparison.rows[.quantile(.timeToImage, .p50)]?.difference.mean) - 50) < 1e-6)
    #expect(comparison.rows[.quantile(.settleTime, .p50)]?.difference.mean == nil)
  }

  @Test func `a comparison of equal results confirms no difference`() throws {
    let comparison = try ResultComparison(try ResultFixture.varied(0), try ResultFixture.varied(0))
    #expect(comparison.rows.values.allSatisfy { $0.claim == nil })
  }

  @Test(
    arguments: zip(
      [
        { $0.seed = 9 }, { $0.list.rows = 7 }, { $0.viewport.refreshRate = 120 },
        { $0.gesture.physics = .android }, { $0.duration = .seconds(1) },
        { $0.events = [ScheduledEvent(.rotation, at: .seconds(1))] },
      ] as [@Sendable (inout SimulationConfiguration) -> Void],
      [
        "different seeds, starting at 1 and at 9", "different lists", "different viewports",
        "different gestures", "different durations", "different events",
      ]))
  func `a comparison of unpaired results states the reason, and confirms only large differences`(
    configure: @Sendable (inout SimulationConfiguration) -> Void, reason: String
  ) throws {
    let comparison = try ResultComparison(
      try ResultFixture.varied(0), try ResultFixture.varied(-0.01, configure: configure))
    #expect(comparison.unpaired == reason)
    #expect(comparison.rows[.metric(.blankRatio)]?.claim == nil)
    // A large difference is confirmed nevertheless.
    let large = try ResultComparison(
      try ResultFixture.varied(0), try ResultFixture.varied(-5, configure: configure))
    #expect(large.rows[.metric(.blankRatio)]?.claim == .better)
  }

  @Test func `results with different cache and prefetch settings are paired`() throws {
    let second = try ResultFixture.varied(0) {
      $0.cache.memoryBytes = 1
      $0.loader.prefetch = .none
    }
    #expect(try ResultComparison(try ResultFixture.varied(0), second).isPaired)
  }

  @Test func `results of screens with different densities are paired, and list them`() throws {
    let second = try ResultFixture.varied(0) { $0.viewport.density = 2.625 }
    let comparison = try ResultComparison(try ResultFixture.varied(0), second)
    #expect(comparison.isPaired)
    let listed = comparison.settings.map { [$0.path, $0.texts.first, $0.texts.second] }
    #expect(listed == [["viewport.density", "1", "2.625"]])
    #expect(try ResultComparison(second, second).settings == [])
  }

  @Test func `a comparison lists each different setting with both values`() throws {
    let second = try ResultFixture.varied(0) {
      $0.cache.memoryBytes = 5_000_000
      $0.loader.prefetch = .none
      $0.seed = .max
      $0.origin.slowTail = SimulationConfiguration.Origin.SlowTail(alpha: 1.5, share: 0.02)
    }
    let first = try ResultFixture.varied(0) { $0.seed = .max - 1 }
    let settings = try ResultComparison(first, second).settings
    let listed: [String] = settings.map { "\($0.path): \($0.texts.first), \($0.texts.second)" }
    let expected: [String] = [
      "cache.memory_bytes: 2097152, 5000000", "loader.prefetch: rows:8,2.5, none",
      "origin.slow_tail.alpha: none, 1.5", "origin.slow_tail.share: none, 0.02",
      "seed: 18446744073709551614, 18446744073709551615",
    ]
    #expect(listed == expected)
    #expect(try ResultComparison(first, first).settings == [])
  }

  /// A run of ten times the duration has ten times the totals, and is no worse.
  @Test func `totals of runs with different durations are compared per second`() throws {
    let (short, long) = (
      try ResultFixture.varied(0) { $0.duration = .seconds(6) }, try ResultFixture.varied(0)
    )
    let comparison = try ResultComparison(short, long)
    #expect(comparison.seconds == [6, 60] && comparison.hasRates && !comparison.isPaired)
    let transfers = try #require(comparison.rows[.metric(.transfers)])
    #expect(transfers.unit == "1/s")
    let (fast, slow) = (5.5 / 6, 5.5 / 60)
    #expect(abs(try #require(transfers.first) - fast) < 1e-12)
    #expect(abs(try #require(transfers.second) - slow) < 1e-12)
    #expect(transfers.claim == .better)
    #expect(abs(try #require(transfers.difference.mean) - (slow - fast)) < 1e-12)
    #expect(comparison.rows[.metric(.bytesDown)]?.unit == "B/s")
    // Shares, waits and peaks do not depend on the duration.
    for metric in [Metric.blankRatio, .peakInFlight, .peakMemoryCost, .hitches] {
      #expect(comparison.rows[.metric(metric)]?.unit == metric.unit, "\(metric)")
    }
    #expect(comparison.rows[.metric(.blankRatio)]?.first == comparison.rows[.metric(.blankRatio)]?.second)
    // With equal durations, totals are not divided.
    let equal = try ResultComparison(long, long)
    #expect(equal.rows[.metric(.transfers)]?.unit == "1" && equal.rows[.metric(.transfers)]?.first == 5.5)
  }

  @Test func `results with different numbers of replicas are unpaired, and few replicas confirm nothing`()
    throws
  {
    let comparison = try ResultComparison(
      try ResultFixture.varied(0), try ResultFixture.varied(-5, replicas: 10))
    #expect(comparison.replicas == [12, 10])
    #expect(comparison.unpaired == "different numbers of replicas, 12 and 10")
    #expect(comparison.rows[.metric(.blankRatio)]?.claim == .better)
    for count in [1, 9] {
      let few = try ResultComparison(
        try ResultFixture.varied(0, replicas: count), try ResultFixture.varied(-5, replicas: count))
      #expect(few.rows.values.allSatisfy { $0.claim == nil && $0.difference.interval == nil })
    }
  }

  @Test(
    arguments: [
      ("\"replicas\" : 12", "\"replicas\" : 13"), ("\"replicas\" : 12", "\"replicas\" : 0"),
      ("\"ticks_per_s\" : 60", "\"ticks_per_s\" : 61"), ("\"over\" : [", "\"over\" : [ 3,"),
      ("\"over\" : [", "\"over\" : [ -3,"), ("\"ticks\" : [", "\"ticks\" : [ 5,"),
    ])
  func `an inconsistent result is refused`(old: String, new: String) throws {
    let good = try ResultFixture.varied(0)
    let text = String(decoding: try good.json(), as: UTF8.self)
    let changed = Array(text.replacing(old, with: new, maxReplacements: 1).utf8)
    #expect(throws: LoadError.self) { try ResultComparison(good, SimulationResult(json: changed)) }
  }
}
