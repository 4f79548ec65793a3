import Cellophane
import FoundationEssentials
import Testing

@testable import CellophaneResults
internal import SimulationTestSupport

@Suite struct SimulationResultTests {
  @Test(arguments: [ResultFixture.everything, [:], [.blankRatio: 0.5, .wastedPartial: 3, .diskHits: 0]])
  func `a result survives a round trip through JSON`(values: [Metric: Double]) throws {
    let waits = [ResultFixture.wait(10), ResultFixture.wait(20), ResultFixture.wait(700, false)]
    var result = try ResultFixture.result(
      ResultFixture.run(waits: waits, values), naive: ResultFixture.run(waits: [], [:]))
    #expect(try SimulationResult(json: try result.json()) == result)
    result.reproduce = "cellophane simulate --seed 1"
    #expect(try SimulationResult(json: try result.json()) == result)
  }

  private struct Shape: Decodable {
    struct Measure: Decodable {
      let unit: String
      let better: String?
      let mean: Double?
      let replicas: [Double?]
      let parts: [String: Double?]?
    }
    struct Waits: Decodable {
      let unit, estimator: String
      let n, n_cut_short: Int
      let p50, p95, max_observed: Double?
    }
    struct Metrics: Decodable {
      let blank_ratio, wasted_bytes, misplaced_events, peak_rss: Measure
      struct Hits: Decodable {
        let memory, disk: Double?
        let replicas: [String: [Double?]]
      }
      let hit_ratio: Hits
      let time_to_image: Waits
    }
    struct Naive: Decodable { let blank_ratio: Double? }
    struct Phase: Decodable {
      let name: String
      let from_ms, to_ms: Double
      let metrics: Naive
    }
    struct Series: Decodable {
      let bin_ms: Double
      let offset_px, velocity, blank_ratio: [Double?]
      let inflight, down_bytes: [Int]
    }
    struct Histogram: Decodable {
      let edges_ms: [Double]
      let counts, cut_short: [Int]
    }
    let schema, time: String
    let metrics: Metrics
    let phases: [Phase]
    let series: Series?
    let histograms: [String: Histogram]
    let baselines: [String: Naive]
    struct Invariants: Decodable {
      let misplaced, duplicate_inflight, deadlocks, left_over: Int
      let waiting: [String]
    }
    struct Played: Decodable {
      struct Decoding: Decodable { let cores: Int }
      let decoding: Decoding?
      let assumptions: [String]
    }
    let invariants: Invariants
    let config: Played
    let fingerprint: String?
    let wall_s: Double
  }

  @Test func `JSON has the documented shape, with units and directions, and null for unknown numbers`() throws
  {
    let run = ResultFixture.run(
      waits: [ResultFixture.wait(10), ResultFixture.wait(900, false)],
      [.blankRatio: 0.25, .wastedBytes: 10, .wastedPartial: 4, .memoryHits: 0.5, .misplacedEvents: 0])
    let json = try ResultFixture.result(run).json()
    let shape = try JSONDecoder().decode(Shape.self, from: Data(json))
    #expect(shape.schema == "cellophane.simulate/1")
    #expect(shape.time == "real")
    #expect(shape.metrics.blank_ratio.mean == 0.25)
    #expect(shape.metrics.blank_ratio.better == "lower")
    #expect(shape.metrics.blank_ratio.unit == "1")
    #expect(shape.metrics.blank_ratio.replicas == [0.25])
    #expect(shape.metrics.wasted_bytes.unit == "B")
    #expect(shape.metrics.wasted_bytes.parts?["cancelled_partial"] == 4)
    #expect(shape.metrics.hit_ratio.memory == 0.5)
    #expect(shape.metrics.hit_ratio.replicas["memory"] == [0.5])
    #expect(shape.metrics.time_to_image.p50 == 10)
    #expect(shape.metrics.time_to_image.p95 == nil)
    #expect(shape.metrics.time_to_image.n_cut_short == 1)
    #expect(shape.phases.first?.name == "cold")
    #expect(shape.phases.first?.to_ms == 2_000)
    #expect(shape.phases.first?.metrics.blank_ratio == 0.25)
    #expect(shape.series?.bin_ms == 100)
    #expect(shape.series?.down_bytes.count == 10)
    let waits = try #require(shape.histograms["time_to_image"])
    #expect(waits.edges_ms.count == waits.counts.count)
    #expect(waits.counts[0] == 1)
    #expect(waits.cut_short[6] == 1)
    #expect(shape.baselines["naive"]?.blank_ratio == 0.25)
    #expect(shape.invariants.misplaced == 0)
    #expect(shape.invariants.waiting == [])
    #expect(shape.fingerprint == nil)
    #expect(shape.config.decoding == nil)
    #expect(
      String(decoding: json, as: UTF8.self).contains(
        "\"peak_rss\" : {\n      \"better\" : \"lower\",\n      \"ci95\" : null,\n      \"mean\" : null"))
  }

  @Test func `the JSON of a virtual run has its fingerprint and its assumptions`() throws {
    let result = try ResultFixture.result(
      ResultFixture.run(waits: []), time: .virtual, waiting: [(3, 8)], leftOver: 2)
    let shape = try JSONDecoder().decode(Shape.self, from: Data(try result.json()))
    #expect(shape.time == "virtual")
    #expect(shape.fingerprint?.hasPrefix("splitmix64:") == true)
    #expect(shape.config.decoding?.cores == 2)
    for subject in ["network:", "decoding:", "disk", "list.mean_bytes:"] {
      #expect(shape.config.assumptions.contains { $0.hasPrefix(subject) }, "\(subject)")
    }
    #expect(shape.invariants.deadlocks == 1)
    #expect(shape.invariants.waiting == ["slot 3 waits forever for the image of row 8"])
    #expect(shape.invariants.left_over == 2)
    #expect(try SimulationResult(json: try result.json()) == result)
  }

  @Test func `pairs of replicas show a difference that is smaller than the one between replicas`() throws {
    let result = ResultFixture.paired()
    let naive = try #require(result.differences[.naive])
    let family = DifferenceFamily(naive.all.values)
    #expect(family.claim(naive[.metric(.blankRatio)], in: .metric(.blankRatio)) == .better)
    #expect(family.claim(naive[.metric(.transfers)], in: .metric(.transfers)) == nil)
    #expect(try SimulationResult(json: try result.json()) == result)
  }

  @Test(
    arguments: [
      ([.misplacedEvents: 0, .duplicateInFlight: 0], .played), ([.misplacedEvents: 1], .invariantBroken),
      ([.duplicateInFlight: 2], .invariantBroken),
    ] as [([Metric: Double], SimulationResult.Verdict)])
  func `a broken invariant determines the verdict`(
    values: [Metric: Double], verdict: SimulationResult.Verdict
  ) throws {
    let result = try ResultFixture.result(ResultFixture.run(waits: [ResultFixture.wait(1)], values))
    #expect(result.verdict == verdict)
    #expect(result.brokenInvariants.isEmpty == (verdict == .played) && !result.hasFailed)
  }

  @Test func `deadlocks and unfinished work break an invariant, and a command repeats the run`() throws {
    let run = ResultFixture.run(waits: [ResultFixture.wait(1)])
    let stuck = try ResultFixture.result(run, time: .virtual, waiting: [(3, 8)])
    #expect(stuck.verdict == .invariantBroken)
    let command = try #require(stuck.invariants.repeatBroken)
    #expect(command.contains(" --seed 1 --replicas 1"))
    // With several replicas, the command repeats only the one with the broken invariant.
    let one = try ResultFixture.result(run, time: .virtual, replicas: 3, waiting: [(3, 8)])
    #expect(one.invariants.waiting == ["slot 3 waits forever for the image of row 8 (seed 1)"])
    #expect(one.invariants.repeatBroken == command)
    #expect(try ResultFixture.result(run, time: .virtual, leftOver: 1).verdict == .invariantBroken)
    #expect(try ResultFixture.result(run, time: .virtual).verdict == .played)
  }

  @Test func `a run fails if loads fail and no image is shown`() throws {
    let failures: [Metric: Double] = [.failedLoads: 2]
    #expect(
      try ResultFixture.result(ResultFixture.run(waits: [ResultFixture.wait(5, false)], failures)).verdict
        == .failed)
    #expect(
      try ResultFixture.result(ResultFixture.run(waits: [ResultFixture.wait(5, false)])).verdict == .played)
    #expect(
      try ResultFixture.result(ResultFixture.run(waits: [ResultFixture.wait(5)], failures)).verdict == .played
    )
    let unverified = failures.merging([.unverifiedRows: 1]) { $1 }
    #expect(try ResultFixture.result(ResultFixture.run(waits: [], unverified)).verdict == .played)
    // Wrong images of the naive loader break no invariant.
    let naive = ResultFixture.run(waits: [], [.misplacedEvents: 7])
    #expect(
      try ResultFixture.result(ResultFixture.run(waits: [ResultFixture.wait(1)]), naive: naive).verdict
        == .played)
  }

  @Test(arguments: [
    (Quantity.percent(0), "0.0 %"), (Quantity.percent(0.0412), "4.1 %"), (Quantity.percent(0.0001), "<0.1 %"),
    (Quantity.milliseconds(249.6), "250 ms"), (Quantity.milliseconds(12_340), "12.3 s"),
    (Quantity.bytes(512), "512 B"), (Quantity.bytes(38_249), "38.2 kB"), (Quantity.bytes(999_990), "1.0 MB"),
    (Quantity.count(1234), "1234"), (Quantity.decimal(.nan, places: 1), "–"),
    (Quantity.decimal(-0.04, places: 1), "0.0"),
    (Quantity.decimal(-1.26, places: 1), "-1.3"), (Quantity.points(0.012), "1.2 pp"),
    (Quantity.significant(0), "0"), (Quantity.significant(0.00001), "<0.0001"),
    (Quantity.significant(0.000123456), "0.000123"), (Quantity.significant(0.58333), "0.583"),
    (Quantity.significant(12.34), "12.3"), (Quantity.significant(999.9), "1000"),
    (Quantity.significant(1e300), "1e+300"), (Quantity.significant(.infinity), "–"),
  ])
  func `quantities are short, and a small quantity is not rounded to zero`(text: String, expected: String) {
    #expect(text == expected)
  }
}
