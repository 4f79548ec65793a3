internal import Cellophane
internal import CellophaneSimulation
internal import CellophaneTesting
internal import Testing

// The code of Sources/CellophaneSimulation/CellophaneSimulation.docc/Networks.md.

@Suite("Networks")
struct NetworksSnippets {
  @Test func settings() throws {
    var configuration = SimulationConfiguration()
    configuration.network.profile = try NetworkProfile(parsing: "down=3000,up=800,rtt=120,loss=0.5%")
    configuration.network.http = .http2
    configuration.network.tls = true
    configuration.network.think = .milliseconds(30)

    #expect(configuration.network.profile.roundTrip == .milliseconds(120))
    #expect(configuration.network.profile.loss == 0.005)
    _ = try Simulation(configuration)
  }

  @Test func presets() {
    for preset in NetworkProfile.presets {
      print(preset.name, preset.downBitsPerSecond ?? 0, preset.roundTrip)
    }
    #expect(NetworkProfile.presets.count == 25)
  }
}
