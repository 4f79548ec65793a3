import Cellophane
import CellophaneTesting
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation

/// Previews of images in simulated runs.
@Suite struct PreviewTests {
  /// Two rows at rest: a PNG and a JPEG of 100 000 bytes each. The link has 400 kbit/s and takes four seconds for both.
  static var slowLink: SimulationConfiguration {
    var configuration = SimulationConfiguration()
    configuration.replicas = 1
    configuration.duration = .seconds(10)
    configuration.list.rows = 2
    configuration.list.bytes = .lognormal(Lognormal(median: 100_000, sigma: 0))
    configuration.network.profile = NetworkProfile(
      name: "slow", downBitsPerSecond: 400_000, upBitsPerSecond: nil, roundTrip: .milliseconds(40))
    configuration.loader.previews = true
    return configuration
  }

  static func record(_ configuration: SimulationConfiguration) async throws -> (SimulationResult, Recording) {
    var instrumentation = Instrumentation()
    instrumentation.records = true
    let result = try await Simulation(configuration).run(instrumentation)
    return (result, try #require(result.recording))
  }

  @Test func `a row is blank, then shows a preview, then its image`() async throws {
    let (result, recording) = try await Self.record(Self.slowLink)
    #expect(recording.appearances.count == 2 && recording.hasPreviews)
    for appearance in recording.appearances {
      let (preview, shown) = (try #require(appearance.preview), try #require(appearance.shown))
      #expect(preview > appearance.start && preview < shown - 1_000_000)
    }
    let run = result.metrics.run
    let (blank, previewed) = (try #require(run[.blankRatio]), try #require(run[.previewRatio]))
    // The share of time with a preview, for two images of the same size.
    let seconds = recording.appearances.reduce(0) { $0 + ($1.shown ?? 0) - ($1.preview ?? 0) }
    #expect(abs(previewed - Double(seconds) / 20e6) < 1e-6)
    #expect(previewed < blank)
    #expect(run[.timeToPreview].count == 2)
    #expect(try #require(run[.timeToPreview][.p95]) < 1_000)
    #expect(try #require(run[.timeToImage][.p95]) > 3_000)
    #expect(result.baselines[.naive]?[.previewRatio] == nil)
    #expect(result.invariants.broken == [])
    #expect(try SimulationResult(json: result.json()) == result)
  }

  @Test func `a progressive file has a preview from its first scan on, another file from its first row on`()
    async throws
  {
    var configuration = Self.slowLink
    let (_, rows) = try await Self.record(configuration)
    configuration.list.progressive = 1
    let (_, scans) = try await Self.record(configuration)
    func previews(_ recording: Recording) -> [Int64] {
      recording.appearances.sorted { $0.row < $1.row }.map { $0.preview ?? 0 }
    }
    // A PNG is not progressive. The first scan of the JPEG has 12 500 bytes, which arrive at half the rate of the link.
    #expect(previews(scans)[0] == previews(rows)[0])
    #expect(previews(scans)[1] - previews(rows)[1] > 300_000)
    #expect(previews(scans)[1] < 800_000)
  }

  @Test func `previews do not delay images, and a run without previews reports none`()
    async throws
  {
    var configuration = Self.slowLink
    let (with, _) = try await Self.record(configuration)
    configuration.loader.previews = false
    let (without, recording) = try await Self.record(configuration)
    #expect(with.metrics.run[.timeToImage] == without.metrics.run[.timeToImage])
    #expect(with.metrics.run[.blankRatio] == without.metrics.run[.blankRatio])
    #expect(with.fingerprint != without.fingerprint)
    #expect(!recording.hasPreviews)
    #expect(without.metrics.run[.previewRatio] == nil && without.metrics.run[.timeToPreview].count == 0)
  }

  @Test func `a run with previews is repeatable, with or without a recording`() async throws {
    var configuration = SimulationConfiguration()
    configuration.duration = .seconds(10)
    configuration.replicas = 2
    configuration.list.layout = .cards
    configuration.list.progressive = 0.5
    configuration.loader.previews = true
    configuration.network.profile = try NetworkProfile(parsing: "lh-slow4g")
    let first = try await Simulation(configuration).run()
    let (second, recording) = try await Self.record(configuration)
    #expect(first.fingerprint != nil && first.fingerprint == second.fingerprint)
    #expect(first.metrics == second.metrics)
    #expect(recording.hasPreviews)
    #expect(first.invariants.broken == [])
    #expect((first.metrics.run[.previewRatio] ?? 0) > 0.01)
  }
}
