import Cellophane
import Testing

@testable import CellophaneSimulation

/// How long rows show pictures of which their origin has a newer version.
@Suite struct StaleShownTests {
  /// One row at rest for 20 s, that is asked for again after 15 s, when the screen is turned. Its picture changes once
  /// in between.
  static var once: SimulationConfiguration {
    var configuration = SimulationConfiguration()
    configuration.replicas = 1
    configuration.duration = .seconds(20)
    configuration.list.rows = 1
    configuration.events = [ScheduledEvent(.rotation, at: .seconds(15))]
    configuration.origin.change = 12
    configuration.seed = (1...99).first { changing($0) > 9 } ?? 0
    return configuration
  }

  /// When the picture changes for the first time, in s.
  static func changing(_ seed: UInt64) -> Double { 12 * SeededDraw(seed: seed).uniform("version", 0) }

  /// For how many of the 1 200 frames the older version was shown.
  private func staleFrames(_ change: (inout SimulationConfiguration) -> Void) async throws -> Double {
    var configuration = Self.once
    change(&configuration)
    let result = try await Simulation(configuration).run()
    #expect(result.invariants.broken == [])
    let milliseconds = try #require(result.metrics[.staleMilliseconds].mean)
    return (milliseconds * 60 / 1_000 * 1e6).rounded() / 1e6
  }

  @Test func `an older version counts from its origin's change until a newer one is shown`() async throws {
    let start = (Self.changing(Self.once.seed) * 60).rounded(.up)
    #expect(start > 540 && start < 720)
    // Kept for a day, it comes from disk again, one frame after the screen was turned.
    #expect(try await staleFrames { _ in } == 1_199 - start)
    // Asked about then, it is not shown again.
    #expect(try await staleFrames { $0.origin.revalidate = 1 } == 900 - start)
    #expect(try await staleFrames { $0.origin.maxAge = 1 } == 900 - start)
    // Shown while it is asked about, it gives way to the newer one within some round trips.
    let between = try await staleFrames {
      $0.origin.maxAge = 1
      $0.origin.staleWhileRevalidate = 60
    }
    #expect(between > 900 - start && between < 930 - start)
  }

  @Test func `nothing is stale where nothing changes, or where it changes after the run`() async throws {
    #expect(try await staleFrames { $0.origin.change = nil } == 0)
    #expect(try await staleFrames { $0.origin.change = 86_400 } == 0)
    #expect(
      try await staleFrames {
        $0.origin.change = nil
        $0.origin.revalidate = 1
      } == 0)
  }

  @Test func `every replica has its own, and what cannot be known is null`() async throws {
    var configuration = Self.once
    configuration.replicas = 6
    let metric = try await Simulation(configuration).run().metrics[.staleMilliseconds]
    #expect(metric.replicas.count == 6 && Set(metric.replicas).count == 6 && metric.interval != nil)
    #expect(Metric.staleMilliseconds.unit == "ms" && Metric.staleMilliseconds.better == .lower)
    let own = RunTallyTests.measure(RunTallyTests.frames(["##"]), evidence: .afterwards)
    #expect(own.overall[.staleMilliseconds] == nil)
  }

  @Test func `a newer version is no second answer to what a slot asked for`() async throws {
    var configuration = Self.once
    configuration.origin.maxAge = 1
    configuration.origin.staleWhileRevalidate = 60
    let run = try await Simulation(configuration).run().metrics.run
    let hits = [Metric.memoryHits, .diskHits, .networkHits].compactMap { run[$0] }.reduce(0, +)
    #expect(hits == 1 && run[.slotRequests] == 2)
  }
}
