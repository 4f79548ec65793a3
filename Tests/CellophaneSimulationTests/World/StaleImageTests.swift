import Cellophane
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation

/// The time for which rows show an older version than their origin has.
@Suite struct StaleImageTests {
  /// One row at rest for 20 s. Its image changes once before 15 s, when a rotation of the screen requests it again.
  static var changesOnce: SimulationConfiguration {
    var configuration = SimulationConfiguration()
    configuration.replicas = 1
    configuration.duration = .seconds(20)
    configuration.list.rows = 1
    configuration.events = [ScheduledEvent(.rotation, at: .seconds(15))]
    configuration.origin.change = 12
    configuration.seed = (1...99).first { changeTime($0) > 9 } ?? 0
    return configuration
  }

  /// Returns the time of the first change of the image, in s.
  static func changeTime(_ seed: UInt64) -> Double { 12 * SeededDraw(seed: seed).uniform("version", 0) }

  /// Returns how many of the 1 200 frames show the older version.
  private func staleFrames(_ change: (inout SimulationConfiguration) -> Void) async throws -> Double {
    var configuration = Self.changesOnce
    change(&configuration)
    let result = try await Simulation(configuration).run()
    #expect(result.invariants.broken == [])
    let milliseconds = try #require(result.metrics[.staleMilliseconds].mean)
    return (milliseconds * 60 / 1_000 * 1e6).rounded() / 1e6
  }

  @Test func `an image is stale from the change at its origin until the newer version is shown`() async throws
  {
    let start = (Self.changeTime(Self.changesOnce.seed) * 60).rounded(.up)
    #expect(start > 540 && start < 720)
    // The response is fresh for a day. The disk serves it again, one frame after the rotation.
    #expect(try await staleFrames { _ in } == 1_199 - start)
    // A validation after the rotation replaces it, so it is not shown again.
    #expect(try await staleFrames { $0.origin.revalidate = 1 } == 900 - start)
    #expect(try await staleFrames { $0.origin.maxAge = 1 } == 900 - start)
    // It is shown while it is revalidated. The newer version follows within some round trips.
    let between = try await staleFrames {
      $0.origin.maxAge = 1
      $0.origin.staleWhileRevalidate = 60
    }
    #expect(between > 900 - start && between < 930 - start)
  }

  @Test func `an image that does not change during the run is never stale`() async throws {
    #expect(try await staleFrames { $0.origin.change = nil } == 0)
    #expect(try await staleFrames { $0.origin.change = 86_400 } == 0)
    #expect(
      try await staleFrames {
        $0.origin.change = nil
        $0.origin.revalidate = 1
      } == 0)
  }

  @Test func `every replica has its own stale time`() async throws {
    var configuration = Self.changesOnce
    configuration.replicas = 10
    let metric = try await Simulation(configuration).run().metrics[.staleMilliseconds]
    #expect(metric.replicas.count == 10 && Set(metric.replicas).count == 10 && metric.interval != nil)
    #expect(Metric.staleMilliseconds.unit == "ms" && Metric.staleMilliseconds.better == .lower)
  }

  @Test func `a newer version does not count as another hit of a slot request`() async throws {
    var configuration = Self.changesOnce
    configuration.origin.maxAge = 1
    configuration.origin.staleWhileRevalidate = 60
    let run = try await Simulation(configuration).run().metrics.run
    let hits = [Metric.memoryHits, .diskHits, .networkHits].compactMap { run[$0] }.reduce(0, +)
    #expect(hits == 1 && run[.slotRequests] == 2)
  }
}
