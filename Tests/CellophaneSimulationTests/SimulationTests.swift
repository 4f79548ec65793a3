import Cellophane
import CellophaneTesting
import FoundationEssentials
import Synchronization
import Testing

@testable import CellophaneSimulation
internal import TestSupport

/// The whole road in real time, for about a second each.
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

  /// With pictures of this side.
  static func squares(_ side: Int) -> SimulationConfiguration {
    var configuration = make()
    configuration.list.image = PixelSize(width: side, height: side)
    return configuration
  }

  static var leftBehind: [String] {
    let directory = URL.temporaryDirectory.path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.filter { $0.hasPrefix(RealWorld.directoryPrefix) }
  }

  @Test func `generated pictures over a shaped line`() async throws {
    let before = Self.leftBehind
    let result = try await Simulation(Self.make()).run()
    let metrics = result.metrics.run
    #expect(result.verdict == .played)
    #expect(result.invariants.hold)
    #expect(metrics[.failedLoads] == 0)
    #expect(metrics[.refetchedBytes] == 0)
    // How many rows come in, and how many of them have their pictures, is the machine's matter.
    #expect(metrics.timeToImage.count > 0)
    #expect(metrics[.transfers] ?? 0 > 0)
    #expect(metrics[.bytesDown] ?? 0 > 0)
    #expect(Set(result.baselines.keys) == [.naive, .noPrefetch, .oracle])
    #expect(result.baselines[.naive]?[.cancelledTransfers] == 0)
    let bound = try #require(result.baselines[.oracle]?[.blankRatio])
    // Of real sockets as of modelled ones: the shaped line brings no more than its rate.
    #expect(bound <= metrics[.blankRatio] ?? 0)
    #expect(result.oracleGap ?? -1 >= 0)
    #expect(try SimulationResult(json: try result.json()) == result)
    #expect(Self.leftBehind == before)
  }

  @Test func `the user's own pictures, proven by their pixels, some of them missing`() async throws {
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
    // Nobody knows beforehand how large they are, nor what their line can bring.
    #expect(Set(result.baselines.keys) == [.naive, .noPrefetch])
    #expect(result.config.list.pictures == .own([], allowsFiles: false))
  }

  @Test func `a server that answers two URLs with each other's pictures is found out`() async throws {
    let files = try await PictureFiles(0..<12, of: Self.squares(64))
    // Only the comparison after the run gets the right pictures.
    let isTrue = Atomic(false)
    let origin = try TestOrigin { request in
      let row = Int(request.path.dropFirst()) ?? 0
      let shown = isTrue.load(ordering: .relaxed) ? row : 11 - row
      return OriginResponse(
        headers: ["Cache-Control": "max-age=600"], body: files.file(of: shown) ?? [])
    }
    defer { origin.stop() }
    var configuration = Self.make()
    configuration.list.pictures = .own((0..<12).map { origin.url("/\($0)") }, allowsFiles: false)
    configuration.gesture.profile = .constant(1)
    configuration.loader.prefetch = .rows(12)
    configuration.duration = .milliseconds(500)
    let result = try await Simulation(configuration).run { phase in
      if phase == .verifying { isTrue.store(true, ordering: .relaxed) }
    }
    #expect(result.verdict == .invariantBroken)
    #expect(result.invariants.misplaced > 0)
  }

  @Test func `own pictures that never came in time count as waits cut short`() async throws {
    let files = try await PictureFiles(0..<9, of: Self.squares(64))
    let isPrompt = Atomic(false)
    let origin = try TestOrigin { request in
      var answer = OriginResponse(body: files.file(of: Int(request.path.dropFirst()) ?? 0) ?? [])
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
    // The ninth row is in with its edge, its picture is not.
    #expect(result.metrics.run.timeToImage.count == 8)
    #expect(result.metrics.run.timeToImage.censored == 8)
    #expect(result.metrics.run[.blankRatio] == 1)
    #expect(result.verdict == .played)
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
  func `what cannot be played is refused`(change: @Sendable (inout SimulationConfiguration) -> Void) {
    var configuration = Self.make()
    change(&configuration)
    #expect(throws: LoadError.self) { try Simulation(configuration) }
  }
}
