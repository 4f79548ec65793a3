internal import Cellophane
internal import CellophaneSimulation
internal import CellophaneTesting
internal import Testing

// The code of Sources/CellophaneSimulation/CellophaneSimulation.docc/Simulating.md.

/// A list of 1 000 thumbnails on a fast mobile network, scrolled back and forth.
private func feed() throws -> SimulationConfiguration {
  var configuration = SimulationConfiguration()
  configuration.list = SimulationConfiguration.List(layout: .rows)
  configuration.gesture = SimulationConfiguration.Gesture(profile: .browser)
  configuration.network.profile = try NetworkProfile(parsing: "wpt-4g")
  configuration.loader.prefetch = .rows(8)
  configuration.cache.memoryBytes = 16 << 20
  configuration.duration = .seconds(60)
  configuration.replicas = 20
  return configuration
}

/// A shorter run of the same list, for tests that are compiled without optimization.
private func shortFeed() throws -> SimulationConfiguration {
  var configuration = try feed()
  configuration.duration = .seconds(3)
  configuration.replicas = 2
  return configuration
}

@Suite("Simulating")
struct SimulatingSnippets {
  @Test func run() async throws {
    let configuration = try shortFeed()
    let result = try await Simulation(configuration).run()

    let blank = result.metrics[.blankRatio]
    print(
      "blank: \(blank.mean ?? 0), 95 % interval \(blank.interval?.lowerBound ?? 0) to \(blank.interval?.upperBound ?? 0)"
    )
    print("naive loader: \(result.baselines[.naive]?[.blankRatio] ?? 0)")
    print("best possible: \(result.baselines[.oracle]?[.blankRatio] ?? 0)")
    #expect(result.brokenInvariants.isEmpty)

    #expect(try #require(blank.mean) > 0)
    #expect(try #require(blank.mean) < #require(result.baselines[.naive]?[.blankRatio]))
    #expect(result.fingerprint != nil)
  }

  @Test func repeats() async throws {
    let first = try await Simulation(shortFeed()).run()
    let second = try await Simulation(shortFeed()).run()
    #expect(first.fingerprint == second.fingerprint)
  }

  @Test func scenario() throws {
    let json = """
      {
        "list": { "layout": "cards", "rows": 500 },
        "gesture": { "profile": "browser", "flick": { "median": 900 } },
        "network": { "preset": "lh-slow4g" },
        "origin": { "fail": 0.005 }
      }
      """
    let configuration = try SimulationConfiguration(scenario: Array(json.utf8))
    let simulation = try Simulation(configuration)

    #expect(simulation.configuration.list.rows == 500)
    #expect(configuration.origin.fail == 0.005)
  }

  @Test func assertions() async throws {
    let result = try await Simulation(shortFeed()).run()
    let limit = try Assertion(parsing: "peak_inflight<=6")
    let outcome = limit.checked(on: result)
    #expect(outcome.pass, "\(outcome.sentence)")
  }
}
