import Cellophane
import CellophaneTesting
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation

/// Tests of screens with more or fewer device pixels than px.
@Suite struct ScreenDensityTests {
  /// A list of seven visible images of 112 px, which hardly moves. Their files have 320 pixels per side.
  private static var still: SimulationConfiguration {
    var configuration = SimulationConfiguration()
    configuration.replicas = 1
    configuration.duration = .seconds(2)
    configuration.gesture.profile = .constant(1)
    configuration.loader.prefetch = .none
    configuration.list.rows = 7
    // The cache keeps no image that is larger than an eighth of its limit.
    configuration.cache.memoryBytes = 100_000_000
    return configuration
  }

  /// An entry of the memory cache has 512 bytes without its image. 320 pixels are a whole file.
  @Test(
    arguments: [(0.75, 84), (1, 112), (2, 224), (2.625, 294), (4, 320)],
    [SimulationConfiguration.Decoding.Mode.model, .real])
  func `a shown image has the pixels of its device, but no more than its file`(
    shown: (density: Double, side: Int), mode: SimulationConfiguration.Decoding.Mode
  ) async throws {
    var configuration = Self.still
    configuration.viewport.density = shown.density
    configuration.decoding.mode = mode
    let result = try await Simulation(configuration).run()
    #expect(result.metrics.run[.peakMemoryCost] == Double(7 * (4 * shown.side * shown.side + 512)))
    #expect(result.invariants.broken == [])
  }

  @Test(arguments: [1, 2]) func `a rotated screen has the same density`(density: Int) async throws {
    var configuration = Self.still
    configuration.list.image = PixelSize(width: 1_024, height: 1_024)
    configuration.viewport.density = Double(density)
    configuration.list.bytes = .lognormal(Lognormal(median: 5_000, sigma: 0))
    configuration.events = [ScheduledEvent(.rotation, at: .seconds(1))]
    let run = try await Simulation(configuration).run().metrics.run
    // Seven upright images of 112 px. Then two, each 823/412 as large: 224 px.
    let (upright, rotated) = (112 * density, 224 * density)
    #expect(
      run[.peakMemoryCost]
        == Double(7 * (4 * upright * upright + 512) + 2 * (4 * rotated * rotated + 512)))
  }

  /// Sums the durations of all decodings.
  private final class DecodingTime: RunObserver {
    let began = Notes<Duration>()
    let ended = Notes<Duration>()

    var total: Duration { ended.all.reduce(.zero, +) - began.all.reduce(.zero, +) }

    func note(_ event: RunEvent, at time: Duration) {
      switch event {
      case .decodingBegan: began.add(time)
      case .decodingEnded: ended.add(time)
      default: break
      }
    }
  }

  /// Returns the total decoding time and the received bytes of a run.
  private func work(_ configuration: SimulationConfiguration) async throws -> (time: Duration, bytes: Double?)
  {
    let orientations = try ScreenOrientation.all(of: configuration)
    let world = try VirtualWorld(configuration, layout: orientations[0].layout, rows: 7, connections: 6)
    let decoding = DecodingTime()
    _ = try await Trial(
      configuration: configuration, orientations: orientations, world: world, observers: [decoding]
    ).run(.cellophane)
    #expect(decoding.ended.all.count == 7)
    return (decoding.total, try await Simulation(configuration).run().metrics.run[.bytesDown])
  }

  /// Seven files of 112x112 pixels have 2352 bytes each, with 1.5 bits per pixel. Four are PNGs: together, they
  /// take 4 times 10 and 3 times 6 ns per pixel.
  @Test func `files keep their bytes and their decoding time, unless they are made for the screen`()
    async throws
  {
    var configuration = Self.still
    configuration.list.bytes = .perPixel(Lognormal(median: 1.5, sigma: 0))
    configuration.list.image = configuration.list.picture
    let one = try await work(configuration)
    let expected = (time: Duration.nanoseconds(112 * 112 * 58), bytes: 16_464.0)
    #expect(one.time == expected.time && one.bytes == expected.bytes)
    configuration.viewport.density = 2
    let same = try await work(configuration)
    #expect(same.time == one.time && same.bytes == one.bytes)
    // A server that sends images for the screen sends four times the pixels.
    configuration.list.image = PixelSize(width: 224, height: 224)
    let sharp = try await work(configuration)
    #expect(sharp.time == expected.time * 4 && sharp.bytes == expected.bytes * 4)
  }

  @Test(arguments: [LoaderUnderTest.cellophane, .noPrefetch])
  func `a memory limit that grows with the square of the density has the same effect`(
    loader: LoaderUnderTest
  ) async throws {
    func run(_ density: Double, memory: Int) async throws -> RunMetrics {
      var configuration = SimulationConfiguration()
      configuration.replicas = 1
      configuration.list = SimulationConfiguration.List(layout: .cards)
      configuration.network.profile = try NetworkProfile(parsing: "wpt-fios")
      configuration.gesture.profile = .browser
      configuration.decoding.png = [0, 0, 0, 0]
      configuration.decoding.jpeg = [0, 0, 0, 0]
      configuration.viewport.density = density
      configuration.cache.memoryBytes = memory
      if loader == .noPrefetch { configuration.loader.prefetch = .none }
      return try await Simulation(configuration).run().metrics.run
    }
    // 8.8 cards of 412 px: with its entry, a card has 679 488 bytes, and 2 716 416 at density 2.
    let one = try await run(1, memory: 6_000_000)
    let two = try await run(2, memory: 24_000_000)
    let short = try await run(2, memory: 6_000_000)
    for metric in [Metric.memoryHits, .bestMemoryHits, .blankRatio, .bytesDown, .prefetchTimely] {
      #expect(one[metric] == two[metric], "\(metric)")
    }
    #expect(one[.memoryHits] ?? 0 > 0.2)
    #expect(short[.memoryHits] ?? 1 < one[.memoryHits] ?? 0)
  }
}
