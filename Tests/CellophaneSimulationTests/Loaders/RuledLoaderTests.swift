import Cellophane
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation

/// The loaders that follow the rules of image libraries.
struct RuledLoaderTests {
  private static func run(
    _ loader: ListedLoader, _ change: (inout SimulationConfiguration) -> Void = { _ in }
  ) async throws -> SimulationResult {
    var configuration = VirtualSimulationTests.oneReplica
    configuration.duration = .seconds(10)
    configuration.loader.name = loader
    change(&configuration)
    return try await Simulation(configuration).run()
  }

  @Test(arguments: ListedLoader.allCases.filter { $0 != .cellophane })
  func `each loader shows the right images within its limits`(loader: ListedLoader) async throws {
    let rules = try #require(loader.rules)
    // HTTP/2 has no limit of connections, so only the limit of transfers is left.
    let result = try await Self.run(loader) { $0.network.http = .http2 }
    #expect(result.loader == loader.rawValue && result.brokenInvariants.isEmpty)
    let run = result.metrics.run
    let peak = try #require(run[.peakInFlight])
    #expect(peak <= Double(rules.transfers))
    if rules.transfers <= 6 { #expect(peak == Double(rules.transfers)) }
    #expect(run[.blankRatio] ?? 1 < result.baselines[.naive]?[.blankRatio] ?? 0)
    #expect(try #require(result.reproduce).contains("--loader \(loader.rawValue)"))
  }

  @Test func `a run is the same each time`() async throws {
    let first = try await Self.run(.glide)
    #expect(first.fingerprint != nil)
    #expect(try await Self.run(.glide).fingerprint == first.fingerprint)
    #expect(try await Self.run(.coil).fingerprint != first.fingerprint)
  }

  @Test func `only a loader without shared transfers has two of one image at once`() async throws {
    for loader in [ListedLoader.nuke, .kingfisher, .glide, .coil] {
      let result = try await Self.run(loader) {
        $0.list.repeated = RepeatedPictures(pictures: 12, exponent: 0.1)
        $0.cache.memoryBytes = 0
        $0.cache.diskBytes = 0
      }
      let duplicates = try #require(result.metrics.run[.duplicateInFlight])
      // Glide starts again while an abandoned transfer still runs.
      if loader == .coil { #expect(duplicates > 0) } else if loader != .glide { #expect(duplicates == 0) }
      #expect(result.brokenInvariants.isEmpty)
    }
  }

  @Test func `only a loader that does not abort transfers has no cancelled ones`() async throws {
    func cancelled(_ loader: ListedLoader) async throws -> Double {
      try await Self.run(loader) { $0.network.profile = try! .init(parsing: "wpt-3g") }
        .metrics.run[.cancelledTransfers] ?? -1
    }
    // Transfers are cancelled at the end of the run, after its measurement.
    #expect(try await cancelled(.glide) == 0)
    #expect(try await cancelled(.nuke) > 0)
  }

  @Test func `prefetching and concurrency have the defaults of the loader unless they are set`() throws {
    var loader = SimulationConfiguration.Loader()
    loader.name = .glide
    #expect(loader.prefetch == .rows(5) && loader.concurrency == 4)
    loader.prefetch = .none
    loader.name = .nuke
    #expect(loader.prefetch == .none && loader.concurrency == 6)
    #expect(loader.ofCellophane == SimulationConfiguration.Loader())
    let scenario = try SimulationConfiguration(scenario: Array(#"{"loader": {"name": "coil"}}"#.utf8))
    #expect(scenario.loader.concurrency == 5 && scenario.loader.prefetch == .compose)
    #expect(try SimulationConfiguration(scenario: scenario.scenario()) == scenario)
    for field in [#""previews": true"#, #""prefetch": "landing""#, #""name": "other""#] {
      #expect(throws: LoadError.self) {
        try Simulation(
          try SimulationConfiguration(scenario: Array(#"{"loader": {"name": "nuke", \#(field)}}"#.utf8)))
      }
    }
  }

  @Test func `a cache evicts by its rule`() {
    var least = RuledCache<Int>(limit: 3)
    var clock = RuledCache<Int>(limit: 3, .secondChance)
    for key in 0..<3 {
      least.insert(key, of: 1, for: "\(key)")
      clock.insert(key, of: 1, for: "\(key)")
    }
    // A use of 0, and then of 1: the least recently used is 2; all unused ones come before used ones.
    for key in ["0", "1"] { _ = (least.value(of: key), clock.value(of: key)) }
    least.insert(3, of: 1, for: "3")
    clock.insert(3, of: 1, for: "3")
    #expect(!least.contains("2") && least.contains("0") && least.contains("1"))
    #expect(!clock.contains("2") && clock.contains("0") && clock.contains("1"))
    // The sweep took their second chance, so the next victim is the first.
    clock.insert(4, of: 1, for: "4")
    #expect(!clock.contains("3") && clock.contains("0"))
    var small = RuledCache<Int>(limit: 100, largestShare: 0.1)
    small.insert(1, of: 11, for: "large")
    small.insert(1, of: 10, for: "small")
    #expect(!small.contains("large") && small.contains("small"))
    small.removeAll()
    #expect(!small.contains("small"))
  }
}
