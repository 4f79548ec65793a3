package import Cellophane
package import CellophaneResults

extension Simulation {
  /// Measures the runs of `traces`, which are the replicas of one loader.
  ///
  /// - Parameters:
  ///   - names: The names of their files in messages.
  ///   - playsBaselines: True to play the naive loader and Cellophane in virtual time, with the same gestures.
  ///   - records: True to record the first run, for the charts of a report.
  /// - Throws: ``LoadError/Kind/corrupt`` if the traces have other scenarios or loaders, or if a visible row has no
  ///   slot; ``LoadError/cancelled``.
  package static func score(
    _ traces: [RunTrace], names: [String], playsBaselines: Bool, records: Bool
  ) async throws(LoadError) -> SimulationResult {
    let (order, configuration) = try replicas(traces, names: names)
    let timeline = Timeline()
    let start = timeline.now
    var instrumentation = Instrumentation()
    instrumentation.records = records
    let loader = traces[0].loader
    var outcomes: [ReplicaOutcome] = []
    for (index, number) in order.enumerated() {
      if Task.isCancelled { throw .cancelled }
      var played = configuration
      // The models of the baselines exist in virtual time only.
      if playsBaselines { played.time = .virtual }
      let replica = try Replica(index, of: played, instrumentation)
      outcomes.append(
        try await replica.score(traces[number], name: names[number], playsBaselines: playsBaselines))
    }
    let layout = try configuration.checkedLayout()
    return SimulationResult(
      outcomes, config: configuration.completed(layout: layout, meanBytes: outcomes.first?.meanBytes),
      loader: loader, wall: timeline.now - start)
  }

  /// Returns the traces in the order of their seeds, and their common scenario.
  private static func replicas(
    _ traces: [RunTrace], names: [String]
  ) throws(LoadError) -> (order: [Int], configuration: SimulationConfiguration) {
    func error(_ number: Int, _ reason: String) -> LoadError {
      LoadError(.corrupt, "\(names[number]), line 1: \(reason)")
    }
    let order = traces.indices.sorted { traces[$0].configuration.seed < traces[$1].configuration.seed }
    guard let first = order.first else { throw LoadError(.corrupt, "there is no trace") }
    var configuration = traces[first].configuration
    configuration.replicas = traces.count
    for (index, number) in order.enumerated() {
      guard traces[number].loader == traces[first].loader else {
        throw error(
          number,
          "the loader is \(traces[number].loader), and that of \(names[first]) is \(traces[first].loader)")
      }
      var one = traces[number].configuration
      guard one.seed == configuration.seed &+ UInt64(index) else {
        throw error(
          number,
          "the seed is \(one.seed), and not \(configuration.seed &+ UInt64(index)); score runs of consecutive seeds"
        )
      }
      (one.seed, one.replicas) = (configuration.seed, configuration.replicas)
      guard one == configuration else {
        throw error(number, "the scenario is not that of \(names[first])")
      }
    }
    return (order, configuration)
  }
}

extension Replica {
  /// Measures the run of `trace`, and plays the baselines with the same gestures if `playsBaselines`.
  fileprivate func score(
    _ trace: RunTrace, name: String, playsBaselines: Bool
  ) async throws(LoadError) -> ReplicaOutcome {
    let own: LoaderUnderTest = trace.loader == LoaderUnderTest.cellophane.rawValue ? .cellophane : .other
    let played = playsBaselines ? LoaderUnderTest.played(testing: own == .other) : [.oracle]
    return try await runVirtual(
      played.filter { $0 != own }, threads: 1, beside: [own: try observation(of: trace, name: name)]
    ) { $0 }
  }

  private func observation(of trace: RunTrace, name: String) throws(LoadError) -> RunObservation {
    let numbers = (0..<configuration.list.rows).map(contents.picture)
    let urls = numbers.map {
      ModeledPictures.base(ofHost: configuration.host(of: $0)) + PictureFiles.path(of: $0)
    }
    let meter = RunMeter(
      RunTally(
        refreshRate: configuration.viewport.refreshRate, urls: urls, evidence: .numbers(numbers),
        versions: PictureVersions(configuration.origin, seed: configuration.seed),
        showsPreviews: configuration.loader.previews, keepsSeries: keepsSeries))
    let recorder = recorder(urls: urls, numbers: numbers)
    var scorer = TraceScorer(
      trace, orientations, urls: urls, numbers: numbers, observers: [meter] + (recorder.map { [$0] } ?? []))
    let end: Int
    do throws(LoadError) { end = try scorer.play() } catch {
      throw LoadError(error.kind, "\(name), \(error.message)")
    }
    let counters = trace.counters
    var observation = RunObservation(
      tally: meter.finish(at: end), peakTransfers: counters.peakTransfers, connections: counters.connections,
      receivedAfterCancel: counters.receivedAfterCancel)
    observation.staleDropped = counters.staleDropped
    observation.peakMemoryCost = counters.peakMemory ?? 0
    observation.framesCanBeLate = trace.configuration.time == .real
    observation.recording = recorder?.finish().recording
    return observation
  }
}
