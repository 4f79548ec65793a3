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

    for metric in Metric.allCases {
      guard let mean = result.metrics[metric].mean else { continue }
      print("\(metric.rawValue): \(mean) \(metric.unit)")
    }
    for metric in WaitMetric.allCases {
      guard let slow = result.metrics[metric][.p95] else { continue }
      print("\(metric.rawValue).p95: \(slow) ms")
    }

    #expect(result.metrics[.appearances].mean ?? 0 > 0)
  }
}
