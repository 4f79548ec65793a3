internal import ArgumentParser
internal import Cellophane
internal import CellophaneSimulation
internal import CellophaneTesting
internal import Testing

@testable internal import CellophaneTool

@Suite("simulate in virtual time", .timeLimit(.minutes(2)))
struct SimulateTests {
  @Test("The same options give the same fingerprint in every process, however Swift hashes")
  func processes() async throws {
    let room = try Room()
    let command = "cellophane simulate --duration 5 --rows 300 --seed 7 --quiet --json -"
    var results: [[String: Any]] = []
    for environment in ["", "", "SWIFT_DETERMINISTIC_HASHING=1 "] {
      let ended = try await room.shell(environment + command)
      #expect(ended.exit == 0 && ended.errors.isEmpty, "\(ended)")
      var result = try ended.json()
      result["wall_s"] = nil
      results.append(result)
    }
    #expect((results[0]["fingerprint"] as? String)?.hasPrefix("splitmix64:") == true)
    #expect(results[0]["time"] as? String == "virtual")
    for result in results.dropFirst() {
      #expect("\(result["fingerprint"] ?? "")" == "\(results[0]["fingerprint"] ?? "")")
    }
    // The command that the result names gives it again.
    let reproduce = try #require(results[0]["reproduce"] as? String)
    let again = try await room.shell(reproduce + " --quiet --json -").json()
    #expect(again["fingerprint"] as? String == results[0]["fingerprint"] as? String)
    #expect(again["reproduce"] as? String == reproduce)
  }

  @Test("The command of a configuration is read as that configuration")
  func command() throws {
    var configuration = SimulationConfiguration(time: .real)
    configuration.rows = 77
    configuration.rowHeight = 90
    configuration.picture = PixelSize(width: 50, height: 40)
    configuration.source = PixelSize(width: 100, height: 80)
    configuration.viewport = PixelSize(width: 300, height: 500)
    configuration.profile = .constant(123.5)
    configuration.physics = .android
    configuration.refreshRate = 120
    configuration.duration = .milliseconds(1_250)
    configuration.seed = .max
    configuration.network = try NetworkProfile(parsing: "down=800,rtt=30")
    configuration.memoryBytes = 1
    configuration.diskBytes = 2
    configuration.rowsAhead = 3
    for expected in [SimulationConfiguration(), configuration] {
      let words = try #require(expected.command).split(separator: " ").map(String.init)
      #expect(words.prefix(2) == ["cellophane", "simulate"])
      #expect(try Simulate.parse(Array(words.dropFirst(2))).configuration() == expected)
    }
  }

  @Test("A virtual run refuses one's own pictures, in one line; without --time they are played in real time")
  func ownPictures() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    try room.write(lines: [origin.url("/1.png")], as: "urls")
    let refused = try await room.run("simulate", "--time", "virtual", "--urls", "urls")
    #expect(refused.exit == 64 && refused.errorLines.count == 1, "\(refused)")
    let played = try await room.run(
      "simulate", "--urls", "urls", "--duration", "0.2", "--quiet", "--json", "-")
    #expect(try played.exit == 0 && played.json()["time"] as? String == "real", "\(played)")
  }
}
