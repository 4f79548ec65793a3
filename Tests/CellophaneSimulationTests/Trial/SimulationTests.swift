import Cellophane
import CellophaneTestOrigin
import CellophaneTesting
import FoundationEssentials
import Synchronization
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation
internal import TestSupport

/// Whole runs in real time, about one second each.
@Suite(.serialized, .thorough)
struct SimulationTests {
  static func make() -> SimulationConfiguration {
    var configuration = SimulationConfiguration(time: .real)
    configuration.list.rows = 60
    configuration.list.rowHeight = 100
    configuration.list.picture = PixelSize(width: 48, height: 48)
    configuration.list.image = PixelSize(width: 96, height: 96)
    configuration.gesture.profile = .constant(2500)
    configuration.duration = .milliseconds(900)
    configuration.network.profile = NetworkProfile(
      name: "test", downBitsPerSecond: 8_000_000, upBitsPerSecond: nil, roundTrip: .milliseconds(30))
    return configuration
  }

  /// Returns the configuration with square images of `side` pixels.
  static func squares(_ side: Int) -> SimulationConfiguration {
    var configuration = make()
    configuration.list.image = PixelSize(width: side, height: side)
    return configuration
  }

  @Test func `generated images over a shaped link`() async throws {
    let result = try await Simulation(Self.make()).run()
    let metrics = result.metrics.run
    #expect(result.verdict == .played)
    #expect(result.invariants.hold)
    #expect(metrics[.failedLoads] == 0)
    #expect(metrics[.refetchedBytes] == 0)
    // The exact counts of rows and images depend on the speed of the machine.
    #expect(metrics.timeToImage.count > 0)
    #expect(metrics[.transfers] ?? 0 > 0)
    #expect(metrics[.bytesDown] ?? 0 > 0)
    #expect(Set(result.baselines.keys) == [.naive, .noPrefetch, .oracle])
    #expect(result.baselines[.naive]?[.cancelledTransfers] == 0)
    let bound = try #require(result.baselines[.oracle]?[.blankRatio])
    // The bound of the oracle holds for real sockets too, because the link is shaped.
    #expect(bound <= metrics[.blankRatio] ?? 0)
    #expect(result.oracleGap ?? -1 >= 0)
    #expect(try SimulationResult(json: try result.json()) == result)
  }

  @Test func `own images are verified by their pixels, and a missing one counts as failed`() async throws {
    let directory = URL.temporaryDirectory.appending(path: "cellophane-own-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    var urls: [String] = []
    for row in 0..<20 {
      let file = directory.appending(path: "\(row).png")
      if row != 3 {
        let image = try RowPictureTests.image(row, 64, 64)
        try Data(try image.encoded(as: .png)).write(to: file)
      }
      urls.append("file://" + file.path)
    }
    var configuration = Self.make()
    configuration.list.pictures = .own(urls, allowsFiles: true)
    let result = try await Simulation(configuration).run()
    let metrics = result.metrics.run
    #expect(result.verdict == .played)
    #expect(metrics[.failedLoads] ?? 0 >= 1)
    #expect(metrics[.neverSeen] ?? 1 < 1)
    #expect(metrics.timeToImage.count > 0)
    // There is no oracle, because the sizes of the files and the rate of the link are unknown.
    #expect(Set(result.baselines.keys) == [.naive, .noPrefetch])
    #expect(result.config.list.pictures == .own([], allowsFiles: false))
  }

  @Test func `a server that exchanges the images of two URLs breaks an invariant`() async throws {
    let files = LazyPictureFiles(0..<12, of: Self.squares(64))
    // Only the verification after the run receives the right images.
    let isCorrect = Atomic(false)
    let origin = try TestOrigin { request in
      let row = Int(request.path.dropFirst()) ?? 0
      let shown = isCorrect.load(ordering: .relaxed) ? row : 11 - row
      return OriginResponse(
        headers: ["Cache-Control": "max-age=600"], body: (try? files.file(of: shown)) ?? [])
    }
    defer { origin.stop() }
    var configuration = Self.make()
    configuration.list.pictures = .own((0..<12).map { origin.url("/\($0)") }, allowsFiles: false)
    configuration.gesture.profile = .constant(1)
    configuration.loader.prefetch = .rows(12)
    configuration.duration = .milliseconds(500)
    let result = try await Simulation(configuration).run { phase in
      if phase == .verifying { isCorrect.store(true, ordering: .relaxed) }
    }
    #expect(result.verdict == .invariantBroken)
    #expect(result.invariants.misplaced > 0)
  }

  @Test func `own images that do not arrive in time count as waits that were cut short`() async throws {
    let files = LazyPictureFiles(0..<9, of: Self.squares(64))
    let isPrompt = Atomic(false)
    let origin = try TestOrigin { request in
      var answer = OriginResponse(body: (try? files.file(of: Int(request.path.dropFirst()) ?? 0)) ?? [])
      if !isPrompt.load(ordering: .relaxed) { answer.delay = .seconds(30) }
      return answer
    }
    defer { origin.stop() }
    var configuration = Self.make()
    configuration.list.pictures = .own((0..<9).map { origin.url("/\($0)") }, allowsFiles: false)
    configuration.gesture.profile = .constant(1)
    configuration.duration = .milliseconds(300)
    let result = try await Simulation(configuration).run { phase in
      if phase == .verifying { isPrompt.store(true, ordering: .relaxed) }
    }
    // Only the edge of the ninth row is visible, so its image is not.
    #expect(result.metrics.run.timeToImage.count == 8)
    #expect(result.metrics.run.timeToImage.cutShort == 8)
    #expect(result.metrics.run[.blankRatio] == 1)
    #expect(result.verdict == .played)
  }

  @Test func `a run in real time removes its cache directory`() async throws {
    let configuration = Self.make()
    let orientations = try ScreenOrientation.all(of: configuration)
    let world = try RealWorld(
      configuration, layout: orientations[0].layout,
      pictures: .own(
        Array(repeating: "file:///missing.png", count: configuration.list.rows), allowsFiles: true),
      connectionsPerHost: nil, timeline: Timeline())
    try FileManager.default.createDirectory(at: world.directory, withIntermediateDirectories: true)
    _ = try await Trial(configuration: configuration, orientations: orientations, world: world).run(
      .cellophane)
    #expect(!FileManager.default.fileExists(atPath: world.directory.path))
  }

  @Test func `cancelling ends a run at once`() async throws {
    var configuration = Self.make()
    configuration.duration = .seconds(600)
    configuration.list.rows = 40
    let simulation = try Simulation(configuration)
    let (phases, continuation) = AsyncStream.makeStream(of: Simulation.Phase.self)
    let run = Task {
      do throws(LoadError) {
        _ = try await simulation.run { continuation.yield($0) }
        return LoadError?.none
      } catch {
        return error
      }
    }
    for await phase in phases {
      if case .measuring = phase { break }
    }
    run.cancel()
    #expect(await run.value?.kind == .cancelled)
  }

  @Test(
    arguments: [
      { $0.list.rows = 0 }, { $0.list.rows = 1 << 24 }, { $0.list.rowHeight = 0 },
      { $0.list.rowHeight = .max },
      { $0.list.picture = PixelSize(width: 8, height: 8) },
      { $0.list.picture = PixelSize(width: .max, height: .max) },
      { $0.list.image = PixelSize(width: 0, height: 96) },
      { $0.list.image = PixelSize(width: 96, height: 100_000) },
      { $0.list.image = PixelSize(width: 2000, height: 16) }, { $0.viewport.refreshRate = 0 },
      { $0.viewport.refreshRate = .min },
      { $0.duration = .zero }, { $0.duration = .seconds(1_000_000) }, { $0.loader.prefetch = .rows(-1) },
      { $0.loader.prefetch = .rows(.max) }, { $0.cache.memoryBytes = -1 },
      { $0.list.pictures = .own([], allowsFiles: false) }, { $0.gesture.profile = .constant(.nan) },
      { $0.gesture.profile = .constant(0) }, { $0.viewport.size = PixelSize(width: 100, height: .max) },
    ] as [@Sendable (inout SimulationConfiguration) -> Void])
  func `an invalid configuration is refused`(change: @Sendable (inout SimulationConfiguration) -> Void) {
    var configuration = Self.make()
    change(&configuration)
    #expect(throws: LoadError.self) { try Simulation(configuration) }
  }
}
