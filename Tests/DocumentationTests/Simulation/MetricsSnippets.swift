internal import CellophaneSimulation
internal import Testing

// The code of Sources/CellophaneSimulation/CellophaneSimulation.docc/Metrics.md.

@Suite("Metrics by name")
struct MetricsSnippets {
  @Test func byName() async throws {
    var configuration = SimulationConfiguration()
    configuration.duration = .seconds(2)
    configuration.replicas = 1
    let result = try await Simulation(configuration).run()

    for path in MetricPath.all {
      guard let value = result.metrics.run[path] else { continue }
      print("\(path.text): \(value) \(path.unit)")
    }

    #expect(result.metrics.run[.metric(.appearances)] ?? 0 > 0)
  }
}
