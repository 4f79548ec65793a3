import Cellophane
import FoundationEssentials
import Testing

@testable import CellophaneSimulation

@Suite struct SimulationResultTests {
  typealias Wait = (milliseconds: Int, hasEnded: Bool)

  static func run(waits: [Wait], _ values: [Metric: Double] = [:]) -> RunMeasurement {
    var histogram = WaitHistogram()
    for wait in waits { histogram.add(wait.milliseconds, hasEnded: wait.hasEnded) }
    let measurement = Measurement(values: values, waits: [.timeToImage: histogram], refreshRate: 1_000)
    return RunMeasurement(
      overall: measurement,
      phases: [RunMeasurement.Phase(phase: .cold, from: .zero, to: .seconds(2), measurement: measurement)],
      series: SeriesTallyTests.series(seconds: 1))
  }

  static func wait(_ milliseconds: Int, _ hasEnded: Bool = true) -> Wait { (milliseconds, hasEnded) }

  static func result(
    _ cellophane: RunMeasurement, naive: RunMeasurement? = nil, oracle: RunMeasurement? = nil,
    urls: [String]? = nil, of played: SimulationConfiguration? = nil,
    time: SimulationConfiguration.Time = .real, replicas: Int = 1, planned: Int? = nil,
    waiting: [(slot: Int, row: Int)] = [], leftOver: Int = 0
  ) throws -> SimulationResult {
    var configuration = played ?? SimulationConfiguration(time: time)
    if let urls { configuration.list.pictures = .own(urls, allowsFiles: false) }
    configuration.replicas = replicas
    let completed = configuration.completed(
      layout: try configuration.checkedLayout(), meanBytes: urls == nil ? 40_000 : nil)
    var runs = [LoaderUnderTest.cellophane: cellophane, .naive: naive ?? cellophane]
    runs[.oracle] = oracle
    let outcomes = (0..<replicas).map { replica in
      ReplicaOutcome(
        seed: 1 + UInt64(replica), runs: runs,
        fingerprint: time == .virtual ? 7 : nil, waitingRows: replica == 0 ? waiting : [],
        leftOver: replica == 0 ? leftOver : 0)
    }
    return SimulationResult(outcomes, config: completed, planned: planned, wall: .seconds(30))
  }

  static let everything = Dictionary(
    uniqueKeysWithValues: Metric.allCases.enumerated().map { ($1, Double($0) * 1.25) })

  @Test(arguments: [everything, [:], [.blankRatio: 0.5, .wastedPartial: 3, .diskHits: 0]])
  func `a result survives a round trip through JSON`(values: [Metric: Double]) throws {
    let waits = [Self.wait(10), Self.wait(20), Self.wait(700, false)]
    var result = try Self.result(Self.run(waits: waits, values), naive: Self.run(waits: [], [:]))
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
      let n, n_censored: Int
      let p50, p95, max_observed: Double?
      let p95_bound: String?
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
      let counts, censored: [Int]
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
    let run = Self.run(
      waits: [Self.wait(10), Self.wait(900, false)],
      [.blankRatio: 0.25, .wastedBytes: 10, .wastedPartial: 4, .memoryHits: 0.5, .misplacedEvents: 0])
    let json = try Self.result(run).json()
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
    #expect(shape.metrics.time_to_image.p95_bound == ">900.0")
    #expect(shape.metrics.time_to_image.n_censored == 1)
    #expect(shape.phases.first?.name == "cold")
    #expect(shape.phases.first?.to_ms == 2_000)
    #expect(shape.phases.first?.metrics.blank_ratio == 0.25)
    #expect(shape.series?.bin_ms == 100)
    #expect(shape.series?.down_bytes.count == 10)
    let waits = try #require(shape.histograms["time_to_image"])
    #expect(waits.edges_ms.count == waits.counts.count)
    #expect(waits.counts[0] == 1)
    #expect(waits.censored[6] == 1)
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
    let result = try Self.result(
      Self.run(waits: []), time: .virtual, waiting: [(3, 8)], leftOver: 2)
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

  @Test(arguments: [nil, ["http://a/1", "http://a/2"]] as [[String]?])
  func `the table fits 80 columns and aligns its numbers`(urls: [String]?) throws {
    let large = Self.run(
      waits: [Self.wait(60_000), Self.wait(90_000, false)],
      Dictionary(uniqueKeysWithValues: Metric.allCases.map { ($0, 123.0) }))
    let lines = try Self.result(large, naive: Self.run(waits: []), urls: urls).table().split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 || $0.hasPrefix("to repeat it: ") })
    let numbers = lines.filter { $0.hasPrefix("  ") }
    #expect(numbers.count > 20)
    #expect(Set(numbers.map(\.count)) == [60])
    #expect(numbers.allSatisfy { $0.hasSuffix("–") || $0.hasSuffix("0") || $0.hasSuffix("naive") })
  }

  @Test func `only differences that the pairs of replicas show are marked`() throws {
    func outcome(_ seed: Int, _ own: [Metric: Double], _ naive: [Metric: Double]) -> ReplicaOutcome {
      ReplicaOutcome(
        seed: UInt64(seed),
        runs: [.cellophane: Self.run(waits: [], own), .naive: Self.run(waits: [], naive)])
    }
    // The difference of the blank share is small, but always has the same sign. That of transfers varies by chance.
    let outcomes = (1...6).map { seed in
      let (blank, chance) = (0.1 * Double(seed), Double(seed % 2))
      return outcome(
        seed, [.blankRatio: blank, .transfers: 10 + chance, .memoryHits: 0.2, .bestMemoryHits: 0.4],
        [.blankRatio: blank + 0.01, .transfers: 10.5, .memoryHits: 0.3, .bestMemoryHits: 0.4])
    }
    var configuration = SimulationConfiguration()
    configuration.replicas = 6
    let result = SimulationResult(outcomes, config: configuration, wall: .zero)
    let naive = try #require(result.differences[.naive])
    #expect(naive[.metric(.blankRatio)]?.claim(.lower) == .better)
    #expect(naive[.metric(.transfers)]?.claim(.lower) == nil)
    let lines = result.table().split(separator: "\n")
    func line(_ label: String) -> Substring? { lines.first { $0.hasPrefix("  " + label + " ") } }
    #expect(line("blank area (average)")?.hasSuffix("*36.0 %") == true)
    #expect(line("blank area (average)")?.contains("35.0 % ±13.") == true)
    #expect(line("transfers")?.hasSuffix(" 11") == true)
    #expect(line("memory")?.hasSuffix("!30.0 %") == true)
    // The same number for all loaders is shown once.
    #expect(line("ideal memory, no prefetching")?.split(separator: " ").suffix(3) == ["40.0", "%", "–"])
    #expect(lines.contains(">: longer than any observed wait. –: unknown, or not measured for this loader."))
    #expect(lines.contains("naive: a download for each cell, without caches."))
    #expect(lines.contains { $0.hasPrefix("*: cellophane is better than this loader; !: it is worse.") })
    #expect(try SimulationResult(json: try result.json()) == result)
  }

  @Test(
    arguments: [
      ([.misplacedEvents: 0, .duplicateInFlight: 0], .played), ([.misplacedEvents: 1], .invariantBroken),
      ([.duplicateInFlight: 2], .invariantBroken),
    ] as [([Metric: Double], SimulationResult.Verdict)])
  func `a broken invariant determines the verdict and is in the table`(
    values: [Metric: Double], verdict: SimulationResult.Verdict
  ) throws {
    let result = try Self.result(Self.run(waits: [Self.wait(1)], values))
    #expect(result.verdict == verdict)
    #expect(result.table().contains("INVARIANT BROKEN") == (verdict == .invariantBroken))
  }

  @Test
  func
    `deadlocks and unfinished work break an invariant, and the table has the command that repeats the run`()
    throws
  {
    let run = Self.run(waits: [Self.wait(1)])
    let stuck = try Self.result(run, time: .virtual, waiting: [(3, 8)])
    #expect(stuck.verdict == .invariantBroken)
    let command = try #require(stuck.invariants.repeatBroken)
    #expect(command.contains(" --seed 1 --replicas 1"))
    #expect(
      stuck.table().contains(
        "INVARIANT BROKEN: slot 3 waits forever for the image of row 8\nto repeat it: \(command)\n"))
    // With several replicas, the command repeats only the one with the broken invariant.
    let one = try Self.result(run, time: .virtual, replicas: 3, waiting: [(3, 8)])
    #expect(one.invariants.waiting == ["slot 3 waits forever for the image of row 8 (seed 1)"])
    #expect(one.invariants.repeatBroken == command)
    #expect(try Self.result(run, time: .virtual, leftOver: 1).verdict == .invariantBroken)
    #expect(try Self.result(run, time: .virtual).verdict == .played)
  }

  @Test func `a run fails if loads fail and no image is shown`() throws {
    let failures: [Metric: Double] = [.failedLoads: 2]
    #expect(try Self.result(Self.run(waits: [Self.wait(5, false)], failures)).verdict == .failed)
    #expect(try Self.result(Self.run(waits: [Self.wait(5, false)])).verdict == .played)
    #expect(try Self.result(Self.run(waits: [Self.wait(5)], failures)).verdict == .played)
    let unverified = failures.merging([.unverifiedRows: 1]) { $1 }
    #expect(try Self.result(Self.run(waits: [], unverified)).verdict == .played)
    // Wrong images of the naive loader break no invariant.
    let naive = Self.run(waits: [], [.misplacedEvents: 7])
    #expect(try Self.result(Self.run(waits: [Self.wait(1)]), naive: naive).verdict == .played)
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
