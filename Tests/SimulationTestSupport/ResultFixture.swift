internal import Cellophane
package import CellophaneResults

/// Results of runs with given numbers, without a run.
package enum ResultFixture {
  /// The length of a wait, and whether it ended with the image.
  package typealias Wait = (milliseconds: Int, hasEnded: Bool)

  /// Returns a wait of `milliseconds`.
  package static func wait(_ milliseconds: Int, _ hasEnded: Bool = true) -> Wait { (milliseconds, hasEnded) }

  /// A different value for each metric.
  package static let everything = Dictionary(
    uniqueKeysWithValues: Metric.allCases.enumerated().map { ($1, Double($0) * 1.25) })

  /// Returns a series in which the velocity, the blank area and the number of transfers alternate.
  package static func series(seconds: Int) -> RunSeries {
    var tally = SeriesTally()
    for vsync in 0..<10 * seconds {
      let cells = [ScreenFrame.Cell(row: 0, slot: 0, area: 4, shown: nil)]
      let frame = ScreenFrame(
        vsync: vsync, offset: Double(vsync), velocity: vsync % 2 == 0 ? 100 : 50, late: 0, cells: cells)
      tally.add(frame, at: .milliseconds(100 * vsync), for: 1, blank: vsync % 2 == 0 ? 4 : 0)
      tally.note(inFlight: vsync % 4, bytes: 10, at: .milliseconds(100 * vsync))
    }
    return tally.series
  }

  /// Returns the measurements of a run with the waits `waits` for images and the metrics `values`.
  package static func run(waits: [Wait], _ values: [Metric: Double] = [:]) -> RunMeasurement {
    var histogram = WaitHistogram()
    for wait in waits { histogram.add(wait.milliseconds, hasEnded: wait.hasEnded) }
    let measurement = Measurement(values: values, waits: [.timeToImage: histogram], refreshRate: 1_000)
    return RunMeasurement(
      overall: measurement,
      phases: [RunMeasurement.Phase(phase: .cold, from: .zero, to: .seconds(2), measurement: measurement)],
      series: series(seconds: 1))
  }

  /// Returns the result of `replicas` runs with the same measurements.
  ///
  /// - Parameters:
  ///   - naive: The run of the naive loader; by default, that of Cellophane.
  ///   - urls: The user's own images; nil for generated images.
  ///   - waiting: The slots that wait forever in the first replica, with their rows.
  package static func result(
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

  /// Returns a result with replicas that differ from each other by much more than a small `change`.
  ///
  /// - Parameters:
  ///   - planned: The number of planned replicas; nil if all were played.
  ///   - endsWaits: False if every row left before its image.
  ///   - values: The values of further metrics in each replica; nil where a replica has none.
  package static func varied(
    _ change: Double, replicas: Int = 12, planned: Int? = nil, wait: Int = 0, endsWaits: Bool = true,
    values: [Metric: [Double?]] = [:],
    configure: (inout SimulationConfiguration) -> Void = { _ in }
  ) throws -> SimulationResult {
    var configuration = SimulationConfiguration()
    configuration.replicas = replicas
    configure(&configuration)
    let outcomes = (0..<replicas).map { replica in
      let run = run(
        waits: (0..<50).map { ((10 + replica) * $0 % 97 + wait, endsWaits && $0 % 9 > 0) },
        [.blankRatio: 0.1 * Double(replica + 1) + change, .transfers: Double(replica)])
      // The milliseconds become vsyncs of the configuration.
      var overall = Measurement(refreshRate: configuration.viewport.refreshRate)
      overall.values = run.overall.values.merging(values.compactMapValues { $0[replica] }) { $1 }
      overall.waits = run.overall.waits
      let measured = RunMeasurement(overall: overall)
      return ReplicaOutcome(seed: configuration.seed, runs: [.cellophane: measured, .naive: measured])
    }
    // Writes and reads the result, as for stored results.
    let result = SimulationResult(outcomes, config: configuration, planned: planned, wall: .zero)
    return try SimulationResult(json: result.json())
  }

  /// Returns a result of ten replicas in which only the pairs of replicas show a difference from the naive loader.
  package static func paired() -> SimulationResult {
    func outcome(_ seed: Int, _ own: [Metric: Double], _ naive: [Metric: Double]) -> ReplicaOutcome {
      ReplicaOutcome(
        seed: UInt64(seed), runs: [.cellophane: run(waits: [], own), .naive: run(waits: [], naive)])
    }
    // The difference of the blank share is small, but always has the same sign. That of transfers varies by chance.
    let outcomes = (1...10).map { seed in
      let (blank, chance) = (0.1 * Double(seed), Double(seed % 2))
      return outcome(
        seed, [.blankRatio: blank, .transfers: 10 + chance, .memoryHits: 0.2, .bestMemoryHits: 0.4],
        [.blankRatio: blank + 0.01, .transfers: 10.5, .memoryHits: 0.3, .bestMemoryHits: 0.4])
    }
    var configuration = SimulationConfiguration()
    configuration.replicas = 10
    return SimulationResult(outcomes, config: configuration, wall: .zero)
  }
}
