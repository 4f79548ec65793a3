import Cellophane
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation
internal import TestSupport

/// The trace of a run has the metrics of the run.
@Suite(.thorough)
struct RoundTripTests {
  private static func expectSameMetrics(_ configuration: SimulationConfiguration) async throws {
    var instrumentation = Instrumentation()
    instrumentation.keepsTrace = true
    let played = try await Simulation(configuration).run(instrumentation)
    let text = try #require(played.trace)
    let trace = try RunTraceReader.read(text, name: "run.jsonl")
    let scored = try await Simulation.score(
      [trace], names: ["run.jsonl"], playsBaselines: false, records: false)
    #expect(scored.loader == played.loader)
    #expect(scored.metrics == played.metrics)
    #expect(scored.phases == played.phases)
    #expect(scored.histograms == played.histograms)
    #expect(scored.baselines[.oracle] == played.baselines[.oracle])
    #expect(scored.config == played.config)
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `a run of Cellophane with any settings`(seed: UInt64) async throws {
    try await Self.expectSameMetrics(try VirtualSimulationTests.short(seed))
  }

  @Test(arguments: ListedLoader.allCases)
  func `a run of each loader`(loader: ListedLoader) async throws {
    var configuration = VirtualSimulationTests.oneReplica
    configuration.duration = .seconds(4)
    configuration.loader.name = loader
    configuration.origin.fail = 0.1
    try await Self.expectSameMetrics(configuration)
  }

  @Test func `several traces are replicas, and the baselines are those of a simulation`() async throws {
    var configuration = VirtualSimulationTests.oneReplica
    configuration.duration = .seconds(2)
    configuration.loader.name = .nuke
    configuration.replicas = 2
    let played = try await Simulation(configuration).run()
    var traces: [RunTrace] = []
    for index in [1, 0] as [UInt64] {
      var one = configuration
      one.seed += index
      one.replicas = 1
      var instrumentation = Instrumentation()
      instrumentation.keepsTrace = true
      let text = try #require(try await Simulation(one).run(instrumentation).trace)
      traces.append(try RunTraceReader.read(text, name: "\(index)"))
    }
    let scored = try await Simulation.score(
      traces, names: ["1", "0"], playsBaselines: true, records: false)
    #expect(scored.metrics == played.metrics)
    #expect(scored.differences == played.differences)
    #expect(scored.baselines == played.baselines)
    // The seeds must be consecutive.
    let error = await #expect(throws: LoadError.self) {
      try await Simulation.score(
        [traces[0], traces[0]], names: ["a", "b"], playsBaselines: false, records: false)
    }
    #expect(error?.message.contains("score runs of consecutive seeds") == true)
  }
}
