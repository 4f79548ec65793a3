import Cellophane
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation

/// Tests of runs over the rows of a list file.
@Suite struct RowListRunTests {
  private func configuration(_ text: String) throws -> SimulationConfiguration {
    var configuration = SimulationConfiguration()
    configuration.replicas = 1
    configuration.duration = .seconds(2)
    configuration.gesture.profile = .constant(300)
    configuration.list.take(try RowList(name: "rows.csv", csv: Array(text.utf8)), in: .virtual)
    return configuration
  }

  @Test func `rows have the heights of the list, and files have its sizes`() async throws {
    let lines = (0..<40).map { "http://a/\($0).jpg,\(100 + 50 * ($0 % 3)),\(5_000 + $0)" }
    var configuration = try configuration(lines.joined(separator: "\n"))
    let layout = try configuration.checkedLayout()
    #expect(layout.rows == 40)
    #expect((0..<6).map { layout.extent(of: $0).lowerBound } == [0, 100, 250, 450, 550, 700])
    // A row is 8 px higher than its image.
    #expect((0..<3).map { layout.pictureSize(of: $0).height } == [92, 142, 192])
    configuration.loader.prefetch = .none
    configuration.gesture.profile = .constant(1)
    let result = try await Simulation(configuration).run()
    // At its end, the run has scrolled by 2 px.
    let seen = layout.visibleRows(at: 2)
    #expect(result.metrics[.bytesDown].mean == Double(seen.reduce(0) { $0 + 5_000 + $1 }))
    #expect(result.invariants.broken == [])
    #expect(result.reproduce == nil)
    #expect(result.config.assumptions?.contains("list.bytes: from the list file for 40 of 40 rows") == true)
    #expect(try SimulationResult(json: result.json()) == result)
    #expect(result.config.list.pictures == .listed(.none))
    // Without the list, a result cannot be played again.
    #expect(throws: LoadError.self) { try Simulation(result.config) }
    let again = try await Simulation(configuration).run()
    #expect(again.fingerprint == result.fingerprint && again.fingerprint != nil)
  }

  @Test func `a missing size is assumed, and an image is transferred once for all its rows`() async throws {
    var configuration = try configuration("http://a/1,400,90000\nhttp://a/1,400\nhttp://a/2.png,400")
    configuration.list.bytes = .lognormal(Lognormal(median: 1_234, sigma: 0))
    let run = try await Simulation(configuration).run().metrics.run
    #expect(run[.transfers] == 2 && run[.bytesDown] == 91_234)
  }

  @Test func `each host of the URLs has its own connections`() async throws {
    for (hosts, connections) in [(["a"], 1), (["a", "b", "a:81"], 3)] as [([String], Double)] {
      let lines = (0..<6).map { "http://\(hosts[$0 % hosts.count])/\($0),120,5000" }
      var configuration = try configuration(lines.joined(separator: "\n"))
      configuration.network.http = .http2
      let result = try await Simulation(configuration).run()
      #expect(result.metrics.run[.connectionsOpened] == connections && result.metrics.run[.transfers] == 6)
      let names = result.config.assumptions?.contains { $0.hasPrefix("network: 3 hosts") }
      #expect(names == (hosts.count == 3))
      configuration.network.origins = 2
      #expect(throws: LoadError.self) { try Simulation(configuration) }
    }
  }

  @Test func `generated images are spread over the hosts`() async throws {
    var configuration = VirtualSimulationTests.oneReplica
    configuration.duration = .seconds(5)
    configuration.network.http = .http3
    configuration.network.origins = 4
    let result = try await Simulation(configuration).run()
    #expect(result.metrics.run[.connectionsOpened] == 4 && result.invariants.broken == [])
    #expect(try SimulationResult(json: result.json()) == result)
    #expect(
      result.reproduce?.contains("--http 3 ") == true && result.reproduce?.contains(" --origins 4") == true)
  }

  @Test func `a row list that cannot be played is refused`() throws {
    func refusal(_ change: (inout SimulationConfiguration) -> Void) throws -> String? {
      var configuration = try configuration("http://a/1,400\nhttp://a/2,8")
      change(&configuration)
      do { _ = try Simulation(configuration) } catch { return error.message }
      return nil
    }
    #expect(
      try refusal { _ in }
        == "list.row_height_px: row 2 of the list is 8 px high; it needs more than the 8 px around an image")
    #expect(try refusal { $0.list.rows = 1 } == nil)
    let repeated = try refusal { $0.list.repeated = RepeatedPictures(pictures: 2, exponent: 1) }
    #expect(repeated?.hasPrefix("list.repeat") == true)
    #expect(
      try refusal { $0.decoding.mode = .real }?.hasPrefix("list.pictures: the images of a list file") == true)
    #expect(throws: LoadError.self) {
      try Simulation(try SimulationConfiguration(scenario: Array(#"{"list":{"pictures":"listed"}}"#.utf8)))
    }
  }

  @Test func `on a rotated screen, the heights of rows grow like the width of the screen`() async throws {
    var configuration = try configuration("http://a/1,412\nhttp://a/2,206")
    configuration.events = [ScheduledEvent(.rotation, at: .seconds(1))]
    #expect(try configuration.rotated.checkedLayout().length == 823 + 412)
    #expect(try await Simulation(configuration).run().invariants.broken == [])
  }
}
