import Cellophane
import CellophaneReport
import CellophaneSimulation

@main
struct Main {
  static func main() async throws {
    var configuration = SimulationConfiguration()
    configuration.duration = .seconds(10)
    configuration.replicas = 2
    let loader = try TestedLoader("newest-first") { NewestFirst($0) }
    let result = try await Simulation(configuration).run(testing: loader)
    print(result.table())
  }
}
